package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.wire.RouteId;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.pekko.stream.javadsl.AsPublisher;
import org.apache.pekko.stream.javadsl.JavaFlowSupport;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;

/**
 * The Reactive Streams TCK over the publishers and subscribers of both sides, across sockets. The
 * elements of a publisher come from the other node, and so does the demand of a subscriber.
 */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FlowTckTest {
  private static final RouteId COUNT = RouteId.of("tck-count");
  private static final RouteId TAKE = RouteId.of("tck-take");
  private static final RouteId ANSWER = RouteId.of("tck-answer");
  private static final RouteId FORGET = RouteId.of("tck-forget");
  private static final RouteId MIRROR = RouteId.of("tck-mirror");
  private static final RouteId NOBODY = RouteId.of("tck-nobody");
  private static final long QUIET_MS = 50;
  private static final long PATIENCE_MS = 2_000;

  /** The time between two checks of the TCK for an expected error. */
  private static final long POLL_MS = 10;

  /**
   * The time after a cancellation before the TCK collects garbage and checks the remaining
   * references.
   */
  private static final long UNTIL_GARBAGE_MS = 1_000;

  /** The number of checks that the TCK can do, of a publisher and of a subscriber. */
  private static final int PUBLISHER_CHECKS = 26;

  private static final int SUBSCRIBER_CHECKS = 11;

  private final BlockingQueue<Flow.Publisher<byte[]>> requests = new LinkedBlockingQueue<>();
  private final BlockingQueue<Flow.Subscriber<? super byte[]>> responses =
      new LinkedBlockingQueue<>();
  private final TwoNodes nodes = new TwoNodes("millrace.limits.concurrent-transfers = 4096");

  @BeforeAll
  void serve() {
    Transport server = nodes.server();
    Raw.serveStreamingResponse(
        server,
        COUNT,
        call ->
            Raw.StreamingResponse.of(elements(Long.parseLong(new String(call.payload(), UTF_8)))));
    Raw.serveStreamingRequest(
        server,
        TAKE,
        call -> {
          requests.add(published(call.elements(), server));
          return new CompletableFuture<>();
        });
    Raw.serveStreamingRequest(
        server,
        FORGET,
        call ->
            call.elements()
                .runForeach(element -> {}, StreamChecks.materializer(server))
                .thenApply(done -> UnaryResponse.of(new byte[0])));
    Raw.serveStreamingResponse(
        server,
        ANSWER,
        call -> {
          Flow.Publisher<byte[]> publisher = responses::add;
          return Raw.StreamingResponse.of(JavaFlowSupport.Source.fromPublisher(publisher));
        });
    Raw.serveBidirectional(server, MIRROR, call -> Raw.StreamingResponse.of(call.elements()));
  }

  @AfterAll
  void close() {
    nodes.close();
  }

  private static Source<byte[], ?> elements(long count) {
    return Source.repeat(new byte[] {1, 2, 3}).take(count);
  }

  private static TestEnvironment environment() {
    return new TestEnvironment(PATIENCE_MS, QUIET_MS, POLL_MS);
  }

  private static <T> T next(BlockingQueue<T> queue) {
    try {
      T taken = queue.poll(PATIENCE_MS, TimeUnit.MILLISECONDS);
      if (taken == null) {
        throw new AssertionError("the other side saw no stream");
      }
      return taken;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Flow.Publisher<byte[]> published(Source<byte[], ?> source, Transport node) {
    return source.runWith(
        JavaFlowSupport.Sink.asPublisher(AsPublisher.WITHOUT_FANOUT),
        StreamChecks.materializer(node));
  }

  private Flow.Publisher<byte[]> responses(RouteId route, byte[] payload) {
    return published(
        Raw.streamingResponse(nodes.peer(), UnaryRequest.of(route, payload)), nodes.client());
  }

  private Flow.Processor<byte[], byte[]> processor(RouteId route) {
    return JavaFlowSupport.Flow.toProcessor(
            Raw.bidirectional(nodes.peer(), route, TransferOptions.DEFAULTS))
        .run(StreamChecks.materializer(nodes.client()));
  }

  /** A publisher under the TCK. */
  public abstract static class Publishers extends FlowPublisherVerification<byte[]> {
    Publishers() {
      super(environment(), UNTIL_GARBAGE_MS);
    }
  }

  /** A subscriber under the TCK. */
  public abstract static class Subscribers extends FlowSubscriberBlackboxVerification<byte[]> {
    Subscribers() {
      super(environment());
    }

    @Override
    public byte[] createElement(int element) {
      return new byte[element & 0x3F];
    }
  }

  /** The caller's publisher of responses: the elements come from the server. */
  public final class ResponsePublisher extends Publishers {
    @Override
    public Flow.Publisher<byte[]> createFlowPublisher(long count) {
      byte[] payload = Long.toString(count).getBytes(UTF_8);
      return responses(COUNT, payload);
    }

    @Override
    public Flow.Publisher<byte[]> createFailedFlowPublisher() {
      return responses(NOBODY, new byte[0]);
    }
  }

  /** The handler's publisher of requests: the elements come from the caller. */
  public final class RequestPublisher extends Publishers {
    @Override
    public Flow.Publisher<byte[]> createFlowPublisher(long count) {
      var _ =
          elements(count)
              .runWith(
                  Raw.streamingRequest(nodes.peer(), TAKE, TransferOptions.DEFAULTS),
                  StreamChecks.materializer(nodes.client()));
      return next(requests);
    }

    @Override
    public Flow.Publisher<byte[]> createFailedFlowPublisher() {
      var _ =
          Source.<byte[]>failed(new IllegalStateException("fails on purpose"))
              .runWith(
                  Raw.streamingRequest(nodes.peer(), TAKE, TransferOptions.DEFAULTS),
                  StreamChecks.materializer(nodes.client()));
      return next(requests);
    }
  }

  /** The caller's subscriber of requests: the demand comes from the server. */
  public final class RequestSubscriber extends Subscribers {
    @Override
    public Flow.Subscriber<byte[]> createFlowSubscriber() {
      return JavaFlowSupport.Source.<byte[]>asSubscriber()
          .to(Raw.streamingRequest(nodes.peer(), FORGET, TransferOptions.DEFAULTS))
          .run(StreamChecks.materializer(nodes.client()));
    }
  }

  /** The subscriber of a handler's response: the demand comes from the caller. */
  public final class ResponseSubscriber extends Subscribers {
    @Override
    @SuppressWarnings("unchecked") // the TCK publishes bytes only
    public Flow.Subscriber<byte[]> createFlowSubscriber() {
      var _ =
          Raw.streamingResponse(nodes.peer(), UnaryRequest.of(ANSWER, new byte[0]))
              .runForeach(element -> {}, StreamChecks.materializer(nodes.client()));
      return (Flow.Subscriber<byte[]>) next(responses);
    }
  }

  /** The processor's subscriber: the elements travel to the server and back. */
  public final class ProcessorSubscriber extends Subscribers {
    @Override
    public Flow.Subscriber<byte[]> createFlowSubscriber() {
      Flow.Processor<byte[], byte[]> processor = processor(MIRROR);
      var _ =
          JavaFlowSupport.Source.fromPublisher(processor)
              .runForeach(element -> {}, StreamChecks.materializer(nodes.client()));
      return processor;
    }
  }

  /**
   * The processor's publisher: its elements were published to the processor and travelled both
   * ways.
   */
  public final class ProcessorPublisher extends Publishers {
    @Override
    public Flow.Publisher<byte[]> createFlowPublisher(long count) {
      Flow.Processor<byte[], byte[]> processor = processor(MIRROR);
      published(elements(count), nodes.client()).subscribe(processor);
      return processor;
    }

    @Override
    public Flow.Publisher<byte[]> createFailedFlowPublisher() {
      Flow.Processor<byte[], byte[]> processor = processor(NOBODY);
      published(elements(1), nodes.client()).subscribe(processor);
      return processor;
    }
  }

  @TestFactory
  Stream<DynamicTest> shouldPublishResponses() {
    return TckMethods.of(PUBLISHER_CHECKS, ResponsePublisher::new);
  }

  @TestFactory
  Stream<DynamicTest> shouldPublishRequests() {
    return TckMethods.of(PUBLISHER_CHECKS, RequestPublisher::new);
  }

  @TestFactory
  Stream<DynamicTest> shouldSubscribeToRequests() {
    return TckMethods.of(SUBSCRIBER_CHECKS, RequestSubscriber::new);
  }

  @TestFactory
  Stream<DynamicTest> shouldSubscribeToResponses() {
    return TckMethods.of(SUBSCRIBER_CHECKS, ResponseSubscriber::new);
  }

  @TestFactory
  Stream<DynamicTest> shouldSubscribeToWhatGoesBothWays() {
    return TckMethods.of(SUBSCRIBER_CHECKS, ProcessorSubscriber::new);
  }

  @TestFactory
  Stream<DynamicTest> shouldPublishWhatComesBack() {
    return TckMethods.of(PUBLISHER_CHECKS, ProcessorPublisher::new);
  }
}
