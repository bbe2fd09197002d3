package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.node.DrainReport;
import io.millrace.node.TransportException;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.SourceQueueWithComplete;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A draining node takes no new transfers, finishes the running transfers, and reports the remaining
 * transfers.
 */
@Timeout(120)
class DrainTest {
  private static final RouteId WAIT = RouteId.of("wait");
  private static final RouteId ANY = RouteId.of("any");
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final byte[] SMALL = new byte[10];
  private static final byte[] LARGE = BodyTest.random(200_000, 1);

  /**
   * Serves all patterns on {@link #ANY}, and calls of {@link #WAIT} with the result of the future.
   */
  private static void serve(Transport node, CompletableFuture<UnaryResponse> answer) {
    Raw.serve(node, WAIT, call -> answer);
    Raw.serve(
        node, ANY, call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
    Raw.serveBulkWrites(
        node, ANY, offer -> CompletableFuture.completedFuture(new BodyTest.Collector()));
    Raw.serveStreamingResponse(node, ANY, call -> Raw.StreamingResponse.of(Source.single(SMALL)));
  }

  /** Returns one call of each kind to the peer. */
  private static List<CompletionStage<?>> calls(Transport from, Peer peer) {
    return List.of(
        Raw.unary(peer, ANY, SMALL),
        Raw.unary(peer, ANY, LARGE),
        Raw.bulkWrite(peer, ANY, new ArraySource(LARGE, 0, LARGE.length), TransferOptions.DEFAULTS),
        Raw.streamingResponse(peer, UnaryRequest.of(ANY, SMALL))
            .toMat(Sink.ignore(), Keep.left())
            .run(from.materializer()),
        Raw.streamingResponse(peer, UnaryRequest.of(ANY, LARGE))
            .toMat(Sink.ignore(), Keep.left())
            .run(from.materializer()));
  }

  private static void assertRefused(NodePair nodes, Transport from, Peer peer) {
    for (CompletionStage<?> call : calls(from, peer)) {
      assertEquals(CallOutcome.SHUTTING_DOWN, StreamChecks.failure(nodes, call).outcome());
    }
  }

  private static long served(Transport node) {
    return node.snapshot().workers().getFirst().transfers().requestsServed();
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldTakeNothingNewAndFinishWhatRuns(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          CompletableFuture<UnaryResponse> answer = new CompletableFuture<>();
          serve(nodes.server(), answer);
          CompletableFuture<UnaryResponse> running = Raw.unary(nodes.peer(), WAIT, SMALL);
          assertTrue(nodes.awaitUntil(() -> served(nodes.server()) == 1));

          CompletableFuture<DrainReport> drained = nodes.server().drain(LONG).toCompletableFuture();
          assertTrue(nodes.awaitUntil(() -> isTold(nodes)), "the peer was not told");
          long before = served(nodes.server());
          assertRefused(nodes, nodes.client(), nodes.peer());
          assertEquals(before, served(nodes.server()), "what is refused at once was sent");
          assertFalse(drained.isDone());
          assertFalse(running.isDone());

          answer.complete(UnaryResponse.of(LARGE));
          assertArrayEquals(LARGE, nodes.await(running).payload());
          assertEquals(new DrainReport(0, 0, 0), nodes.await(drained));
          assertTrue(nodes.await(drained).isComplete());
          assertTrue(served(nodes.server()) >= before);
          assertTrue(nodes.await(nodes.server().drain(LONG).toCompletableFuture()).isComplete());
          Remains.awaitNone(nodes, world);
        });
  }

