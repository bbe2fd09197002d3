package io.millrace.api;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.wire.Route;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.JavaFlowSupport;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/**
 * The streams of one peer as publishers and subscribers of {@link Flow}, for applications that use
 * another library of streams; they run in the transport's actor system. What {@link Peer} says of
 * the streams of the same names holds: demand travels to the other side, cancelling ends the
 * stream, and failures are {@link CallException}. Any thread.
 */
public final class PeerFlows {
  private final Peer peer;
  private final Materializer materializer;

  PeerFlows(Peer peer, Materializer materializer) {
    this.peer = peer;
    this.materializer = materializer;
  }

  /** The peer's responses to one request; each subscription opens a stream. */
  public Flow.Publisher<byte[]> streamingResponse(UnaryRequest request) {
    return new FlowPublisher<>(peer.streamingResponse(request), materializer);
  }

  /**
   * The peer's responses to one request; each subscription opens a stream.
   *
   * @param headers is given the response's headers of each stream, ahead of its first element, on
   *     the stream's thread; what it throws fails the stream, at the peer too
   */
  public Flow.Publisher<byte[]> streamingResponse(UnaryRequest request, Consumer<byte[]> headers) {
    return telling(peer.streamingResponse(request), headers);
  }

  /** As {@link #streamingResponse(UnaryRequest)}, encoded and decoded as the route says. */
  public <Q, R> Flow.Publisher<R> streamingResponse(
      TypedRoute<Q, R> route, Q value, TransferOptions options) {
    return new FlowPublisher<>(peer.streamingResponse(route, value, options), materializer);
  }

  /**
   * As {@link #streamingResponse(UnaryRequest, Consumer)}, encoded and decoded as the route says.
   */
  public <Q, R> Flow.Publisher<R> streamingResponse(
      TypedRoute<Q, R> route, Q value, TransferOptions options, Consumer<byte[]> headers) {
    return telling(peer.streamingResponse(route, value, options), headers);
  }

  private <T> Flow.Publisher<T> telling(
      Source<T, CompletionStage<byte[]>> responses, Consumer<byte[]> headers) {
    return new FlowPublisher<>(
        () -> {
          FailureGuard<T> guard = new FailureGuard<>();
          return responses
              .mapMaterializedValue(came -> came.thenAccept(failing(headers, guard::fail)))
              .via(guard);
        },
        materializer);
  }

  /** Nobody looks at what is thrown at a future: the stream fails with it instead. */
  private static Consumer<byte[]> failing(Consumer<byte[]> headers, Consumer<Throwable> onFailure) {
    return bytes -> {
      try {
        headers.accept(bytes);
      } catch (RuntimeException | Error e) {
        onFailure.accept(e);
      }
    };
  }

  /**
   * Opens a stream of requests: what is published to the subscriber goes to the peer. The stream
   * stays open until the subscriber was subscribed and its publisher ends.
   */
  public Requests streamingRequest(Route route, TransferOptions options) {
    Pair<Flow.Subscriber<byte[]>, CompletionStage<UnaryResponse>> both =
        subscribed(peer.streamingRequest(route, options));
    return new Requests(both.first(), both.second());
  }

  /**
   * As {@link #streamingRequest(Route, TransferOptions)}, encoded and decoded as the route says.
   */
  public <Q, R> TypedRequests<Q, R> streamingRequest(
      TypedRoute<Q, R> route, TransferOptions options) {
    Pair<Flow.Subscriber<Q>, CompletionStage<TypedResponse<R>>> both =
        subscribed(peer.streamingRequest(route, options));
    return new TypedRequests<>(both.first(), both.second());
  }

  private <T, M> Pair<Flow.Subscriber<T>, M> subscribed(Sink<T, M> sink) {
    return JavaFlowSupport.Source.<T>asSubscriber().toMat(sink, Keep.both()).run(materializer);
  }

  /**
   * Opens a stream both ways: what is published to the processor goes to the peer, and it publishes
   * what comes from there. It may be subscribed to once.
   */
  public Flow.Processor<byte[], byte[]> bidirectional(Route route, TransferOptions options) {
    return processor(peer.bidirectional(route, options));
  }

