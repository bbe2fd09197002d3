package io.millrace.api;

import io.millrace.efa.FabricDrivers;
import io.millrace.testkit.internal.driver.Impairment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInfo;

/**
 * The worlds in which every pattern must behave the same: each world loses, doubles and swaps
 * datagrams.
 */
enum PatternWorld implements TestWorld {
  /** A simulated network, one thread, virtual time. */
  SIMULATED(World.SIMULATED),
  /** The driver of Linux, on loopback. */
  UDP_PANAMA(World.UDP_PANAMA),
  /** The driver of every JVM, on loopback. */
  UDP_NIO(World.UDP_NIO),
  /** libfabric's provider over TCP with an exact report for each write; bodies are writes. */
  FABRIC_SOCKETS(PatternWorld.SOCKETS),
  /** libfabric's newer provider over TCP, which connects in the background. */
  FABRIC_TCP(PatternWorld.TCP),
  /** libfabric's provider within one machine. */
  FABRIC_SHM(PatternWorld.SHM);

  /** The tag of tests in {@link #FABRIC_SOCKETS}, and the name of the driver. */
  static final String SOCKETS = "fabric:sockets";

  /** The tag of tests in {@link #FABRIC_TCP}, and the name of the driver. */
  static final String TCP = "fabric:tcp";

  /** The tag of tests in {@link #FABRIC_SHM}, and the name of the driver. */
  static final String SHM = "fabric:shm";

  private final @Nullable World usual;
  private final String tag;

  PatternWorld(World usual) {
    this.usual = usual;
    tag = "";
  }

  PatternWorld(String tag) {
    usual = null;
    this.tag = tag;
  }

  /** The actions of a test with the nodes. */
  @FunctionalInterface
  interface Scenario {
    void run(NodePair nodes) throws Exception;
  }

  @Override
  public boolean isOnSockets() {
    return usual != null && usual.isOnSockets();
  }

  /** Returns the worlds of a test without other parameters; see {@link TestWorld#chosen}. */
  static List<PatternWorld> of(TestInfo test) {
    return TestWorld.chosen(all(test));
  }

  /** Returns the world of a test's tag, or the usual worlds for a test without such a tag. */
  static PatternWorld[] all(TestInfo test) {
    PatternWorld[] tagged = select(test.getTags()::contains);
    return tagged.length > 0 ? tagged : select(String::isEmpty);
  }

  private static PatternWorld[] select(Predicate<String> tags) {
    return Arrays.stream(values())
        .filter(world -> tags.test(world.tag))
        .toArray(PatternWorld[]::new);
  }

  void run(Scenario scenario) throws Exception {
    run(new World.Settings("", ""), scenario);
  }

  void run(World.Settings settings, Scenario scenario) throws Exception {
    Impairment impairment = new Impairment(11, 2, 2, 2, 4, 0);
    World.Scenario impaired = (nodes, driver) -> scenario.run(nodes);
    if (usual != null) {
      usual.run(impairment, settings, impaired);
    } else {
      String provider = tag.substring(FabricDrivers.PREFIX.length());
      World.onDriver(FabricDrivers.provider(provider), impairment, settings, impaired);
    }
  }
}
