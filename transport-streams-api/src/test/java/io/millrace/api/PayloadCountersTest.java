package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkTarget;
import io.millrace.body.ArraySource;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The sender counts arrived payload once, after any number of retransmissions. */
final class PayloadCountersTest {
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final int CALLS = 50;
  private static final int CALL_BYTES = 100;
  private static final int LONG_CALL_BYTES = 40_000;
  private static final byte[] BULK = BodyTest.random(300_001, 1);
  private static final String ANSWER_TO_A_WRITE = String.valueOf(BULK.length);

  /** Returns the counters of two nodes after all payload has arrived. */
  private static List<WorkerSnapshot> exchange(int lossPpm) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(7)) {
            LinkSettings link = LinkSettings.clean(100_000).withLoss(LossSettings.random(lossPpm));
            SimulatedCluster nodes =
                new SimulatedCluster(
                    simulation, 2, NetworkSettings.clean(100_000).withLink(link), BULK);
            Peer peer = nodes.peer(0, 1);
            List<CompletableFuture<?>> all = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
              all.add(Raw.unary(peer, SimulatedCluster.ECHO, new byte[CALL_BYTES]));
            }
            all.add(Raw.unary(peer, SimulatedCluster.ECHO, new byte[LONG_CALL_BYTES]));
            all.add(
                Raw.bulkWrite(
                    peer,
                    SimulatedCluster.STORE,
                    new ArraySource(BULK, 0, BULK.length),
                    TransferOptions.DEFAULTS));
            all.add(
                Raw.bulkRead(
                    peer,
                    SimulatedCluster.FETCH,
                    BulkTarget.into(new byte[BULK.length]),
                    TransferOptions.DEFAULTS));
            for (CompletableFuture<?> each : all) {
              nodes.await(each, 30 * SECOND_NS);
            }
            simulation.runFor(2 * SECOND_NS);
            return List.of(snapshot(nodes, 0), snapshot(nodes, 1));
          }
        });
  }

  private static WorkerSnapshot snapshot(SimulatedCluster nodes, int node) {
    return nodes.transport(node).snapshot().workers().getFirst();
  }

  private static void assertAcknowledged(List<WorkerSnapshot> counted) {
    long calls = CALLS * CALL_BYTES + LONG_CALL_BYTES;
    long asked = calls + BULK.length;
    assertEquals(asked, counted.getFirst().transfers().payloadBytesAcknowledged());
    assertEquals(
        asked + ANSWER_TO_A_WRITE.length(),
        counted.getLast().transfers().payloadBytesAcknowledged());
  }

  @Test
  void shouldHaveSentWhatArrivedAndNoMoreOnACleanNetwork() throws Exception {
    List<WorkerSnapshot> counted = exchange(0);
    assertAcknowledged(counted);
    for (WorkerSnapshot each : counted) {
      assertEquals(
          each.transfers().payloadBytesAcknowledged(), each.transfers().payloadBytesSent());
      assertEquals(0, each.packets().lost());
      assertEquals(0, each.recovery().spuriousLosses());
    }
    assertEquals(counted.getFirst().packets().sent(), counted.getLast().packets().received());
    assertEquals(2, counted.getFirst().bodies().records().bodiesSent());
    assertEquals(
        counted.getFirst().bodies().records().fillsConsumed(),
        counted.getLast().bodies().records().notificationsSent());
  }

  @Test
  void shouldCountOnceWhatWasSentAgain() throws Exception {
    List<WorkerSnapshot> counted = exchange(100_000);
    assertAcknowledged(counted);
    for (WorkerSnapshot each : counted) {
      assertTrue(
          each.transfers().payloadBytesSent() > each.transfers().payloadBytesAcknowledged(),
          each::toString);
    }
    assertTrue(counted.getFirst().recovery().probeTimeouts() > 0, counted::toString);
  }
}
