package io.millrace.api;

import io.millrace.wire.Route;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.JavaFlowSupport;
import org.apache.pekko.stream.javadsl.Keep;

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
   *     the stream's thread
   */
  public Flow.Publisher<byte[]> streamingResponse(UnaryRequest request, Consumer<byte[]> headers) {
    return new FlowPublisher<>(
        peer.streamingResponse(request).mapMaterializedValue(opened -> opened.thenAccept(headers)),
        materializer);
  }

  /**
   * Opens a stream of requests: what is published to the subscriber goes to the peer. The stream
   * stays open until the subscriber was subscribed and its publisher ends.
   */
  public Requests streamingRequest(Route route, TransferOptions options) {
    Pair<Flow.Subscriber<byte[]>, CompletionStage<UnaryResponse>> both =
        JavaFlowSupport.Source.<byte[]>asSubscriber()
            .toMat(peer.streamingRequest(route, options), Keep.both())
            .run(materializer);
    return new Requests(both.first(), both.second());
  }

  /**
   * Opens a stream both ways: what is published to the processor goes to the peer, and it publishes
   * what comes from there. It may be subscribed to once.
   */
  public Flow.Processor<byte[], byte[]> bidirectional(Route route, TransferOptions options) {
    return JavaFlowSupport.Flow.toProcessor(peer.bidirectional(route, options)).run(materializer);
  }

  /**
   * A stream of requests that is open.
   *
   * @param subscriber takes the requests, of one publisher
   * @param response the one response; fails with {@link CallException}
   */
  public record Requests(
      Flow.Subscriber<byte[]> subscriber, CompletionStage<UnaryResponse> response) {}
}
