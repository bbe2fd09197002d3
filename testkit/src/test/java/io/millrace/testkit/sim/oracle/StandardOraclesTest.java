package io.millrace.testkit.sim.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.sim.core.SimThread;
import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.net.LinkSettings;
import io.millrace.testkit.sim.net.LossSettings;
import io.millrace.testkit.sim.net.NetworkSettings;
import io.millrace.testkit.sim.node.SimTransportSettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is right breaks no rule. */
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
            Oracles standard = Oracles.standard(nodes.cluster);
            nodes.start(standard, SETTINGS).exchange(40).awaitCalls();
            assertEquals(0, nodes.failedCalls());
            nodes.finish();
            assertTrue(nonces.packets() > 2_000, nonces.packets() + " packets");
            assertTrue(nonces.records() > 50, nonces.records() + " records");
            assertTrue(replays.packets() > 2_000, replays.packets() + " packets");
            assertNotNull(simulation.trace());
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
            FencingOracle fencing = new FencingOracle(nodes.cluster);
            nodes.start(Oracles.standard(nodes.cluster), SETTINGS).exchange(40);
            simulation.runFor(500_000 * seed);
            nodes.cluster.node(1).crash();
            nodes.reboot(1, SETTINGS);
            nodes.exchange(10).awaitCalls();
            nodes.finish();
            assertEquals(1, fencing.replaced());
            return null;
          }
        });
  }
}
