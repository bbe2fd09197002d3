package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.actor.body.ArraySource;
import io.millrace.actor.peer.PathCounters;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.testkit.sim.core.SimThread;
import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.net.NetworkSettings;
import io.millrace.testkit.sim.node.SimTransportSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Write tokens between whole transports: what a setting of theirs changes for a transfer. */
final class SimulatedTokensTest {
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final long MS = 1_000_000;
  private static final long DELAY_NS = 10 * MS;
  private static final int BODY_BYTES = 5_000;
  private static final byte[] PAYLOAD = BodyTest.random(4 * BODY_BYTES, 1);

  private static final String ROOM =
      "millrace.regions { counts = [16, 2], grant-budget = 1 MiB, per-peer = 1 MiB }\n";

  /** What happened to a burst: how long it took, and what the sides counted. */
  private record Burst(
      long tookNs, long requestsAhead, long grantedAhead, long revoked, long rejected) {}

  private static CompletableFuture<BulkReceipt> write(SimulatedCluster nodes, int at) {
    return nodes
        .peer(0, 1)
        .bulkWrite(
            SimulatedCluster.STORE,
            new ArraySource(PAYLOAD, at * BODY_BYTES, BODY_BYTES),
            TransferOptions.DEFAULTS);
  }

  /** Sixty bodies one by one, and after a while some at once. */
  private static Burst burst(int bodies, String overrides) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            SimulatedCluster nodes =
                new SimulatedCluster(
                    simulation,
                    2,
                    NetworkSettings.clean(DELAY_NS),
                    null,
                    SimTransportSettings.parse(ROOM + overrides),
                    PAYLOAD);
            for (int i = 0; i < 60; i++) {
              nodes.await(write(nodes, i % 4), 10 * SECOND_NS);
            }
            simulation.runUntil(() -> false, simulation.nowNs() + 200 * MS);
            long startNs = simulation.nowNs();
            List<CompletableFuture<BulkReceipt>> writes = new ArrayList<>();
            for (int i = 0; i < bodies; i++) {
              writes.add(write(nodes, i));
            }
            for (CompletableFuture<BulkReceipt> each : writes) {
              assertEquals(BODY_BYTES, nodes.await(each, 10 * SECOND_NS).bytes());
            }
            long tookNs = simulation.nowNs() - startNs;
            PathCounters receiver = nodes.transport(1).pool().port(0).counters();
            return new Burst(
                tookNs,
                nodes.transport(0).pool().port(0).counters().requestsAhead,
                receiver.tokensGrantedAhead,
                receiver.tokensRevoked,
                receiver.writesRejected);
          }
        });
  }

  @Test
  void shouldSaveABurstTheRoundTripForTokensWhenTheyWereAskedForAhead() throws Exception {
    Burst without = burst(4, "");
    Burst with = burst(4, "millrace.transfers.prefetch = 256 KiB");
    assertEquals(0, without.requestsAhead);
    assertEquals(0, without.grantedAhead);
    assertTrue(with.requestsAhead > 0 && with.requestsAhead < 8, with::toString);
    assertTrue(with.grantedAhead >= 3 && with.grantedAhead <= 4, with::toString);
    long savedNs = without.tookNs - with.tookNs;
    assertTrue(savedNs >= 2 * DELAY_NS - MS && savedNs < 4 * DELAY_NS, () -> without + " " + with);
  }

  @Test
  void shouldLetGoOfTokensWhoseTimeIsOverAndAskAnew() throws Exception {
    Burst kept = burst(1, "");
    Burst gone = burst(1, "millrace.regions.idle-timeout = 240 ms");
    assertEquals(0, kept.revoked);
    long lostNs = gone.tookNs - kept.tookNs;
    assertTrue(lostNs >= 2 * DELAY_NS - MS && lostNs < 4 * DELAY_NS, () -> kept + " " + gone);
    assertEquals(0, gone.rejected, "nothing is written under a void token");
  }
}
