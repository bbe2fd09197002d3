package io.millrace.api.actor;

import io.millrace.api.StreamingCall;
import io.millrace.api.StreamingResponse;
import io.millrace.api.UnaryCall;
import io.millrace.api.UnaryResponse;
import io.millrace.api.actor.StreamEnds.Outgoing;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;

/**
 * The handlers of one served route of streams. They run the stream's ends in the materializer of
 * the transport's actor, with which they end, and hand them over to that actor. On the transport's
 * executor.
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
    Pair<Outgoing, Source<byte[], NotUsed>> outgoing = outgoing();
    handOver(
        new StreamCame.Opening(call.peer(), call.priority(), call.headers(), call.payload()),
        new StreamEnds(outgoing.first(), null, null, null, null));
    return StreamingResponse.of(outgoing.second());
  }

  CompletionStage<UnaryResponse> onStreamingRequest(StreamingCall call) {
    CompletableFuture<UnaryResponse> answer = new CompletableFuture<>();
    if (route.track(answer)) {
      handOver(opening(call), new StreamEnds(null, incoming(call), null, null, answer));
    }
    return answer;
  }

  StreamingResponse onBidirectional(StreamingCall call) {
    route.check();
    Pair<Outgoing, Source<byte[], NotUsed>> outgoing = outgoing();
    handOver(opening(call), new StreamEnds(outgoing.first(), incoming(call), null, null, null));
    return StreamingResponse.of(outgoing.second());
  }

  private Pair<Outgoing, Source<byte[], NotUsed>> outgoing() {
    return StreamEnds.source().preMaterialize(materializer);
  }

  private SinkQueueWithCancel<byte[]> incoming(StreamingCall call) {
    return call.elements().runWith(StreamEnds.sink(), materializer);
  }

  private void handOver(StreamCame.Opening opening, StreamEnds ends) {
    transport.tell(new StreamCame(route, opening, ends));
  }

  private static StreamCame.Opening opening(StreamingCall call) {
    return new StreamCame.Opening(call.peer(), call.priority(), call.headers(), NO_BYTES);
  }
}
