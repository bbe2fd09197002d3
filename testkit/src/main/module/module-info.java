/** The simulator, clusters of processes and the contracts of drivers, for tests. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // see docs/modules.md
module io.millrace.testkit {
  requires static transitive org.jspecify;
  requires java.instrument;
  requires java.management;
  requires jdk.management;
  requires org.agrona;
  requires pekko.actor;
  requires scala.library;
  requires transitive io.millrace.engine;
  requires transitive org.junit.jupiter.api;

  exports io.millrace.testkit;
  exports io.millrace.testkit.cluster;
  exports io.millrace.testkit.driver;
  exports io.millrace.testkit.path;
  exports io.millrace.testkit.sim;
  exports io.millrace.testkit.sim.junit;
}
