package io.millrace.api;

import static io.millrace.api.StreamChecks.ANSWERED;
import static io.millrace.api.StreamChecks.CLEAN;
import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.awaitNothingOpen;
import static io.millrace.api.StreamChecks.elements;
import static io.millrace.api.StreamChecks.failure;
import static io.millrace.api.StreamChecks.materializer;
import static io.millrace.api.StreamChecks.options;
import static io.millrace.api.StreamChecks.queueOfOne;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams that end early, by either side. */
@Timeout(120)
class StreamEndsTest {

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldEndTheProducerWhenTheConsumerCancels(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          CompletableFuture<Done> ended = new CompletableFuture<>();
          Raw.serveStreamingResponse(
              nodes.server(),
              ROUTE,
              call ->
                  Raw.StreamingResponse.of(
                      Source.repeat(new byte[100])
                          .watchTermination(
                              (m, end) -> {
                                end.whenComplete((d, t) -> ended.complete(Done.getInstance()));
                                return m;
                              })));

          List<byte[]> some =
              await(
                  nodes,
                  Raw.streamingResponse(nodes.peer(), UnaryRequest.of(ROUTE, new byte[0]))
                      .take(5)
                      .runWith(Sink.seq(), materializer(nodes.client())));

          assertEquals(5, some.size());
          await(nodes, ended);
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldTellTheCallerHowAHandlersStreamFailed(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          Raw.serveStreamingResponse(
              nodes.server(),
              ROUTE,
              call ->
                  Raw.StreamingResponse.of(
                      elements(3)
                          .concat(Source.failed(new IllegalStateException("the well is dry")))
                          .mapMaterializedValue(m -> m)));
          Raw.serveBidirectional(
              nodes.server(),
              RouteId.of("thrower"),
              call -> {
                throw new IllegalStateException("not today");
              });

          CallException failed = failure(nodes, drain(nodes, ROUTE));
          CallException thrown =
              failure(
                  nodes,
                  elements(100)
                      .via(Raw.bidirectional(nodes.peer(), RouteId.of("thrower"), options()))
                      .runWith(Sink.ignore(), materializer(nodes.client())));
          CallException unknown = failure(nodes, drain(nodes, RouteId.of("nobody")));

          assertEquals(CallOutcome.HANDLER_FAILED, failed.outcome());
          assertTrue(String.valueOf(failed.getMessage()).contains("the well is dry"));
          assertEquals(CallOutcome.HANDLER_FAILED, thrown.outcome());
          assertTrue(String.valueOf(thrown.getMessage()).contains("not today"));
          assertEquals(CallOutcome.UNKNOWN_ROUTE, unknown.outcome());
          awaitNothingOpen(nodes);
        });
  }

  private static CompletionStage<Done> drain(NodePair nodes, RouteId route) {
    return Raw.streamingResponse(nodes.peer(), UnaryRequest.of(route, new byte[0]))
        .runWith(Sink.ignore(), materializer(nodes.client()));
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldTellTheHandlerHowTheCallersStreamFailed(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          CompletableFuture<Throwable> seen = new CompletableFuture<>();
          Raw.serveStreamingRequest(
              nodes.server(),
              ROUTE,
              call ->
                  call.elements()
                      .runWith(Sink.ignore(), materializer(nodes.server()))
                      .handle(
                          (done, failure) -> {
                            seen.complete(failure);
                            return UnaryResponse.of(ANSWERED);
                          }));

          CompletionStage<UnaryResponse> response =
              elements(3)
                  .concat(Source.failed(new IllegalStateException("gone wrong")))
                  .mapMaterializedValue(m -> m)
                  .runWith(
                      Raw.streamingRequest(nodes.peer(), ROUTE, options()),
                      materializer(nodes.client()));

          CallException failed = assertInstanceOf(CallException.class, await(nodes, seen));
          assertEquals(CallOutcome.SOURCE_FAILED, failed.outcome());
          assertTrue(String.valueOf(failed.getMessage()).contains("gone wrong"));
          assertArrayEquals(ANSWERED, await(nodes, response).payload());
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldTellTheCallerThatItsOwnRequestsFailed(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          Raw.serveStreamingRequest(
              nodes.server(),
              ROUTE,
              call ->
                  call.elements()
                      .runWith(Sink.ignore(), materializer(nodes.server()))
                      .thenApply(done -> UnaryResponse.of(ANSWERED)));
          IllegalStateException cause = new IllegalStateException("gone wrong");

          CompletionStage<UnaryResponse> response =
              elements(3)
                  .concat(Source.failed(cause))
                  .mapMaterializedValue(m -> m)
                  .runWith(
                      Raw.streamingRequest(nodes.peer(), ROUTE, options()),
                      materializer(nodes.client()));

          CallException failed = StreamChecks.failure(nodes, response);
          assertEquals(CallOutcome.SOURCE_FAILED, failed.outcome());
          assertEquals(cause, failed.getCause());
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldFailBothFlowsOfEachStreamWhenTheTransportCloses(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          CompletableFuture<Throwable> seen = new CompletableFuture<>();
          Raw.serveBidirectional(
              nodes.server(),
              ROUTE,
              call ->
                  Raw.StreamingResponse.of(
                      call.elements()
                          .mapError(
                              new org.apache.pekko.japi.pf.PFBuilder<Throwable, Throwable>()
                                  .matchAny(
                                      failure -> {
                                        seen.complete(failure);
                                        return failure;
                                      })
                                  .build())));
          SinkQueueWithCancel<byte[]> got =
              Source.single(new byte[1])
                  .concat(Source.maybe())
                  .via(Raw.bidirectional(nodes.peer(), ROUTE, options()))
                  .toMat(queueOfOne(), Keep.right())
                  .run(materializer(nodes.client()));
          assertTrue(await(nodes, got.pull()).isPresent());

          CompletionStage<?> next = got.pull();
          nodes.client().close();

          assertTrue(nodes.awaitUntil(() -> next.toCompletableFuture().isDone()));
          CallException failed = assertInstanceOf(CallException.class, await(nodes, seen));
          assertEquals(CallOutcome.PEER_RESET, failed.outcome());
        });
  }
}
