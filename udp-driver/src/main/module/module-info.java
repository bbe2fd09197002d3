/** The drivers for UDP: by the kernel's own calls on Linux, by the JDK's channels elsewhere. */
@SuppressWarnings("requires-automatic") // see docs/modules.md
module io.millrace.udp {
  requires static transitive org.jspecify;
  requires io.millrace.engine;
  requires jdk.net;
  requires org.agrona;

  provides io.millrace.driver.DriverProvider with
      io.millrace.udp.nio.NioUdpProvider,
      io.millrace.udp.linux.LinuxUdpProvider;
}
