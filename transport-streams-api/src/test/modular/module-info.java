/** An application on the module path: two nodes and a call. */
module com.acme.modular {
  requires io.millrace.api;
  // a driver provides a service: nothing in the code names the driver
  requires io.millrace.udp;
}
