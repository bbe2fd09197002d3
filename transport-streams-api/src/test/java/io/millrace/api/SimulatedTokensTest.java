package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.body.ArraySource;
import io.millrace.ends.PathCounters;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.NetworkSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Write tokens between whole transports: the effect of the token settings on a transfer. */
final class SimulatedTokensTest {
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final long MS = 1_000_000;
  private static final long DELAY_NS = 10 * MS;
  private static final int BODY_BYTES = 5_000;
  private static final int READ_BYTES = 300_000;
  private static final byte[] PAYLOAD = BodyTest.random(4 * BODY_BYTES, 1);

  private static final String ROOM =
      "millrace.regions { counts = [16, 2], grant-budget = 1 MiB, per-peer = 1 MiB }\n";

  private static final String WIDE =
      """
      millrace {
        transfers { buffer-pool = 4 MiB, window = 1 MiB }
        regions { sizes = [64 KiB, 256 KiB], counts = [16, 16], grant-budget = 2 MiB, per-peer = 2 MiB }
      }
      """;

  /** The default regions and buffers of a node. */
  private static final String USUAL =
      """
      millrace {
        transfers { buffer-pool = 64 MiB, window = 4 MiB }
        regions { sizes = [64 KiB, 256 KiB], counts = [128, 96], grant-budget = 2 MiB, per-peer = 8 MiB }
      }
      """;

  /** The result of a burst: the duration, and the counters of both sides. */
  private record Burst(
      long tookNs, long requestsAhead, long grantedAhead, long revoked, long rejected) {}

  /** Creates two nodes, {@link #DELAY_NS} apart. */
  private static SimulatedCluster cluster(
      Simulation simulation, boolean isFabric, String overrides, byte[] kept) {
    return new SimulatedCluster(
        simulation,
        2,
        NetworkSettings.clean(DELAY_NS),
        isFabric ? FabricSettings.DEFAULT : null,
        SimTransportSettings.parse(overrides),
        kept);
  }

  private static CompletableFuture<BulkReceipt> write(SimulatedCluster nodes, int at) {
    return Raw.bulkWrite(
        nodes.peer(0, 1),
        SimulatedCluster.STORE,
        new ArraySource(PAYLOAD, at * BODY_BYTES, BODY_BYTES),
        TransferOptions.DEFAULTS);
  }

  /** Sends sixty bodies one by one, and after a while a burst of bodies at once. */
  private static Burst burst(int bodies, String overrides) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            SimulatedCluster nodes = cluster(simulation, false, ROOM + overrides, PAYLOAD);
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

  /**
   * Makes two reads on a path without tokens. Returns the duration of the first read in ns, the
   * number of tokens granted ahead of need, and the number of requests for tokens ahead of need.
   */
  private static List<Long> read(boolean isFabric, long expectedBytes) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            SimulatedCluster nodes =
                cluster(simulation, isFabric, WIDE, BodyTest.random(READ_BYTES, 2));
            nodes.await(
                Raw.unary(nodes.peer(0, 1), SimulatedCluster.ECHO, new byte[1]), 10 * SECOND_NS);
            long startNs = simulation.nowNs();
            fetch(nodes, expectedBytes);
            long tookNs = simulation.nowNs() - startNs;
            fetch(nodes, expectedBytes);
            PathCounters reader = nodes.transport(0).pool().port(0).counters();
            return List.of(tookNs, reader.tokensGrantedAhead, reader.requestsAhead);
          }
        });
  }

  private static void fetch(SimulatedCluster nodes, long expectedBytes) throws Exception {
    byte[] bytes = new byte[READ_BYTES];
    nodes.await(
        Raw.bulkRead(
            nodes.peer(0, 1),
            SimulatedCluster.FETCH,
            BulkTarget.into(bytes),
            TransferOptions.DEFAULTS.withExpectedResponseBytes(expectedBytes)),
        10 * SECOND_NS);
    assertArrayEquals(BodyTest.random(READ_BYTES, 2), bytes);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSaveAnExpectedResponseTheRoundTripForTokens(boolean isFabric) throws Exception {
    List<Long> without = read(isFabric, 0);
    List<Long> with = read(isFabric, READ_BYTES);
    assertEquals(0, without.get(1));
    assertEquals(2, with.get(1), "300 KB lie in two regions of 256 KiB, and again");
    assertEquals(0, with.get(2));
    long savedNs = without.getFirst() - with.getFirst();
    assertTrue(savedNs >= 2 * DELAY_NS - MS && savedNs < 4 * DELAY_NS, () -> without + " " + with);
    assertEquals(0, read(isFabric, 1_000).get(1), "a datagram needs no memory");
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

  /** Returns the durations in ns of bulk writes of this length, one after the other. */
  private static List<Long> writesInARow(int bytes, String settings) throws Exception {
    byte[] payload = BodyTest.random(bytes, 3);
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            SimulatedCluster nodes = cluster(simulation, false, settings, payload);
            List<Long> tookNs = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
              long startNs = simulation.nowNs();
              CompletableFuture<BulkReceipt> write =
                  Raw.bulkWrite(
                      nodes.peer(0, 1),
                      SimulatedCluster.STORE,
                      new ArraySource(payload, 0, bytes),
                      TransferOptions.DEFAULTS);
              assertEquals(bytes, nodes.await(write, 10 * SECOND_NS).bytes());
              tookNs.add(simulation.nowNs() - startNs);
            }
            return tookNs;
          }
        });
  }

  /**
   * Returns the durations of the third and later calls in round trips; an excess of more than a
   * millisecond counts as a further round trip.
   */
  private static List<Long> warmRoundTrips(int bytes, String overrides) throws Exception {
    return writesInARow(bytes, overrides).stream()
        .skip(2)
        .map(tookNs -> Math.ceilDiv(tookNs - SECOND_NS / 1_000, 2 * DELAY_NS))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {20_000, 100_000, 300_000, 1_000_000})
  void shouldTakeOneRoundTripForWarmWritesOfAnySizeWithinTheGrantBudget(int bytes)
      throws Exception {
    assertEquals(Collections.nCopies(6, 1L), warmRoundTrips(bytes, USUAL));
  }

  /** Bytes beyond the receiver's budget may not be under way at once, so these bytes wait. */
  @Test
  void shouldTakeFurtherRoundTripsForWhatIsBeyondTheGrantBudget() throws Exception {
    assertEquals(3, Collections.min(warmRoundTrips(4_000_000, USUAL)));
    String wide = "millrace.regions.grant-budget = 8 MiB\n";
    assertEquals(Collections.nCopies(6, 1L), warmRoundTrips(4_000_000, USUAL + wide));
  }
}
