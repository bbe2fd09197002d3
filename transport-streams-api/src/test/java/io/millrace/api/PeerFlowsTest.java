package io.millrace.api;

import static io.millrace.api.StreamChecks.ANSWERED;
import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.assertElements;
import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.awaitNothingOpen;
import static io.millrace.api.StreamChecks.elements;
import static io.millrace.api.StreamChecks.failure;
import static io.millrace.api.StreamChecks.materializer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.actor.body.ArraySource;
import io.millrace.api.codec.Codec;
import io.millrace.protocol.transfer.CallOutcome;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.pekko.stream.javadsl.JavaFlowSupport;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Publishers, subscribers and processors of a peer do what its Pekko Streams do. */
@Timeout(120)
class PeerFlowsTest {
  private static final TypedRoute<byte[], byte[]> TYPED =
      new TypedRoute<>(ROUTE, Codec.bytes(), Codec.bytes());
  private static final TransferOptions OPTIONS = TransferOptions.DEFAULTS;
  private static final int COUNT = 60;
  private static final int LONG = 700_001;

  /** Streams of responses, which have headers. */
  enum Api {
    RESPONSE {
      @Override
      Flow.Publisher<byte[]> open(NodePair nodes, Consumer<byte[]> headers) {
        return nodes.peer().flows().streamingResponse(UnaryRequest.of(ROUTE, new byte[1]), headers);
      }
    },
    TYPED_RESPONSE {
      @Override
      Flow.Publisher<byte[]> open(NodePair nodes, Consumer<byte[]> headers) {
        return nodes.peer().flows().streamingResponse(TYPED, new byte[1], OPTIONS, headers);
      }
    },
    BOTH {
      @Override
      Flow.Publisher<byte[]> open(NodePair nodes, Consumer<byte[]> headers) {
        return asking(nodes, nodes.peer().flows().bidirectional(ROUTE, OPTIONS, headers));
      }
    },
    TYPED_BOTH {
      @Override
      Flow.Publisher<byte[]> open(NodePair nodes, Consumer<byte[]> headers) {
        return asking(nodes, nodes.peer().flows().bidirectional(TYPED, OPTIONS, headers));
      }
    };

    abstract Flow.Publisher<byte[]> open(NodePair nodes, Consumer<byte[]> headers);

    /** There is no end of requests. */
    private static Flow.Publisher<byte[]> asking(
        NodePair nodes, Flow.Processor<byte[], byte[]> processor) {
      nodes.client().publisher(Source.<byte[]>maybe()).subscribe(processor);
      return processor;
    }

    void serve(Transport server, Source<byte[], ?> responses) {
      StreamingResponse response = new StreamingResponse(ANSWERED, responses);
      if (this == RESPONSE || this == TYPED_RESPONSE) {
        server.serveStreamingResponse(ROUTE, call -> response);
      } else {
        server.serveBidirectional(
            ROUTE,
            call -> {
              var _ = call.elements().runWith(Sink.ignore(), server.materializer());
              return response;
            });
      }
    }
  }

  private static Stream<Arguments> all(TestInfo test) {
    return Combinations.dealt(Api.values(), PatternWorld.all(test));
  }

