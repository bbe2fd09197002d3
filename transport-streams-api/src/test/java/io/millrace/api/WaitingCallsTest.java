package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.node.CallerLoop;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls without room wait, and go as soon as room is free. */
@Timeout(120)
class WaitingCallsTest {
  private static final RouteId ROUTE = RouteId.of("route");
  private static final int CALLS = 100_000;

  /** The number of futures open at once. */
  private static final int OPEN = 64;

  /**
   * The bytes that a round may leave on the heap: less than the places of half the round's calls.
   */
  private static final long LEAK_BYTES = 2 << 20;

  /**
   * The number of rounds. A leak grows in each round. Memory left on the heap by other tests does
   * not, and neither does memory allocated at first use, which was complete after six rounds.
   */
  private static final int ROUNDS = 8;

  @Test
  void shouldCompleteAHundredThousandCallsInTheOrderOfTheirPriorities() throws Exception {
    int[] arrivals = new int[CALLS];
    AtomicInteger arrived = new AtomicInteger();
    String few =
        "millrace { workers.submission-depth = 64, limits.executor-queue = %d }\n".formatted(OPEN)
            + "millrace.limits.admission-minimum = 0\n";
    try (ExecutorService executor = Executors.newSingleThreadExecutor();
        TwoNodes nodes =
            new TwoNodes(new World.Settings("", few), b -> b, b -> b.executor(executor, 1))) {
      Raw.serveOnWorker(
          nodes.server,
          ROUTE,
          call -> {
            arrivals[arrived.getAndIncrement()] = call.buffer().getInt(call.payloadOffset());
            call.reply(0, 0);
          });
      nodes.peer().connect().get(20, TimeUnit.SECONDS);
      // In the first round, most of the permanent memory grows.
      callAll(nodes, executor);
      List<Long> grown = new ArrayList<>();
      do {
        final long before = usedBytes();
        arrived.set(0);

        callAll(nodes, executor);

        assertEquals(CALLS, arrived.get());
        assertInOrder(arrivals);
        grown.add(usedBytes() - before);
      } while (grown.getLast() >= LEAK_BYTES && grown.size() < ROUNDS);
      assertTrue(grown.getLast() < LEAK_BYTES, () -> grown + " bytes are left");
    }
  }

  private static int priority(int call) {
    return 7 - call % 8;
  }

