package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.testkit.Repetitions;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bodies with targets that take no bytes for any length of time. Each stalled body keeps one
 * region, and all other transfers between the same peers go on. When the bodies go on, too, every
 * byte is right, and no resources are left.
 */
@Timeout(240)
class StalledBodiesTest {
  private static final RouteId STALLED = RouteId.of("stalled");
  private static final RouteId ECHO = RouteId.of("mirror");
  private static final int STALLED_BYTES = 1_000_001;
  private static final int OTHER_BYTES = 2_000_001;
  private static final int CALL_BYTES = 100_000;
  private static final int CALLS = 12;
  private static final int OTHER = 1_000;
  private static final int FIRST = 2;
  private static final int LAST = 6;
  private static final int THREADS = 16;

  /** The kinds of stalling transfers. */
  enum Kind {
    WRITES,
    READS,
    MIXED;

    boolean isRead(int body) {
      return this == READS || this == MIXED && body % 2 == 1;
    }
  }

  private static Stream<Arguments> all() {
    boolean isSoak = Repetitions.factor() > 1;
    Integer[] counts = isSoak ? new Integer[] {2, 4, 14} : new Integer[] {2, 14};
    return Combinations.dealt(Kind.values(), counts, StallWorld.values());
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldHoldBackNothingButThemselves(Kind kind, int count, StallWorld world) throws Exception {
    world.run(
        nodes -> {
          Bodies bodies = new Bodies(nodes, false);
          List<CompletableFuture<BulkReceipt>> stalled =
              IntStream.range(0, count).mapToObj(id -> bodies.begin(kind.isRead(id), id)).toList();
          assertTrue(nodes.awaitUntil(() -> bodies.areStuck(count)), "all of them are stuck");
          for (int round = 0; round < 2; round++) {
            bodies.exchangeOthers(round);
          }
          stalled.forEach(each -> assertFalse(each.isDone(), "it waits for its target"));
          bodies.letGo();
          for (CompletableFuture<BulkReceipt> each : stalled) {
            assertEquals(STALLED_BYTES, nodes.await(each).bytes());
          }
          bodies.exchangeOthers(2);
          bodies.assertWhole(count);
          awaitNothingLeft(nodes, world);
        });
  }

  /** Each body begins after the previous body has stalled, with all free memory available. */
  @ParameterizedTest
  @MethodSource("worlds")
  void shouldHoldBackNothingThoughTheyStallOneByOne(StallWorld world) throws Exception {
    world.run(
        nodes -> {
          Bodies bodies = new Bodies(nodes, false);
          List<CompletableFuture<BulkReceipt>> stalled = new ArrayList<>();
          for (int id = 0; id < StallWorld.REGIONS - 2; id++) {
            stalled.add(bodies.begin(false, id));
            int begun = id + 1;
            assertTrue(nodes.awaitUntil(() -> bodies.areStuck(begun)), "it is stuck");
            bodies.call(id);
          }
          bodies.exchangeOthers(0);
          bodies.letGo();
          for (CompletableFuture<BulkReceipt> each : stalled) {
            assertEquals(STALLED_BYTES, nodes.await(each).bytes());
          }
          bodies.assertWhole(stalled.size());
          awaitNothingLeft(nodes, world);
        });
  }

  /** A target may keep its thread, as long as further threads are free. */
  @Test
  void shouldHoldBackNothingThoughTheirTargetsBlock() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (TwoNodes nodes =
        new TwoNodes(
            StallWorld.SETTINGS,
            builder -> builder.executor(threads, THREADS),
            builder -> builder.executor(threads, THREADS))) {
      Bodies bodies = new Bodies(nodes, true);
      List<CompletableFuture<BulkReceipt>> stalled =
          IntStream.range(0, 4).mapToObj(id -> bodies.begin(false, id)).toList();
      assertTrue(nodes.awaitUntil(() -> bodies.areStuck(4)), "all of them are stuck");
      for (int round = 0; round < 2; round++) {
        bodies.exchangeOthers(round);
      }
      bodies.letGo();
      for (CompletableFuture<BulkReceipt> each : stalled) {
        assertEquals(STALLED_BYTES, nodes.await(each).bytes());
      }
      bodies.assertWhole(4);
      awaitNothingLeft(nodes, StallWorld.UDP_NIO);
    } finally {
      threads.shutdownNow();
    }
  }

