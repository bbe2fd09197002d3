package io.millrace.api;

import static io.millrace.api.StreamChecks.ANSWERED;
import static io.millrace.api.StreamChecks.CLEAN;
import static io.millrace.api.StreamChecks.HEADERS;
import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.assertElements;
import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.awaitNothingOpen;
import static io.millrace.api.StreamChecks.element;
import static io.millrace.api.StreamChecks.elements;
import static io.millrace.api.StreamChecks.materializer;
import static io.millrace.api.StreamChecks.options;
import static io.millrace.api.StreamChecks.queueOfOne;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.driver.Impairment;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.pekko.Done;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.SourceQueueWithComplete;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The three streaming patterns from end to end, on sockets and simulated, with and without loss.
 */
@Timeout(120)
class StreamsTest {
  private static final int WINDOW = 64;

  private static Stream<Arguments> worldsAndFaults() {
    List<Impairment> faults =
        List.of(
            CLEAN,
            new Impairment(2, 5, 0, 0, 1, 0),
            new Impairment(3, 20, 0, 0, 1, 0),
            new Impairment(4, 0, 20, 20, 8, 0),
            new Impairment(5, 5, 5, 5, 8, 5));
    return Combinations.dealt(World.values(), faults.toArray());
  }

  @ParameterizedTest
  @MethodSource("worldsAndFaults")
  void shouldStreamResponses(World world, Impairment faults) throws Exception {
    world.run(
        faults,
        (nodes, driver) -> {
          Raw.serveStreamingResponse(
              nodes.server(),
              ROUTE,
              call -> {
                assertArrayEquals(HEADERS, call.headers());
                int count = Integer.parseInt(new String(call.payload(), UTF_8));
                return new Raw.StreamingResponse(ANSWERED, elements(count));
              });
          UnaryRequest request = new UnaryRequest(ROUTE, "400".getBytes(UTF_8), options());
          Pair<CompletionStage<byte[]>, CompletionStage<List<byte[]>>> got =
              Raw.streamingResponse(nodes.peer(), request)
                  .toMat(Sink.seq(), Keep.both())
                  .run(materializer(nodes.client()));

          assertElements(400, await(nodes, got.second()));
          assertArrayEquals(ANSWERED, await(nodes, got.first()));
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("worldsAndFaults")
  void shouldStreamRequests(World world, Impairment faults) throws Exception {
    world.run(
        faults,
        (nodes, driver) -> {
          List<byte[]> got = new ArrayList<>();
          Raw.serveStreamingRequest(
              nodes.server(),
              ROUTE,
              call -> {
                assertArrayEquals(HEADERS, call.headers());
                return call.elements()
                    .runForeach(got::add, materializer(nodes.server()))
                    .thenApply(done -> new UnaryResponse(ANSWERED, "all".getBytes(UTF_8)));
              });

          UnaryResponse response =
              await(
                  nodes,
                  elements(400)
                      .runWith(
                          Raw.streamingRequest(nodes.peer(), ROUTE, options()),
                          materializer(nodes.client())));

          assertElements(400, got);
          assertArrayEquals(ANSWERED, response.headers());
          assertEquals("all", new String(response.payload(), UTF_8));
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("worldsAndFaults")
  void shouldStreamBothWays(World world, Impairment faults) throws Exception {
    world.run(
        faults,
        (nodes, driver) -> {
          Raw.serveBidirectional(
              nodes.server(),
              ROUTE,
              call -> new Raw.StreamingResponse(call.headers(), call.elements()));

          Pair<CompletionStage<byte[]>, CompletionStage<List<byte[]>>> got =
              elements(400)
                  .viaMat(Raw.bidirectional(nodes.peer(), ROUTE, options()), Keep.right())
                  .toMat(Sink.seq(), Keep.both())
                  .run(materializer(nodes.client()));

          assertElements(400, await(nodes, got.second()));
          assertArrayEquals(HEADERS, await(nodes, got.first()));
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldSendNoMoreThanWasAskedForAndTheWindow(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          AtomicInteger produced = new AtomicInteger();
          Raw.serveStreamingResponse(
              nodes.server(),
              ROUTE,
              call ->
                  Raw.StreamingResponse.of(
                      Source.range(0, 9_999)
                          .map(
                              i -> {
                                produced.incrementAndGet();
                                return new byte[10];
                              })));
          Raw.serve(nodes.server(), RouteId.of("echo"), call -> done(call.payload()));
          SinkQueueWithCancel<byte[]> stalled =
              Raw.streamingResponse(nodes.peer(), UnaryRequest.of(ROUTE, new byte[0]))
                  .toMat(queueOfOne(), Keep.right())
                  .run(materializer(nodes.client()));

          for (int i = 0; i < 200; i++) {
            assertTrue(await(nodes, stalled.pull()).isPresent());
          }
          for (int i = 0; i < 200; i++) {
            await(nodes, Raw.unary(nodes.peer(), RouteId.of("echo"), new byte[1_000]));
          }
          int most = 200 + 2 + WINDOW;
          int least = 200 + WINDOW / 2 - 2;
          assertTrue(nodes.awaitUntil(() -> produced.get() >= least), () -> produced + " produced");
          assertTrue(produced.get() <= most, produced.get() + " were produced for 200");
          Thread.onSpinWait();
          stalled.cancel();
          awaitNothingOpen(nodes);
          assertTrue(produced.get() <= most, produced.get() + " were produced after the end");
        });
  }

  private static CompletionStage<UnaryResponse> done(byte[] payload) {
    return CompletableFuture.completedFuture(UnaryResponse.of(payload));
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldPlayPingPongAndCloseEachHalfByItself(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          CompletableFuture<Done> requestsEnded = new CompletableFuture<>();
          CompletableFuture<SourceQueueWithComplete<byte[]>> later = new CompletableFuture<>();
          Raw.serveBidirectional(
              nodes.server(),
              ROUTE,
              call -> {
                Pair<SourceQueueWithComplete<byte[]>, Source<byte[], org.apache.pekko.NotUsed>>
                    extra =
                        Source.<byte[]>queue(16, OverflowStrategy.backpressure())
                            .preMaterialize(materializer(nodes.server()));
                later.complete(extra.first());
                return Raw.StreamingResponse.of(
                    call.elements()
                        .watchTermination(
                            (m, ended) -> {
                              ended.thenAccept(requestsEnded::complete);
                              return m;
                            })
                        .concat(extra.second()));
              });
          Pair<SourceQueueWithComplete<byte[]>, SinkQueueWithCancel<byte[]>> ends =
              Source.<byte[]>queue(16, OverflowStrategy.backpressure())
                  .via(Raw.bidirectional(nodes.peer(), ROUTE, TransferOptions.DEFAULTS))
                  .toMat(queueOfOne(), Keep.both())
                  .run(materializer(nodes.client()));

          for (int i = 0; i < 100; i++) {
            await(nodes, ends.first().offer(element(i)));
            assertArrayEquals(element(i), await(nodes, ends.second().pull()).orElseThrow());
          }
          ends.first().complete();
          await(nodes, requestsEnded);
          for (int i = 0; i < 100; i++) {
            await(nodes, later.get().offer(element(i)));
            assertArrayEquals(element(i), await(nodes, ends.second().pull()).orElseThrow());
          }
          later.get().complete();
          assertTrue(await(nodes, ends.second().pull()).isEmpty());
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldOpenWithARequestThatFitsNoDatagram(World world) throws Exception {
    world.run(
        new Impairment(7, 5, 0, 0, 1, 0),
        (nodes, driver) -> {
          byte[] large = BodyTest.random(200_000, 3);
          Raw.serveStreamingResponse(
              nodes.server(),
              ROUTE,
              call -> Raw.StreamingResponse.of(Source.repeat(call.payload()).take(20)));

          List<byte[]> got =
              await(
                  nodes,
                  Raw.streamingResponse(nodes.peer(), UnaryRequest.of(ROUTE, large))
                      .runWith(Sink.seq(), materializer(nodes.client())));

          assertEquals(20, got.size());
          for (byte[] each : got) {
            assertArrayEquals(large, each);
          }
          awaitNothingOpen(nodes);
        });
  }
}