  /** Makes all calls of a round; the executor is blocked until all calls but the first wait. */
  private static void callAll(TwoNodes nodes, ExecutorService executor) throws Exception {
    CountDownLatch hold = new CountDownLatch(1);
    executor.execute(() -> await(hold));
    List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      byte[] payload = new byte[Integer.BYTES];
      ByteBuffer.wrap(payload).order(ByteOrder.nativeOrder()).putInt(i);
      TransferOptions options = TransferOptions.DEFAULTS.withPriority(priority(i));
      calls.add(Raw.unary(nodes.peer(), new UnaryRequest(ROUTE, payload, options)));
    }
    assertEquals(CallOutcome.EXPIRED, awaitExpired(nodes.peer()), "it came last and waits");
    hold.countDown();
    for (CompletableFuture<UnaryResponse> call : calls) {
      call.get(60, TimeUnit.SECONDS);
    }
  }

  /**
   * Returns the outcome of a call that needs no place on the executor, but must not overtake
   * earlier calls.
   */
  private static CallOutcome awaitExpired(Peer peer) throws Exception {
    CompletableFuture<CallOutcome> end = new CompletableFuture<>();
    TransferOptions options =
        TransferOptions.DEFAULTS.withPriority(7).withDeadline(Duration.ofMillis(20));
    Raw.unary(
        peer,
        new UnaryRequest(ROUTE, new byte[Integer.BYTES], options),
        new WorkerCompletion() {
          @Override
          public void onResponse(DirectBuffer buffer, int payloadOffset, int length) {
            end.complete(CallOutcome.OK);
          }

          @Override
          public void onFailure(CallException failure) {
            end.complete(failure.outcome());
          }
        });
    return end.get(60, TimeUnit.SECONDS);
  }

  /**
   * Checks the order: ahead of each arrived call, fewer than {@code OPEN} earlier calls are
   * missing.
   */
  private static void assertInOrder(int[] arrivals) {
    int[] waited =
        IntStream.range(OPEN, CALLS)
            .boxed()
            .sorted(Comparator.<Integer>comparingInt(WaitingCallsTest::priority))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] places = new int[CALLS];
    for (int place = 0; place < waited.length; place++) {
      places[waited[place]] = place;
    }
    int[] came = Arrays.stream(arrivals).filter(call -> call >= OPEN).toArray();
    for (int at = 0; at < came.length; at++) {
      int early = places[came[at]] - at;
      assertTrue(early < OPEN, "call " + came[at] + " came " + early + " places early");
    }
  }

  private static long usedBytes() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      memory.gc();
      least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  @Test
  void shouldWaitWithStreamsAndBulkWhileTheRingsAreFull() throws Exception {
    String driven = "millrace.workers { idle-strategy = CALLER_RUNS, submission-depth = 2 }";
    try (TwoNodes nodes = new TwoNodes(new World.Settings("", driven), b -> b, b -> b)) {
      Raw.serveBulkWrites(
          nodes.server,
          ROUTE,
          offer -> CompletableFuture.completedFuture(new BodyTest.Collector()));
      Raw.serveStreamingResponse(
          nodes.server,
          RouteId.of("stream"),
          call -> Raw.StreamingResponse.of(Source.single(new byte[1])));
      List<CompletableFuture<?>> all = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        all.add(
            Raw.bulkWrite(
                nodes.peer(),
                ROUTE,
                new ArraySource(new byte[10_000], 0, 10_000),
                TransferOptions.DEFAULTS));
        all.add(
            Raw.streamingResponse(nodes.peer(), UnaryRequest.of(RouteId.of("stream"), new byte[1]))
                .toMat(Sink.ignore(), Keep.right())
                .run(nodes.client.materializer())
                .toCompletableFuture());
      }
      CallerLoop loop = nodes.client.callerLoops().getFirst();
      CompletableFuture<Void> done =
          CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
      assertTrue(
          nodes.awaitUntil(
              () -> {
                loop.runTurn();
                return done.isDone();
              }));
      done.get();
    }
  }

  /** A client with two open calls, which the server does not answer. */
  private static final class Held implements AutoCloseable {
    private final TwoNodes nodes;
    private final AtomicInteger served = new AtomicInteger();
    private final CompletableFuture<UnaryResponse> answer = new CompletableFuture<>();
    private final List<CompletableFuture<UnaryResponse>> open;

    private Held(int room) throws Exception {
      String limits =
          "millrace.limits { executor-queue = 2, waiting-submissions = %d }".formatted(room);
      nodes = new TwoNodes(new World.Settings("", limits), b -> b, b -> b);
      Raw.serve(
          nodes.server,
          ROUTE,
          call -> {
            served.incrementAndGet();
            return answer;
          });
      open = List.of(call(), call());
      assertTrue(nodes.awaitUntil(() -> served.get() == 2));
    }

    private CompletableFuture<UnaryResponse> call() {
      return Raw.unary(nodes.peer(), ROUTE, new byte[1]);
    }

    @Override
    public void close() {
      nodes.close();
    }
  }

  @Test
  void shouldRefuseWhatTheRoomDoesNotHoldUntilOneLeaves() throws Exception {
    try (Held held = new Held(1)) {
      CompletableFuture<UnaryResponse> first = held.call();
      CompletableFuture<UnaryResponse> second = held.call();
      assertTrue(second.isDone());
      CallException failure = failure(second);
      assertEquals(CallOutcome.SUBMISSION_FULL, failure.outcome());
      assertEquals(
          "more calls wait for room than millrace.limits.waiting-submissions allows",
          failure.reason());

      assertTrue(first.cancel(true));
      List<CompletableFuture<UnaryResponse>> third = new ArrayList<>();
      assertTrue(
          held.nodes.awaitUntil(
              () -> {
                CompletableFuture<UnaryResponse> tried = held.call();
                third.add(tried);
                return !tried.isDone();
              }));
      held.answer.complete(UnaryResponse.of(new byte[1]));
      third.getLast().get(20, TimeUnit.SECONDS);
      assertEquals(3, held.served.get(), "one that was cancelled must not be sent");
    }
  }

  @Test
  void shouldExpireWhileItWaits() throws Exception {
    try (Held held = new Held(10)) {
      TransferOptions options = TransferOptions.DEFAULTS.withDeadline(Duration.ofMillis(50));
      CompletableFuture<UnaryResponse> waits =
          Raw.unary(held.nodes.peer(), new UnaryRequest(ROUTE, new byte[1], options));
      assertEquals(CallOutcome.EXPIRED, failure(waits).outcome());
      assertEquals(2, held.served.get());
    }
  }

  @Test
  void shouldRefuseWhatWaitsWhenTheNodeIsDrained() throws Exception {
    try (Held held = new Held(10)) {
      CompletableFuture<UnaryResponse> waits = held.call();
      var drained = held.nodes.client.drain(Duration.ofSeconds(30)).toCompletableFuture();
      assertEquals(CallOutcome.SHUTTING_DOWN, failure(waits).outcome());
      assertFalse(held.open.getFirst().isDone());
      held.answer.complete(UnaryResponse.of(new byte[1]));
      held.open.getLast().get(20, TimeUnit.SECONDS);
      assertTrue(drained.get(20, TimeUnit.SECONDS).isComplete());
    }
  }

  @Test
  void shouldFailWhatWaitsWhenTheTransportCloses() throws Exception {
    CompletableFuture<UnaryResponse> waits;
    try (Held held = new Held(10)) {
      waits = held.call();
    }
    assertEquals(CallOutcome.CLOSED, failure(waits).outcome());
  }

  private static CallException failure(CompletableFuture<UnaryResponse> call) {
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
    return assertInstanceOf(CallException.class, failure.getCause());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
