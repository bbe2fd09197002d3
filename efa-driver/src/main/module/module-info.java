/** The driver for fabrics by libfabric, such as EFA. */
module io.millrace.efa {
  requires static transitive org.jspecify;
  requires io.millrace.engine;

  provides io.millrace.driver.DriverProvider with
      io.millrace.efa.FabricProvider;
}
