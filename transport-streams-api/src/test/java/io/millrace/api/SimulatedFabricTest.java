package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.body.ArraySource;
import io.millrace.ends.PathCounters;
import io.millrace.path.region.WorkerRegions;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.FabricCounters;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.DamageSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.testkit.sim.RetrySettings;
import io.millrace.transfer.BodyTarget;
import io.millrace.wire.RouteId;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults of a fabric, met by whole transports under virtual time. */
@Timeout(120)
final class SimulatedFabricTest {
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final long MS = 1_000_000;
  private static final long DELAY_NS = 10_000;
  private static final int BULK_BYTES = 2_000_001;
  private static final byte[] PAYLOAD = BodyTest.random(BULK_BYTES, 1);

  private interface Scenario {
    void run(SimulatedCluster nodes) throws Exception;
  }

  private static LinkSettings link(int lossPpm, long bytesPerSecond) {
    return LinkSettings.clean(DELAY_NS)
        .withLoss(LossSettings.random(lossPpm))
        .withRate(RateSettings.of(bytesPerSecond, Integer.MAX_VALUE));
  }

  /** Runs a scenario on three nodes; returns the hash of all events. */
  private static String run(
      long seed, LinkSettings link, FabricSettings fabric, String overrides, Scenario scenario)
      throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed)) {
            SimulatedCluster nodes =
                new SimulatedCluster(
                    simulation,
                    3,
                    NetworkSettings.clean(DELAY_NS).withLink(link),
                    fabric,
                    SimTransportSettings.parse(overrides),
                    PAYLOAD);
            scenario.run(nodes);
            return simulation.trace().hex();
          }
        });
  }

  private static CompletableFuture<BulkReceipt> write(SimulatedCluster nodes, int from, int to) {
    return Raw.bulkWrite(
        nodes.peer(from, to),
        SimulatedCluster.STORE,
        new ArraySource(PAYLOAD, 0, BULK_BYTES),
        TransferOptions.DEFAULTS);
  }

  private static PathCounters counters(SimulatedCluster nodes, int node) {
    return nodes.transport(node).pool().port(0).counters();
  }

  private static FabricCounters fabric(SimulatedCluster nodes) {
    return nodes.cluster.fabric().counters();
  }

  /** Checks that all used resources are free again: buffers, regions, registrations. */
  private static void assertNothingKept(SimulatedCluster nodes, int node) {
    var buffers = nodes.transport(node).pool().buffers();
    WorkerRegions regions = Objects.requireNonNull(nodes.transport(node).pool().port(0).regions());
    nodes.simulation.runUntil(
        () -> buffers.usedBytes() == 0 && regions.busyRegions() == 0,
        nodes.simulation.nowNs() + 30 * SECOND_NS);
    assertEquals(0, buffers.usedBytes());
    assertEquals(0, regions.busyRegions());
  }

  private static void assertStored(SimulatedCluster nodes, int bodies) {
    assertEquals(bodies, nodes.stored.size());
    nodes.stored.forEach(each -> assertArrayEquals(PAYLOAD, each.bytes.toByteArray()));
  }

  private static String exchange(long seed) throws Exception {
    return run(
        seed,
        link(20_000, 100_000_000),
        FabricSettings.DEFAULT,
        "",
        nodes -> {
          var writes = List.of(write(nodes, 0, 2), write(nodes, 1, 2), write(nodes, 2, 0));
          for (var each : writes) {
            assertEquals(BULK_BYTES, nodes.await(each, 60 * SECOND_NS).bytes());
          }
          assertStored(nodes, 3);
        });
  }

  @Test
  void shouldHaveOneTraceForEachSeed() throws Exception {
    String first = exchange(1);
    for (int i = 0; i < 5; i++) {
      assertEquals(first, exchange(1), "run " + i);
    }
    assertNotEquals(first, exchange(2));
  }

  /**
   * Two senders want the regions of one receiver, over slow links: a fill takes longer than the
   * time limit of an unused region.
   *
   * @return revocations, writes under void keys, late pieces, pieces in other holders' memory
   */
  private static long[] contend(long seed, int restMs) throws Exception {
    long[] seen = new long[4];
    run(
        seed,
        link(0, 10_000_000),
        FabricSettings.DEFAULT,
        "millrace.transfers.buffer-pool = 1 MiB\n"
            + "millrace.regions { counts = [6, 3], idle-revoke = 9 ms,"
            + " idle-timeout = 1 s,"
            + " quarantine = "
            + restMs
            + " ms }",
        nodes -> {
          var writes = List.of(write(nodes, 0, 2), write(nodes, 1, 2));
          for (var each : writes) {
            assertEquals(BULK_BYTES, nodes.await(each, 60 * SECOND_NS).bytes());
          }
          assertStored(nodes, 2);
          for (int node = 0; node < 3; node++) {
            assertNothingKept(nodes, node);
          }
          seen[0] = counters(nodes, 2).tokensRevoked;
          seen[1] = fabric(nodes).accessErrors;
          seen[2] = fabric(nodes).latePieces;
          seen[3] = fabric(nodes).foreignPieces;
        });
    return seen;
  }

  private static long[] contend(int restMs) throws Exception {
    long[] sum = new long[4];
    for (long seed = 1; seed <= 36; seed++) {
      long[] seen = contend(seed, restMs);
      for (int i = 0; i < sum.length; i++) {
        sum[i] += seen[i];
      }
    }
    return sum;
  }

  @Test
  void shouldWriteElsewhereWhatWasRevokedAndLetNothingLandInTheMemoryOfOthers() throws Exception {
    long[] seen = contend(100);
    assertTrue(seen[0] >= 8 && seen[1] >= 8 && seen[2] >= 8, Arrays.toString(seen));
    assertEquals(0, seen[3]);
  }

  /** The purpose of the rest period: without the rest, late pieces meet the next holder's bytes. */
  @Test
  void shouldFindWhatLandsInMemoryThatDidNotRest() throws Exception {
    long[] seen = contend(0);
    assertTrue(seen[3] > 0, Arrays.toString(seen));
  }

  /** A fill takes longer than the time limit of an idle region while other senders wait. */
  @Test
  void shouldComeToAnEndThoughEveryFillTakesTooLong() throws Exception {
    run(
        1,
        link(0, 10_000_000),
        FabricSettings.DEFAULT,
        "millrace.regions { idle-revoke = 3 ms, idle-timeout = 1 s, quarantine = 100 ms }",
        nodes -> {
          var writes = List.of(write(nodes, 0, 2), write(nodes, 1, 2));
          for (var each : writes) {
            assertEquals(BULK_BYTES, nodes.await(each, 60 * SECOND_NS).bytes());
          }
          assertStored(nodes, 2);
        });
  }

  @Test
  void shouldRepeatRecordsThatArrivedWrong() throws Exception {
    LinkSettings damaging = link(0, 0).withDamage(new DamageSettings(0, 0, 0, 50_000, 0));
    run(
        1,
        damaging,
        FabricSettings.DEFAULT,
        "",
        nodes -> {
          var write = write(nodes, 0, 2);
          assertEquals(BULK_BYTES, nodes.await(write, 60 * SECOND_NS).bytes());
          assertStored(nodes, 1);
          assertTrue(fabric(nodes).damagedPieces > 0);
          assertTrue(counters(nodes, 2).recordsNotAuthentic > 0);
          assertTrue(counters(nodes, 0).recordsRepeated > 0);
          assertNothingKept(nodes, 0);
          assertNothingKept(nodes, 2);
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldFailWritesToACrashedPeerAndReachItsNextLife(long seed) throws Exception {
    run(
        seed,
        link(0, 50_000_000),
        FabricSettings.DEFAULT,
        "",
        nodes -> {
          var lost = write(nodes, 0, 2);
          nodes.simulation.runUntil(
              () -> fabric(nodes).writes > 4, nodes.simulation.nowNs() + SECOND_NS);
          nodes.crash(2);
          assertThrows(ExecutionException.class, () -> nodes.await(lost, 60 * SECOND_NS));
          nodes.simulation.runFor(SECOND_NS);
          assertTrue(fabric(nodes).unreachable > 0);
          assertNothingKept(nodes, 0);
          nodes.restart(2);
          nodes.stored.clear();
          // The node gave the peer up, and looks for the peer because of the write.
          nodes.simulation.runFor(6 * SECOND_NS);
          var again = write(nodes, 0, 2);
          assertEquals(BULK_BYTES, nodes.await(again, 60 * SECOND_NS).bytes());
          assertStored(nodes, 1);
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldTakeBackTheRegionsOfACrashedSender(long seed) throws Exception {
    run(
        seed,
        link(0, 50_000_000),
        FabricSettings.DEFAULT,
        "millrace.regions.quarantine = 100 ms",
        nodes -> {
          var lost = write(nodes, 0, 2);
          nodes.simulation.runUntil(
              () -> fabric(nodes).writes > 4, nodes.simulation.nowNs() + SECOND_NS);
          assertFalse(lost.isDone());
          nodes.crash(0);
          var other = write(nodes, 1, 2);
          assertEquals(BULK_BYTES, nodes.await(other, 60 * SECOND_NS).bytes());
          assertArrayEquals(PAYLOAD, nodes.stored.getLast().bytes.toByteArray());
          nodes.simulation.runFor(20 * SECOND_NS);
          assertNothingKept(nodes, 2);
          assertEquals(0, fabric(nodes).foreignPieces);
          nodes.restart(0);
          var again = write(nodes, 0, 2);
          assertEquals(BULK_BYTES, nodes.await(again, 60 * SECOND_NS).bytes());
          assertArrayEquals(PAYLOAD, nodes.stored.getLast().bytes.toByteArray());
        });
  }

  /** Long enough that writes fail, too short for the path to end. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldGiveBackRegionsIntoWhichFailedWritesMayStillLand(boolean isAnswerCut)
      throws Exception {
    run(
        5,
        link(0, 50_000_000),
        FabricSettings.DEFAULT.withRetry(new RetrySettings(20_000, 20 * MS, 10_000, 10)),
        "millrace.regions.quarantine = 100 ms",
        nodes -> {
          var write = write(nodes, 0, 2);
          nodes.simulation.runUntil(
              () -> fabric(nodes).writes > 6, nodes.simulation.nowNs() + SECOND_NS);
          int from = isAnswerCut ? 2 : 0;
          nodes.cluster.network().cut(from, 2 - from);
          nodes.simulation.runFor(100 * MS);
          nodes.cluster.network().heal(from, 2 - from);
          assertEquals(BULK_BYTES, nodes.await(write, 5 * SECOND_NS).bytes());
          assertStored(nodes, 1);
          assertTrue(fabric(nodes).unreachable > 0);
          assertTrue(counters(nodes, 0).remoteWritesFailed > 0);
          assertTrue(counters(nodes, 2).tokensRevoked > 0);
          assertEquals(0, fabric(nodes).foreignPieces);
          assertEquals(0, counters(nodes, 2).recordsNotAuthentic);
          assertNothingKept(nodes, 0);
          assertNothingKept(nodes, 2);
          // All resources given back can be used again.
          nodes.stored.clear();
          assertEquals(BULK_BYTES, nodes.await(write(nodes, 0, 2), 5 * SECOND_NS).bytes());
        });
  }

  /**
   * The target stops in the middle: the node gives regions up while writes into the regions are
   * under way.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldNotReuseARegionBeforeAllWritesOfItEnded(long seed) throws Exception {
    RouteId stopping = RouteId.of("stopping");
    run(
        seed,
        link(0, 0),
        FabricSettings.DEFAULT.withPieces(4_096).withOvertaking(500_000, 5 * MS),
        "",
        nodes -> {
          Raw.serveBulkWrites(
              nodes.transport(2),
              stopping,
              offer -> CompletableFuture.completedFuture(new Stopping()));
          for (int i = 0; i < 5; i++) {
            var stopped =
                Raw.bulkWrite(
                    nodes.peer(0, 2),
                    stopping,
                    new ArraySource(PAYLOAD, 0, BULK_BYTES),
                    TransferOptions.DEFAULTS);
            var write = write(nodes, 0, 2);
            assertThrows(ExecutionException.class, () -> nodes.await(stopped, 60 * SECOND_NS));
            assertEquals(BULK_BYTES, nodes.await(write, 60 * SECOND_NS).bytes());
          }
          assertStored(nodes, 5);
          assertEquals(0, counters(nodes, 2).recordsNotAuthentic);
          assertEquals(0, fabric(nodes).latePieces);
          assertNothingKept(nodes, 0);
          assertNothingKept(nodes, 2);
        });
  }

  /** A target that takes a part and then throws. */
  private static final class Stopping implements BodyTarget {
    private int bytes;

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      bytes += length;
      if (bytes > 200_000) {
        throw new IOException("enough");
      }
    }

    @Override
    public void complete() {
      throw new IllegalStateException("it was to be stopped");
    }

    @Override
    public void abort(Throwable cause) {
      // The abort is expected.
    }
  }

  /** One side has no memory left to lock: the side receives or sends chunks. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldFallBackToChunksWhereMemoryIsNotRegistered(int refused) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(9)) {
            SimulatedCluster nodes =
                new SimulatedCluster(
                    simulation,
                    3,
                    NetworkSettings.clean(DELAY_NS),
                    FabricSettings.DEFAULT,
                    SimTransportSettings.parse(""),
                    PAYLOAD,
                    cluster -> cluster.fabric().registering(node -> node != refused));
            assertEquals(BULK_BYTES, nodes.await(write(nodes, 0, 2), 60 * SECOND_NS).bytes());
            assertEquals(BULK_BYTES, nodes.await(write(nodes, 0, 1), 60 * SECOND_NS).bytes());
            assertStored(nodes, 2);
            int written = refused == 0 ? 0 : BULK_BYTES;
            assertTrue(fabric(nodes).writeBytes >= written);
            assertTrue(fabric(nodes).writeBytes < 2 * BULK_BYTES);
            return null;
          }
        });
  }

  /** Revoked regions get no new registration, and the node grants the regions for chunks. */
  @Test
  void shouldGoOnWithChunksWhenMemoryCannotBeRegisteredAgain() throws Exception {
    run(
        1,
        link(0, 10_000_000),
        FabricSettings.DEFAULT,
        "millrace.regions { idle-revoke = 12 ms, idle-timeout = 1 s, quarantine = 100 ms }",
        nodes -> {
          nodes.cluster.fabric().registering(node -> node != 2);
          var writes = List.of(write(nodes, 0, 2), write(nodes, 1, 2), write(nodes, 0, 2));
          for (var each : writes) {
            assertEquals(BULK_BYTES, nodes.await(each, 60 * SECOND_NS).bytes());
          }
          assertStored(nodes, 3);
          assertTrue(counters(nodes, 2).tokensRevoked > 0);
          assertTrue(fabric(nodes).writeBytes < 3 * BULK_BYTES);
        });
  }
}