  /** Whether calls of the client fail without a message to the server. */
  private static boolean isTold(NodePair nodes) {
    long before = served(nodes.server());
    String end;
    try {
      end =
          nodes.await(
              Raw.unary(nodes.peer(), ANY, SMALL)
                  .handle((response, failure) -> String.valueOf(failure)));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    // A call may arrive before the worker has learned of the drain.
    return end.contains(CallOutcome.SHUTTING_DOWN.name()) && served(nodes.server()) == before;
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldLetHandlersCallUntilNobodyHasAnythingOpen(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          serve(nodes.client(), new CompletableFuture<>());
          CompletableFuture<Void> goOn = new CompletableFuture<>();
          Peer caller = nodes.server().peer(nodes.client().address());
          Raw.serve(
              nodes.server(),
              WAIT,
              call -> goOn.thenCompose(done -> Raw.unary(caller, ANY, call.payload())));
          CompletableFuture<UnaryResponse> running = Raw.unary(nodes.peer(), WAIT, LARGE);
          assertTrue(nodes.awaitUntil(() -> served(nodes.server()) == 1));

          CompletableFuture<DrainReport> drained = nodes.server().drain(LONG).toCompletableFuture();
          assertTrue(nodes.awaitUntil(() -> isTold(nodes)), "the peer was not told");
          goOn.complete(null);
          assertArrayEquals(LARGE, nodes.await(running).payload());
          assertTrue(nodes.await(drained).isComplete());
          assertRefused(nodes, nodes.server(), caller);
          Remains.awaitNone(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldSayWhatIsLeftWhenTheTimeIsOver(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          serve(nodes.server(), new CompletableFuture<>());
          CompletableFuture<UnaryResponse> running = Raw.unary(nodes.peer(), WAIT, SMALL);
          Peer back = nodes.server().peer(nodes.client().address());
          serve(nodes.client(), new CompletableFuture<>());
          CompletableFuture<UnaryResponse> own = Raw.unary(back, WAIT, SMALL);
          assertTrue(nodes.awaitUntil(() -> served(nodes.server()) == 1));
          assertTrue(nodes.awaitUntil(() -> served(nodes.client()) == 1));

          DrainReport left = nodes.await(nodes.server().drain(SHORT).toCompletableFuture());
          assertEquals(1, left.served());
          assertEquals(1, left.calls());
          assertTrue(left.undecidedPeers() >= 1);
          assertFalse(left.isComplete());
          assertEquals(left.served(), nodes.await(zero(nodes)).served());
          assertFalse(running.isDone());
          assertFalse(own.isDone());
          assertEquals(1, nodes.server().snapshot().workers().size());

          nodes.server().close();
          assertEquals(CallOutcome.CLOSED, StreamChecks.failure(nodes, own).outcome());
          assertEquals(CallOutcome.PEER_RESET, StreamChecks.failure(nodes, running).outcome());
        });
  }

  private static CompletableFuture<DrainReport> zero(NodePair nodes) {
    return nodes.server().drain(Duration.ZERO).toCompletableFuture();
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldWaitForAStreamUntilItsHandlerEndsIt(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          CompletableFuture<SourceQueueWithComplete<byte[]>> queue = new CompletableFuture<>();
          Raw.serveStreamingResponse(
              nodes.server(),
              ANY,
              call ->
                  Raw.StreamingResponse.of(
                      Source.<byte[]>queue(4, OverflowStrategy.backpressure())
                          .mapMaterializedValue(
                              made -> {
                                queue.complete(made);
                                return made;
                              })));
          CompletionStage<List<byte[]>> elements =
              Raw.streamingResponse(nodes.peer(), UnaryRequest.of(ANY, SMALL))
                  .runWith(Sink.seq(), nodes.client().materializer());
          nodes.await(nodes.await(queue).offer(SMALL).toCompletableFuture());

          CompletableFuture<DrainReport> drained = nodes.server().drain(LONG).toCompletableFuture();
          nodes.await(nodes.await(queue).offer(LARGE).toCompletableFuture());
          assertFalse(drained.isDone());
          nodes.await(queue).complete();
          assertEquals(2, StreamChecks.await(nodes, elements).size());
          assertTrue(nodes.await(drained).isComplete());
          Remains.awaitNone(nodes, world);
        });
  }

  @Test
  void shouldTellWhoWaitsWhenTheNodeIsClosed() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      serve(nodes.server, new CompletableFuture<>());
      CompletableFuture<UnaryResponse> running = Raw.unary(nodes.peer(), WAIT, SMALL);
      assertTrue(nodes.awaitUntil(() -> served(nodes.server) == 1));
      CompletableFuture<DrainReport> drained = nodes.server.drain(LONG).toCompletableFuture();
      assertTrue(nodes.awaitUntil(() -> nodes.clientEvents().count("PeerDraining") == 1));
      String address = nodes.server.address();
      CallException refused = StreamChecks.failure(nodes, Raw.unary(nodes.peer(), ANY, SMALL));
      assertEquals(CallOutcome.SHUTTING_DOWN, refused.outcome());
      assertEquals(address + " is about to shut down, and takes no more", refused.reason());
      nodes.server.close();
      assertFalse(nodes.await(drained).isComplete());
      CallException cut = StreamChecks.failure(nodes, running);
      assertEquals(CallOutcome.PEER_RESET, cut.outcome());
      assertEquals(address + " shut down", cut.reason());
      ExecutionException late =
          assertThrows(
              ExecutionException.class,
              () -> nodes.await(nodes.server.drain(SHORT).toCompletableFuture()));
      assertInstanceOf(TransportException.class, late.getCause());
    }
  }

  @Test
  void shouldNotBeFoundByStrangersWhileItIsDrained() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      serve(nodes.server, new CompletableFuture<>());
      assertTrue(nodes.await(nodes.server.drain(LONG).toCompletableFuture()).isComplete());
      CallException failed = StreamChecks.failure(nodes, Raw.unary(nodes.peer(), ANY, SMALL));
      assertEquals(CallOutcome.HANDSHAKE_FAILED, failed.outcome());
    }
  }

  @Test
  void shouldRefuseATimeThatIsNone() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      for (Duration bad : List.of(Duration.ofNanos(-1), Duration.ofDays(366))) {
        assertThrows(IllegalArgumentException.class, () -> nodes.server.drain(bad));
      }
      Raw.serveOnWorker(nodes.server, ANY, call -> call.reply(0, 0));
      assertEquals(0, nodes.await(Raw.unary(nodes.peer(), ANY, SMALL)).payload().length);
    }
  }
}
