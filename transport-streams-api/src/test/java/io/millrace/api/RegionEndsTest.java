package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.wire.RouteId;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A node that closes while peers write into its memory. The owner of the registrations ends the
 * registrations, after the notice to the peers and before the close of the endpoint; no new
 * registration follows.
 */
@Timeout(60)
class RegionEndsTest {
  private static final RouteId STORE = RouteId.of("store");
  private static final long DELAY_NS = 10_000;
  private static final long SECOND_NS = 1_000_000_000L;
  private static final int BULK_BYTES = 2_000_001;
  private static final TransportSettings SETTINGS =
      SimTransportSettings.parse("millrace.regions.quarantine = 1 ms");

  private static Transport.Builder builder(FullNode node) {
    return Transport.builder(SimCluster.settings(node.number(), SETTINGS))
        .environment(node.environment());
  }

  private static Transport receiver(FullNode node, RegistrationLog log) {
    Transport transport = builder(node).driver(log).start();
    Raw.serveBulkWrites(
        transport,
        STORE,
        offer -> CompletableFuture.completedFuture(new StalledTarget(0, 1, false)));
    return transport;
  }

  @Test
  void shouldEndAllRegistrationsBeforeTheEndpointIsClosed() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            FullCluster cluster =
                new FullCluster(
                    simulation, NetworkSettings.clean(DELAY_NS), FabricSettings.DEFAULT);
            cluster.add(2, NodeSettings.DEFAULT);
            cluster.nodes().forEach(FullNode::boot);
            FullNode node = cluster.node(1);
            RegistrationLog log =
                new RegistrationLog(Objects.requireNonNull(node.environment().driver()));
            closeWhileWritten(simulation, builder(cluster.node(0)).start(), receiver(node, log));

            assertEquals(RegistrationLog.CLOSED, log.lines.getLast());
            assertEquals(0, log.live(), () -> "still registered when it closed: " + log.lines);
            int ended = log.lines.size() - 1 - log.lines.lastIndexOf(RegistrationLog.REGISTERED);
            assertTrue(ended > 0, () -> "registered at the very end: " + log.lines);
          }
          return null;
        });
  }

  private static void closeWhileWritten(Simulation simulation, Transport sender, Transport receiver)
      throws Exception {
    var written =
        Raw.bulkWrite(
            sender.peer(SimCluster.handshakeAddress(1)),
            STORE,
            new ArraySource(new byte[BULK_BYTES], 0, BULK_BYTES),
            TransferOptions.DEFAULTS);
    var pool = receiver.pool();
    assertTrue(
        simulation.runUntil(
            () -> Objects.requireNonNull(pool.port(0).regions()).busyRegions() > 0,
            simulation.nowNs() + SECOND_NS));
    receiver.close();
    assertTrue(simulation.runUntil(written::isDone, simulation.nowNs() + SECOND_NS));
  }
}
