package io.millrace.api;

import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.failure;
import static io.millrace.api.StreamChecks.materializer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.ActorAttributes;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.Supervision;
import org.apache.pekko.stream.UniqueKillSwitch;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls as a flow: the order, the number under way, and the end of all calls with their stream. */
@Timeout(120)
class UnaryFlowTest {
  private static final RouteId ROUTE = RouteId.of("held");
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int PARALLELISM = 4;

  /**
   * Serves calls; returns the open answers of the peer's handlers, by the number in the request.
   */
  private static Map<Integer, CompletableFuture<UnaryResponse>> serve(NodePair nodes) {
    Map<Integer, CompletableFuture<UnaryResponse>> held = new ConcurrentHashMap<>();
    Raw.serve(
        nodes.server(),
        ROUTE,
        call -> held.computeIfAbsent((int) call.payload()[0], _ -> new CompletableFuture<>()));
    Raw.serve(
        nodes.server(),
        ECHO,
        call -> CompletableFuture.completedStage(UnaryResponse.of(call.payload())));
    return held;
  }

  private static UnaryRequest request(int number) {
    return UnaryRequest.of(ROUTE, new byte[] {(byte) number});
  }

  private static Source<UnaryRequest, NotUsed> requests(int count) {
    return Source.range(0, count - 1).map(UnaryFlowTest::request);
  }

  /**
   * Waits for this number of handlers; checks that no further handler runs before the answer of a
   * later call.
   */
  private static void awaitHeld(NodePair nodes, Map<?, ?> held, int count) throws Exception {
    assertTrue(nodes.awaitUntil(() -> held.size() >= count), () -> held.size() + " are held");
    nodes.await(Raw.unary(nodes.peer(), ECHO, new byte[1]));
    assertEquals(count, held.size());
  }

  private static void assertEnded(
      NodePair nodes, PatternWorld world, Map<Integer, CompletableFuture<UnaryResponse>> held) {
    assertTrue(
        nodes.awaitUntil(() -> held.values().stream().allMatch(CompletableFuture::isDone)),
        () -> "the peer goes on with some of " + held);
    Remains.awaitNone(nodes, world);
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldAnswerInOrderWithSoManyUnderWay(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Map<Integer, CompletableFuture<UnaryResponse>> held = serve(nodes);
          int batches = 5;
          CompletionStage<List<Integer>> got =
              requests(batches * PARALLELISM)
                  .via(Raw.unaryFlow(nodes.peer(), PARALLELISM))
                  .map(response -> (int) response.payload()[0])
                  .runWith(Sink.seq(), materializer(nodes.client()));

          for (int batch = 1; batch <= batches; batch++) {
            awaitHeld(nodes, held, batch * PARALLELISM);
            for (int number = batch * PARALLELISM; number-- > (batch - 1) * PARALLELISM; ) {
              future(held, number).complete(UnaryResponse.of(new byte[] {(byte) number}));
            }
          }

          List<Integer> all = IntStream.range(0, batches * PARALLELISM).boxed().toList();
          assertEquals(all, await(nodes, got));
          assertFalse(held.values().stream().anyMatch(CompletableFuture::isCancelled));
          Remains.awaitNone(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldEndItsCallsWhenItIsCancelled(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Map<Integer, CompletableFuture<UnaryResponse>> held = serve(nodes);
          UniqueKillSwitch ending =
              requests(100)
                  .via(Raw.unaryFlow(nodes.peer(), PARALLELISM))
                  .viaMat(KillSwitches.single(), Keep.right())
                  .to(Sink.ignore())
                  .run(materializer(nodes.client()));
          awaitHeld(nodes, held, PARALLELISM);

          ending.shutdown();

          assertEnded(nodes, world, held);
          assertTrue(held.values().stream().allMatch(CompletableFuture::isCancelled));
          assertEquals(PARALLELISM, held.size());
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldEndItsCallsWhenTheRequestsFail(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Map<Integer, CompletableFuture<UnaryResponse>> held = serve(nodes);
          CompletableFuture<UnaryRequest> last = new CompletableFuture<>();
          CompletionStage<?> end =
              requests(PARALLELISM - 1)
                  .concat(Source.completionStage(last))
                  .via(Raw.unaryFlow(nodes.peer(), PARALLELISM))
                  .runWith(Sink.ignore(), materializer(nodes.client()));
          awaitHeld(nodes, held, PARALLELISM - 1);

          IllegalStateException dry = new IllegalStateException("the well is dry");
          last.completeExceptionally(dry);

          ExecutionException failed =
              assertThrows(ExecutionException.class, () -> await(nodes, end));
          assertEquals(dry, failed.getCause());
          assertEnded(nodes, world, held);
          assertTrue(held.values().stream().allMatch(CompletableFuture::isCancelled));
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldEndTheOthersWhenOneFails(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Map<Integer, CompletableFuture<UnaryResponse>> held = serve(nodes);
          CompletionStage<?> end =
              requests(100)
                  .via(Raw.unaryFlow(nodes.peer(), PARALLELISM))
                  .runWith(Sink.ignore(), materializer(nodes.client()));
          awaitHeld(nodes, held, PARALLELISM);

          future(held, 2).completeExceptionally(new IllegalStateException("not today"));

          CallException failed = failure(nodes, end);
          assertEquals(CallOutcome.HANDLER_FAILED, failed.outcome());
          assertEnded(nodes, world, held);
          assertEquals(
              List.of(0, 1, 3),
              held.keySet().stream()
                  .filter(each -> future(held, each).isCancelled())
                  .sorted()
                  .toList());
        });
  }

  /** The attributes of the flow apply to failed calls and to calls that cannot begin. */
  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldGoOnAfterAFailureIfToldTo(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Map<Integer, CompletableFuture<UnaryResponse>> held = serve(nodes);
          byte[] tooLong = new byte[100_000];
          UnaryRequest refused =
              new UnaryRequest(ROUTE, new byte[1], TransferOptions.DEFAULTS.withHeaders(tooLong));
          Flow<UnaryRequest, UnaryResponse, NotUsed> calls =
              Raw.unaryFlow(nodes.peer(), PARALLELISM)
                  .withAttributes(
                      ActorAttributes.withSupervisionStrategy(Supervision.getResumingDecider()));
          CompletionStage<List<UnaryResponse>> got =
              Source.from(List.of(refused, request(1), request(2)))
                  .via(calls)
                  .runWith(Sink.seq(), materializer(nodes.client()));
          awaitHeld(nodes, held, 2);

          future(held, 1).completeExceptionally(new IllegalStateException("not today"));
          future(held, 2).complete(UnaryResponse.of(new byte[] {2}));

          assertEquals(1, await(nodes, got).size());
        });
  }

  private static CompletableFuture<UnaryResponse> future(
      Map<Integer, CompletableFuture<UnaryResponse>> held, int number) {
    return Objects.requireNonNull(held.get(number), () -> "no call " + number);
  }
}