  private static <T> CompletionStage<List<T>> list(NodePair nodes, Flow.Publisher<T> publisher) {
    return JavaFlowSupport.Source.fromPublisher(publisher)
        .runWith(Sink.seq(), materializer(nodes.client()));
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldTellHeadersAheadOfElements(Api api, PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          api.serve(nodes.server(), elements(COUNT));
          List<Integer> lengths = new CopyOnWriteArrayList<>();
          Flow.Publisher<byte[]> opened = api.open(nodes, bytes -> lengths.add(-bytes.length));

          CompletionStage<List<byte[]>> got =
              JavaFlowSupport.Source.fromPublisher(opened)
                  .map(
                      element -> {
                        lengths.add(element.length);
                        return element;
                      })
                  .runWith(Sink.seq(), materializer(nodes.client()));

          assertElements(COUNT, await(nodes, got));
          assertEquals(COUNT + 1, lengths.size());
          assertEquals(-ANSWERED.length, lengths.getFirst());
        });
  }

  /** Also where no element follows. */
  @ParameterizedTest
  @MethodSource("all")
  void shouldFailTheStreamWithWhatAConsumerOfHeadersThrows(Api api, PatternWorld world)
      throws Exception {
    for (Source<byte[], ?> responses :
        List.of(elements(COUNT), Source.<byte[]>maybe(), Source.<byte[]>empty())) {
      world.run(
          nodes -> {
            AtomicBoolean isOver = new AtomicBoolean();
            api.serve(
                nodes.server(),
                responses.watchTermination(
                    (none, done) -> {
                      var _ = done.whenComplete((end, failure) -> isOver.set(true));
                      return none;
                    }));
            IllegalStateException planted = new IllegalStateException("unknown version");
            List<byte[]> seen = new CopyOnWriteArrayList<>();
            CompletionStage<?> end =
                JavaFlowSupport.Source.fromPublisher(
                        api.open(
                            nodes,
                            bytes -> {
                              throw planted;
                            }))
                    .runForeach(seen::add, materializer(nodes.client()));

            ExecutionException failed =
                assertThrows(ExecutionException.class, () -> await(nodes, end));
            assertSame(planted, failed.getCause());
            assertEquals(List.of(), seen);
            assertTrue(nodes.awaitUntil(isOver::get), "the peer learns it");
            awaitNothingOpen(nodes);
          });
    }
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldTakeTypedRequests(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          nodes
              .server()
              .serveStreamingRequest(
                  TYPED,
                  call ->
                      call.elements()
                          .runFold(
                              0, (sum, each) -> sum + each.length, materializer(nodes.server()))
                          .thenApply(sum -> TypedResponse.of(new byte[sum])));
          PeerFlows.TypedRequests<byte[], byte[]> opened =
              nodes.peer().flows().streamingRequest(TYPED, OPTIONS);

          nodes.client().publisher(elements(5)).subscribe(opened.subscriber());

          int sum = 0;
          for (int i = 0; i < 5; i++) {
            sum += StreamChecks.element(i).length;
          }
          assertEquals(sum, await(nodes, opened.response()).value().length);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldPublishTypedResponses(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          nodes
              .server()
              .serveStreamingResponse(
                  TYPED, call -> TypedStreamingResponse.of(elements(call.value().length)));
          nodes
              .server()
              .serveBidirectional(
                  TypedRoute.of("mirror", Codec.bytes(), Codec.bytes()),
                  call -> TypedStreamingResponse.of(call.elements()));
          PeerFlows flows = nodes.peer().flows();

          assertElements(
              COUNT,
              await(nodes, list(nodes, flows.streamingResponse(TYPED, new byte[COUNT], OPTIONS))));
          Flow.Processor<byte[], byte[]> mirror =
              flows.bidirectional(TypedRoute.of("mirror", Codec.bytes(), Codec.bytes()), OPTIONS);
          nodes.client().publisher(elements(COUNT)).subscribe(mirror);
          assertElements(COUNT, await(nodes, list(nodes, mirror)));
        });
  }

  private static byte[] bytes() {
    byte[] bytes = new byte[LONG];
    for (int i = 0; i < LONG; i++) {
      bytes[i] = (byte) (i * 31 + (i >> 8));
    }
    return bytes;
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldPublishBulk(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          nodes
              .server()
              .serveBulkReads(
                  ROUTE,
                  offer -> CompletableFuture.completedFuture(new ArraySource(bytes(), 0, LONG)));

          Flow.Publisher<ByteBuffer> reading = nodes.peer().flows().bulkSource(ROUTE, OPTIONS);
          CompletionStage<ByteString> got =
              JavaFlowSupport.Source.fromPublisher(reading)
                  .map(ByteString::fromByteBuffer)
                  .runWith(
                      Sink.fold(ByteString.emptyByteString(), ByteString::concat),
                      materializer(nodes.client()));

          assertArrayEquals(bytes(), await(nodes, got).toArray());
        });
  }

  /** Where bytes go is not known. */
  private static final class Unplaced extends IllegalStateException implements IntendedFailure {
    private static final long serialVersionUID = 1L;
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldWriteBulkThatIsPublished(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          BodyTest.Collector stored = new BodyTest.Collector();
          nodes.server().serveBulkWrites(ROUTE, offer -> CompletableFuture.completedFuture(stored));
          byte[] all = bytes();
          Source<ByteBuffer, ?> parts =
              Source.range(0, (LONG - 1) / 10_000)
                  .map(
                      i ->
                          ByteBuffer.wrap(
                              Arrays.copyOfRange(
                                  all, i * 10_000, Math.min(LONG, (i + 1) * 10_000))));
          PeerFlows.BulkWrite writing = nodes.peer().flows().bulkSink(ROUTE, OPTIONS);

          nodes.client().publisher(parts).subscribe(writing.subscriber());

          assertEquals(LONG, await(nodes, writing.receipt()).bytes());
          assertArrayEquals(all, stored.bytes.toByteArray());
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldFailBulkThatThePeerDoesNotTake(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          nodes
              .server()
              .serveBulkWrites(ROUTE, offer -> CompletableFuture.failedFuture(new Unplaced()));
          PeerFlows.BulkWrite writing =
              nodes.peer().flows().bulkSink(ROUTE, StreamChecks.options());
          CompletableFuture<Boolean> cancelled = new CompletableFuture<>();

          nodes
              .client()
              .publisher(
                  Source.<ByteBuffer>maybe()
                      .watchTermination(
                          (none, done) -> {
                            var _ = done.whenComplete((end, failure) -> cancelled.complete(true));
                            return none;
                          }))
              .subscribe(writing.subscriber());

          assertEquals(CallOutcome.REFUSED, failure(nodes, writing.receipt()).outcome());
          assertTrue(await(nodes, cancelled));
        });
  }
}
