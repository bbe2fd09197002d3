package io.millrace.testkit.internal.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.Oracle;
import java.util.List;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Correct runs break no rule. */
final class StandardOraclesTest {
  private static final long DELAY_NS = 50_000;
  private static final TransportSettings SETTINGS = SimTransportSettings.parse("");

  private static NetworkSettings lossy(int ppm) {
    LinkSettings link = LinkSettings.clean(DELAY_NS).withLoss(LossSettings.random(ppm));
    return NetworkSettings.clean(DELAY_NS).withLink(link);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldHoldOnALossyNetwork(long seed) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed)) {
            OracleNodes nodes = new OracleNodes(simulation, lossy(20_000));
            NonceOracle nonces = new NonceOracle(nodes.cluster);
            ReplayOracle replays = new ReplayOracle(nodes.cluster);
            Oracles standard = Oracles.standard(nodes.cluster, new Coverage());
            nodes.start(standard, SETTINGS).exchange(40).awaitCalls();
            assertEquals(0, nodes.failedCalls());
            nodes.finish();
            assertTrue(nonces.packets() > 2_000, nonces.packets() + " packets");
            assertTrue(nonces.records() > 50, nonces.records() + " records");
            assertTrue(replays.packets() > 2_000, replays.packets() + " packets");
            return null;
          }
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldHoldWhenANodeCrashesAndComesBack(long seed) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed)) {
            OracleNodes nodes = new OracleNodes(simulation, lossy(0));
            Coverage coverage = new Coverage();
            nodes.start(Oracles.standard(nodes.cluster, coverage), SETTINGS).exchange(40);
            simulation.runFor(500_000 * seed);
            nodes.cluster.node(1).crash();
            nodes.reboot(1, SETTINGS);
            nodes.exchange(10).awaitCalls();
            nodes.finish();
            assertEquals(1, coverage.hits(Coverage.Mark.PEER_REPLACED));
            return null;
          }
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldRepeatNothingOnACleanNetwork(long seed) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed)) {
            OracleNodes nodes = new OracleNodes(simulation, lossy(0));
            nodes.start(Oracles.clean(nodes.cluster, new Coverage()), SETTINGS).exchange(40);
            nodes.awaitCalls();
            nodes.finish();
            return null;
          }
        });
  }

  private static String trace(boolean isWatched) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(5)) {
            OracleNodes nodes = new OracleNodes(simulation, lossy(20_000));
            Oracle rules =
                isWatched ? Oracles.standard(nodes.cluster, new Coverage()) : Oracles.of(List.of());
            nodes.start(rules, SETTINGS).exchange(20).awaitCalls();
            nodes.finish();
            return simulation.trace().hex();
          }
        });
  }

  @Test
  void shouldChangeNothing() throws Exception {
    assertEquals(trace(false), trace(true));
  }

  @Test
  void shouldSeeWhatOutlivesItsTransport() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            OracleNodes nodes = new OracleNodes(simulation, lossy(0));
            Oracles rules = Oracles.standard(nodes.cluster, new Coverage());
            nodes.start(rules, SETTINGS).exchange(2).awaitCalls();
            assertTrue(String.valueOf(rules.unclosed()).contains("/millrace-0/worker-0"));
            nodes.finish();
            assertNull(rules.unclosed());

            Source.never().to(Sink.ignore()).run(nodes.cluster.node(1).system());
            nodes.runFor(OracleNodes.SECOND_NS);
            String left = String.valueOf(rules.unclosed());
            assertTrue(left.startsWith("n1") && left.contains("/StreamSupervisor-"), left);
            return null;
          }
        });
  }

  @Test
  void shouldSeeTheActorsOfATransport() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            OracleNodes nodes = new OracleNodes(simulation, lossy(0));
            nodes.start(Oracles.of(List.of()), SETTINGS).exchange(2).awaitCalls();
            List<String> actors = Actors.of(nodes.cluster.node(0).system());
            assertTrue(
                actors.stream().anyMatch(path -> path.contains("/millrace-0/worker-0")),
                actors::toString);
            return null;
          }
        });
  }
}
