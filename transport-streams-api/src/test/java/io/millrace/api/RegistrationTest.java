package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A node serves a route until its registration is closed, and may serve the route anew. */
@Timeout(60)
class RegistrationTest {
  private static final RouteId UNARY = RouteId.of("unary");
  private static final RouteId ON_WORKER = RouteId.of("on-worker");
  private static final RouteId MANY = RouteId.of("many");
  private static final byte[] SMALL = new byte[10];

  private static List<Registration> serve(Transport server) {
    return List.of(
        Raw.serve(
            server, UNARY, call -> CompletableFuture.completedFuture(UnaryResponse.of(SMALL))),
        Raw.serveOnWorker(server, ON_WORKER, call -> call.reply(0, 0)),
        Raw.serveBulkWrites(
            server, MANY, offer -> CompletableFuture.completedFuture(new BodyTest.Collector())),
        Raw.serveBulkReads(
            server,
            MANY,
            offer -> CompletableFuture.completedFuture(new ArraySource(SMALL, 0, 10))),
        Raw.serveStreamingResponse(
            server, MANY, call -> Raw.StreamingResponse.of(Source.single(SMALL))));
  }

  /** Returns one call of each route, in the order of the registrations. */
  private static List<CompletionStage<?>> calls(NodePair nodes) {
    Peer peer = nodes.peer();
    TransferOptions options = TransferOptions.DEFAULTS;
    return List.of(
        Raw.unary(peer, UNARY, SMALL),
        Raw.unary(peer, ON_WORKER, SMALL),
        Raw.bulkWrite(peer, MANY, new ArraySource(SMALL, 0, SMALL.length), options),
        Raw.bulkRead(peer, MANY, new BodyTest.Collector(), options),
        Raw.streamingResponse(peer, UnaryRequest.of(MANY, SMALL))
            .toMat(Sink.seq(), Keep.right())
            .run(nodes.client().materializer()));
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldServeUntilItIsClosedAndAgain(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          for (int round = 0; round < 2; round++) {
            List<Registration> registrations = serve(nodes.server());
            for (CompletionStage<?> call : calls(nodes)) {
              StreamChecks.await(nodes, call);
            }
            for (int closed = 0; closed < registrations.size(); closed++) {
              registrations.get(closed).close();
              assertServed(nodes, closed);
            }
            registrations.forEach(Registration::close);
          }
          assertEquals("Registration[unary]", serve(nodes.server()).getFirst().toString());
          assertServed(nodes, -1);
          Remains.awaitNone(nodes, world);
        });
  }

  /**
   * Checks that the routes up to this number are not served, and that all further routes are
   * served.
   */
  private static void assertServed(NodePair nodes, int lastClosed) throws Exception {
    List<CompletionStage<?>> calls = calls(nodes);
    for (int i = 0; i < calls.size(); i++) {
      if (i <= lastClosed) {
        CallException failed = StreamChecks.failure(nodes, calls.get(i));
        assertEquals(CallOutcome.UNKNOWN_ROUTE, failed.outcome(), "route " + i);
      } else {
        StreamChecks.await(nodes, calls.get(i));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldFinishWhatItsHandlerHas(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          CompletableFuture<UnaryResponse> answer = new CompletableFuture<>();
          Semaphore arrived = new Semaphore(0);
          Registration registration =
              Raw.serve(
                  nodes.server(),
                  UNARY,
                  call -> {
                    arrived.release();
                    return answer;
                  });
          CompletableFuture<UnaryResponse> running = Raw.unary(nodes.peer(), UNARY, SMALL);
          assertTrue(nodes.awaitUntil(arrived::tryAcquire));
          registration.close();
          assertEquals(
              CallOutcome.UNKNOWN_ROUTE,
              StreamChecks.failure(nodes, Raw.unary(nodes.peer(), UNARY, SMALL)).outcome());
          assertFalse(running.isDone());
          answer.complete(UnaryResponse.of(SMALL));
          assertEquals(SMALL.length, nodes.await(running).payload().length);
        });
  }
}
