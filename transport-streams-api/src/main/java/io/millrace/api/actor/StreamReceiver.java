package io.millrace.api.actor;

import io.millrace.api.StreamingCall;
import io.millrace.api.StreamingResponse;
import io.millrace.api.UnaryCall;
import io.millrace.api.UnaryResponse;
import io.millrace.api.actor.StreamEnds.Arriving;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.stream.Materializer;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of one served route of streams. They run the stream's ends and hand them over to the
 * transport's actor; on the way the route owns them. On the transport's executor.
 */
final class StreamReceiver {
  private static final byte[] NO_BYTES = {};

  private final ServedRoute<IncomingStream> route;
  private final ActorRef<TransportCommand> transport;
  private final Materializer materializer;

  StreamReceiver(
      ServedRoute<IncomingStream> route,
      ActorRef<TransportCommand> transport,
      Materializer materializer) {
    this.route = route;
    this.transport = transport;
    this.materializer = materializer;
  }

  StreamingResponse onStreamingResponse(UnaryCall call) {
    route.check();
    StreamCame.Opening opening =
        new StreamCame.Opening(call.peer(), call.priority(), call.headers(), call.payload());
    return response(opening, null);
  }

  CompletionStage<UnaryResponse> onStreamingRequest(StreamingCall call) {
    route.check();
    CompletableFuture<UnaryResponse> answer = new CompletableFuture<>();
    handOver(opening(call), new StreamEnds(null, incoming(call), null, null, answer, null));
    return answer;
  }

  StreamingResponse onBidirectional(StreamingCall call) {
    route.check();
    return response(opening(call), incoming(call));
  }

  /** The elements to the caller; the stream is handed over when the transport runs them. */
  private StreamingResponse response(StreamCame.Opening opening, @Nullable Arriving incoming) {
    CompletableFuture<byte[]> headers = new CompletableFuture<>();
    return new StreamingResponse(
        headers,
        StreamEnds.source()
            .mapMaterializedValue(
                outgoing -> {
                  handOver(opening, new StreamEnds(outgoing, incoming, null, null, null, headers));
                  return NotUsed.getInstance();
                }));
  }

  private Arriving incoming(StreamingCall call) {
    return call.elements().runWith(StreamEnds.sink(), materializer);
  }

  private void handOver(StreamCame.Opening opening, StreamEnds ends) {
    CompletableFuture<NotUsed> taken = new CompletableFuture<>();
    var _ =
        taken.whenComplete(
            (value, failure) -> {
              if (failure != null) {
                ends.end(failure);
              }
            });
    if (route.track(taken)) {
      transport.tell(new StreamCame(route, opening, ends, taken));
    }
  }

  private static StreamCame.Opening opening(StreamingCall call) {
    return new StreamCame.Opening(call.peer(), call.priority(), call.headers(), NO_BYTES);
  }
}
