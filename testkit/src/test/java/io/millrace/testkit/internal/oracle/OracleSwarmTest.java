package io.millrace.testkit.internal.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.Repetitions;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.internal.oracle.Coverage.Mark;
import io.millrace.testkit.sim.DamageSettings;
import io.millrace.testkit.sim.DelaySettings;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All rules over many seeds, with little memory and all faults of a network. */
final class OracleSwarmTest {
  private static final int SEEDS = Integer.getInteger("millrace.oracle.seeds", 24);

  /**
   * The test ends when all marks are reached, but not before this number of seeds; the soak runs
   * all seeds.
   */
  private static final int FEWEST_SEEDS = Repetitions.factor() > 1 ? SEEDS : 6;

  private static final int MOST_PPM = 40_000;
  private static final long DELAY_NS = 50_000;
  private static final long MOST_LATE_NS = 3_000_000;

  private static final EnumSet<Mark> WANTED =
      EnumSet.of(
          Mark.REGION_GRANTED_AGAIN,
          Mark.REGION_REUSED,
          Mark.REVOKED_UNUSED,
          Mark.RECORD_WRITTEN_AGAIN,
          Mark.PEER_REPLACED,
          Mark.KEY_ROTATED,
          Mark.DUPLICATE_DROPPED,
          Mark.PACKET_NOT_AUTHENTIC,
          Mark.PACKET_LOST,
          Mark.CHUNK_RETRANSMITTED,
          Mark.BODY_SENT,
          Mark.CRASH);

  private static NetworkSettings network(Draws draws) {
    DamageSettings damage =
        new DamageSettings(
            (int) draws.below(0, 0, MOST_PPM),
            (int) draws.below(0, 1, MOST_PPM),
            draws.below(0, 2, MOST_LATE_NS),
            (int) draws.below(0, 3, MOST_PPM),
            (int) draws.below(0, 4, MOST_PPM / 8));
    LinkSettings link =
        LinkSettings.clean(DELAY_NS)
            .withDelay(new DelaySettings(DELAY_NS, draws.below(0, 5, DELAY_NS), 0, 0, false))
            .withLoss(LossSettings.random((int) draws.below(0, 6, MOST_PPM)))
            .withDamage(damage);
    return NetworkSettings.clean(DELAY_NS).withLink(link);
  }

  private static TransportSettings settings(Draws draws) {
    long regions = draws.between(1, 0, 1, 4);
    long budget = draws.between(1, 1, 1, 4) * 64;
    long packets = draws.between(1, 2, 1_024, 2_000);
    return SimTransportSettings.parse(
        "millrace { crypto.packets-per-key = "
            + packets
            + ", regions { sizes = [64 KiB], counts = ["
            + regions
            + "], grant-budget = "
            + budget
            + " KiB, per-peer = 256 KiB, idle-revoke = "
            + draws.between(1, 3, 1, 5)
            + " ms, quarantine = "
            + draws.between(1, 4, 0, 3)
            + " ms } }");
  }

  private static void run(long seed, Coverage coverage) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed)) {
            Draws draws = simulation.draws("test.swarm");
            TransportSettings settings = settings(draws);
            OracleNodes nodes = new OracleNodes(simulation, network(draws));
            nodes.start(Oracles.standard(nodes.cluster, coverage), settings).exchange(40);
            if (draws.below(2, 0, 2) == 0) {
              nodes.runFor(draws.below(2, 1, 20_000_000));
              nodes.cluster.node(1).crash();
              nodes.runFor(draws.below(2, 2, 20_000_000));
              nodes.reboot(1, settings);
              nodes.exchange(10);
            }
            nodes.awaitCalls();
            nodes.finish();
            return null;
          }
        });
  }

  @Test
  void shouldHoldForEverySeedAndGoWhereItMatters() throws Exception {
    Coverage coverage = new Coverage();
    for (long seed = 1; seed <= SEEDS; seed++) {
      run(seed, coverage);
      if (seed >= FEWEST_SEEDS && coverage.missing(WANTED).isEmpty()) {
        break;
      }
    }
    assertEquals(List.of(), coverage.missing(WANTED), coverage::toString);
  }
}
