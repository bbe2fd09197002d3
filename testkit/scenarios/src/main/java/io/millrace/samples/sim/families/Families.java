package io.millrace.samples.sim.families;

import io.millrace.config.NicEntry;
import io.millrace.config.NicPlaces;
import io.millrace.config.NicSettings;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.fabric.SimFabric;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NicState;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.Swarm;
import java.util.List;

/**
 * Nodes of one run with different sets of driver families: two fabrics and datagrams. Every set has
 * datagrams, so that each pair of nodes shares a family. Fabrics die at a node, and come back.
 */
public final class Families {
  private static final String OTHER = "sim-other";
  private static final String DATAGRAMS = "sim";
  private static final long MS = 1_000_000;
  private static final long LONGEST_NS = 1_500 * MS;
  private static final int MOST_DEATHS = 4;
  private static final long LEAST_MTU = 1_200;
  private static final long MOST_MTU = 1_600;
  private static final List<List<String>> SETS =
      List.of(
          List.of(SimFabric.FAMILY, OTHER, DATAGRAMS),
          List.of(OTHER, SimFabric.FAMILY, DATAGRAMS),
          List.of(SimFabric.FAMILY, DATAGRAMS),
          List.of(OTHER, DATAGRAMS),
          List.of(DATAGRAMS));

  private Families() {}

  /**
   * Returns the same scenario with a second fabric, and with deaths of fabrics.
   *
   * @param spanNs deaths begin and end within this time from the start of the run
   */
  public static Scenario in(Scenario scenario, long spanNs) {
    return run -> {
      FullRun.of(run).furtherFabric(OTHER);
      Draws draws = run.swarm().draws("families");
      long deaths = draws.between(-1, 0, 0, MOST_DEATHS);
      for (int i = 0; i < deaths; i++) {
        long atNs = draws.below(i, 0, spanNs);
        long untilNs = Math.min(spanNs, atNs + draws.between(i, 1, MS, LONGEST_NS));
        int fabric = (int) draws.below(i, 2, 2);
        int node = (int) draws.below(i, 3, Integer.MAX_VALUE);
        NicState state = draws.below(i, 4, 2) == 0 ? NicState.DOWN : NicState.SILENT;
        set(run, atNs, fabric, node, state);
        set(run, untilNs, fabric, node, NicState.UP);
      }
      scenario.run(run);
    };
  }

  private static void set(SimRun run, long atNs, int fabric, int drawn, NicState state) {
    run.simulation()
        .at(
            atNs,
            () -> {
              int node = drawn % run.nodes();
              FullRun.of(run).cluster().fabrics().get(fabric).state(node, state);
            });
  }

  /**
   * The network of a seed below the fabrics: in half of the seeds, datagrams carry less than the
   * messages of the fabrics.
   */
  public static NetworkSettings network(Swarm swarm) {
    NetworkSettings drawn = swarm.fabricNetwork();
    Draws draws = swarm.draws("families");
    if (draws.below(-3, 0, 2) == 0) {
      return drawn;
    }
    int mtuBytes = (int) draws.between(-3, 1, LEAST_MTU, MOST_MTU);
    return drawn.withLink(drawn.link().withMtu(mtuBytes, draws.below(-3, 2, 2) == 0));
  }

  /** The settings of a node with one of the sets of families. */
  public static TransportSettings transport(Swarm swarm, int node) {
    TransportSettings drawn = swarm.fabricTransport(node);
    NicSettings nic = drawn.nic();
    NicPlaces places = nic.places();
    int set = (int) swarm.draws("families").below(-2, node, SETS.size());
    NicEntry entry =
        new NicEntry(
            "nic",
            SETS.get(set),
            places.address(),
            drawn.workers().count(),
            List.of(),
            nic.rates());
    return new TransportSettings(
        drawn.handshake(),
        drawn.workers(),
        nic.withPlaces(
            new NicPlaces(places.drivers(), places.address(), List.of(entry), places.pins())),
        drawn.limits(),
        drawn.recovery(),
        drawn.crypto(),
        drawn.scheduler(),
        drawn.transfers(),
        drawn.regions(),
        drawn.streams());
  }
}
