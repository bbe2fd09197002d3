package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One peer reads as many bodies as possible and takes no bytes; another peer's transfers go on. */
@Timeout(120)
final class MemorySharesTest {
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final int SERVER = 0;
  private static final int GREEDY = 1;
  private static final int MODEST = 2;
  private static final int GREEDY_READS = 40;
  private static final int BYTES = 1 << 20;
  private static final TransportSettings SETTINGS =
      SimTransportSettings.parse(
          "millrace.transfers { buffer-pool = 2 MiB, buffer-pool-per-peer = 1 MiB }");

  private final List<StalledTarget> stalled = new ArrayList<>();
  private final List<CompletableFuture<BulkReceipt>> reads = new ArrayList<>();

  private static SimulatedCluster cluster(Simulation simulation) {
    return new SimulatedCluster(
        simulation, 3, NetworkSettings.clean(100_000), null, SETTINGS, new byte[BYTES]);
  }

  private void readMuch(SimulatedCluster nodes) {
    for (int i = 0; i < GREEDY_READS; i++) {
      StalledTarget target = new StalledTarget(i, 1, false);
      stalled.add(target);
      reads.add(
          Raw.bulkRead(
              nodes.peer(GREEDY, SERVER),
              SimulatedCluster.FETCH,
              target,
              TransferOptions.DEFAULTS));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldLeaveOthersTheirMemory(boolean isPaused) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            SimulatedCluster nodes = cluster(simulation);
            readMuch(nodes);
            simulation.runFor(SECOND_NS);
            if (isPaused) {
              nodes.cluster.node(GREEDY).pause(10 * SECOND_NS);
            }
            long used = nodes.transport(SERVER).snapshot().buffers().usedBytes();
            assertTrue(used > 0 && used <= BYTES, used + " bytes");

            for (int i = 0; i < 4; i++) {
              BodyTest.Collector target = new BodyTest.Collector();
              nodes.await(
                  Raw.bulkRead(
                      nodes.peer(MODEST, SERVER),
                      SimulatedCluster.FETCH,
                      target,
                      TransferOptions.DEFAULTS),
                  SECOND_NS);
            }
            assertFalse(reads.stream().anyMatch(CompletableFuture::isDone));
          }
          return null;
        });
  }

  @Test
  void shouldServeAllOfWhatWaitsWhenItsPeerGoesOn() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            SimulatedCluster nodes = cluster(simulation);
            readMuch(nodes);
            simulation.runFor(SECOND_NS);
            assertEquals(0, reads.stream().filter(CompletableFuture::isDone).count());
            stalled.forEach(StalledTarget::letGo);
            for (CompletableFuture<BulkReceipt> read : reads) {
              nodes.await(read, 60 * SECOND_NS);
            }
            assertTrue(
                simulation.runUntil(
                    () -> nodes.transport(SERVER).snapshot().buffers().usedBytes() == 0,
                    simulation.nowNs() + SECOND_NS),
                "memory was not given back");
          }
          return null;
        });
  }
}