  private static Stream<StallWorld> worlds() {
    return TestWorld.chosen(StallWorld.values()).stream();
  }

  /** Bodies between two nodes, by number. */
  private static final class Bodies {
    private final NodePair nodes;
    private final boolean isBlocking;
    private final List<StalledTarget> targets = new ArrayList<>();
    private final List<StalledTarget> others = new ArrayList<>();

    Bodies(NodePair nodes, boolean isBlocking) {
      this.nodes = nodes;
      this.isBlocking = isBlocking;
      Raw.serveBulkWrites(
          nodes.server(),
          STALLED,
          offer -> CompletableFuture.completedFuture(target(id(offer.headers().encode()))));
      Raw.serveBulkReads(
          nodes.server(),
          STALLED,
          offer -> {
            int id = id(offer.headers().encode());
            return CompletableFuture.completedFuture(KnownSource.free(id, bytes(id), true));
          });
      // Served on the worker, where no call waits for blocked threads.
      Raw.serveOnWorker(
          nodes.server(),
          ECHO,
          call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
    }

    private static int id(byte[] headers) {
      return (int) KnownBytes.toLong(headers);
    }

    private static int bytes(int id) {
      return id >= OTHER ? OTHER_BYTES : STALLED_BYTES;
    }

    private synchronized StalledTarget target(int id) {
      // The targets are full at different points: from the start, between records, or between
      // fills.
      long most = id >= OTHER ? Long.MAX_VALUE : id % 3 * 65_536L;
      StalledTarget target = new StalledTarget(id, most, isBlocking);
      (id >= OTHER ? others : targets).add(target);
      return target;
    }

    CompletableFuture<BulkReceipt> begin(boolean isRead, int id) {
      TransferOptions options =
          new TransferOptions(id % 2 == 0 ? FIRST : LAST, KnownBytes.ofLong(id));
      return isRead
          ? Raw.bulkRead(nodes.peer(), STALLED, target(id), options)
          : Raw.bulkWrite(nodes.peer(), STALLED, KnownSource.free(id, bytes(id), true), options);
    }

    /** Whether this number of bodies has met a full target. */
    synchronized boolean areStuck(int count) {
      return targets.stream().filter(StalledTarget::wasFull).count() == count;
    }

    void call(int id) throws Exception {
      byte[] payload = KnownBytes.of(id, CALL_BYTES);
      assertArrayEquals(payload, nodes.await(Raw.unary(nodes.peer(), ECHO, payload)).payload());
    }

    void exchangeOthers(int round) throws Exception {
      List<CompletableFuture<BulkReceipt>> bulk = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        bulk.add(begin(!isBlocking && i % 2 == 0, OTHER + 4 * round + i));
      }
      for (int i = 0; i < CALLS; i++) {
        call(i);
      }
      for (CompletableFuture<BulkReceipt> each : bulk) {
        assertEquals(OTHER_BYTES, nodes.await(each).bytes());
      }
    }

    synchronized void letGo() {
      targets.forEach(StalledTarget::letGo);
    }

    synchronized void assertWhole(int count) {
      assertEquals(count, targets.size());
      targets.forEach(each -> each.assertWhole(STALLED_BYTES));
      others.forEach(each -> each.assertWhole(OTHER_BYTES));
    }
  }

  private static void awaitNothingLeft(NodePair nodes, StallWorld world) {
    for (Transport node : List.of(nodes.client(), nodes.server())) {
      AtomicReference<List<String>> seen = new AtomicReference<>(List.of());
      assertTrue(
          nodes.awaitUntil(
              () -> {
                seen.set(world.left(node));
                return seen.get().isEmpty();
              }),
          () -> "still there: " + seen.get());
    }
  }
}