  /**
   * The same.
   *
   * @param headers is given the response's headers, ahead of its first element, on the stream's
   *     thread; what it throws fails the stream both ways, at the peer too
   */
  public Flow.Processor<byte[], byte[]> bidirectional(
      Route route, TransferOptions options, Consumer<byte[]> headers) {
    return processor(telling(peer.bidirectional(route, options), headers));
  }

  /** As {@link #bidirectional(Route, TransferOptions)}, encoded and decoded as the route says. */
  public <Q, R> Flow.Processor<Q, R> bidirectional(
      TypedRoute<Q, R> route, TransferOptions options) {
    return processor(peer.bidirectional(route, options));
  }

  /**
   * As {@link #bidirectional(Route, TransferOptions, Consumer)}, encoded and decoded as the route
   * says.
   */
  public <Q, R> Flow.Processor<Q, R> bidirectional(
      TypedRoute<Q, R> route, TransferOptions options, Consumer<byte[]> headers) {
    return processor(telling(peer.bidirectional(route, options), headers));
  }

  private <Q, R> Flow.Processor<Q, R> processor(
      org.apache.pekko.stream.javadsl.Flow<Q, R, ?> elements) {
    return JavaFlowSupport.Flow.toProcessor(elements).run(materializer);
  }

  /** Each direction ends by itself, so each has to be failed. */
  private static <Q, R> org.apache.pekko.stream.javadsl.Flow<Q, R, ?> telling(
      org.apache.pekko.stream.javadsl.Flow<Q, R, CompletionStage<byte[]>> elements,
      Consumer<byte[]> headers) {
    FailureGuard<Q> asked = new FailureGuard<>();
    FailureGuard<R> answered = new FailureGuard<>();
    Consumer<Throwable> both =
        failure -> {
          answered.fail(failure);
          asked.fail(failure);
        };
    return org.apache.pekko.stream.javadsl.Flow.<Q>create()
        .via(asked)
        .viaMat(elements, Keep.right())
        .mapMaterializedValue(came -> came.thenAccept(failing(headers, both)))
        .via(answered);
  }

  /**
   * Bytes that the peer names, as buffers that cannot be written; each subscription is one
   * transfer. What was seen is all there is only when the publisher has completed. What {@link
   * Peer#bulkSource} says holds.
   */
  public Flow.Publisher<ByteBuffer> bulkSource(Route route, TransferOptions options) {
    return new FlowPublisher<>(
        peer.bulkSource(route, options).map(ByteString::asByteBuffer), materializer);
  }

  /**
   * Begins a bulk write of what is published to the subscriber: what remains in each buffer, which
   * is copied when it is taken. The transfer stays open until the subscriber was subscribed and its
   * publisher ends. What {@link Peer#bulkSink} says holds.
   */
  public BulkWrite bulkSink(Route route, TransferOptions options) {
    Pair<Flow.Subscriber<ByteBuffer>, CompletionStage<BulkReceipt>> both =
        subscribed(
            org.apache.pekko.stream.javadsl.Flow.<ByteBuffer>create()
                .map(ByteString::fromByteBuffer)
                .toMat(peer.bulkSink(route, options), Keep.right()));
    return new BulkWrite(both.first(), both.second());
  }

  /**
   * A stream of requests that is open.
   *
   * @param subscriber takes the requests, of one publisher
   * @param response the one response; fails with {@link CallException}
   */
  public record Requests(
      Flow.Subscriber<byte[]> subscriber, CompletionStage<UnaryResponse> response) {}

  /**
   * The same of a typed route.
   *
   * @param subscriber takes the requests, of one publisher
   * @param response the one response; fails with {@link CallException}
   */
  public record TypedRequests<Q, R>(
      Flow.Subscriber<Q> subscriber, CompletionStage<TypedResponse<R>> response) {}

  /**
   * A bulk write that has begun.
   *
   * @param subscriber takes the bytes, of one publisher
   * @param receipt completes when the peer has verified all bytes and completed its target; fails
   *     with {@link CallException}
   */
  public record BulkWrite(
      Flow.Subscriber<ByteBuffer> subscriber, CompletionStage<BulkReceipt> receipt) {}
}
