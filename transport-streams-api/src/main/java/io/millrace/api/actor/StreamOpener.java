package io.millrace.api.actor;

import io.millrace.api.actor.StreamEnds.Arriving;
import io.millrace.api.actor.StreamEnds.Outgoing;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Keep;

/**
 * Opens streams to peers; throws what the peer's methods throw. On the transport actor's thread.
 */
final class StreamOpener {
  private final NamedPeers peers;
  private final Materializer materializer;

  StreamOpener(NamedPeers peers, Materializer materializer) {
    this.peers = peers;
    this.materializer = materializer;
  }

  StreamEnds open(TransportCommand.OpenStreamingResponse command) {
    Pair<CompletionStage<byte[]>, Arriving> ends =
        peers
            .peer(command.peer())
            .streamingResponse(command.request())
            .toMat(StreamEnds.sink(), Keep.both())
            .run(materializer);
    return new StreamEnds(null, ends.second(), ends.first(), null, null, null);
  }

  StreamEnds open(TransportCommand.OpenStreamingRequest command) {
    return StreamEnds.source()
        .toMat(
            peers.peer(command.peer()).streamingRequest(command.route(), command.options()),
            (outgoing, response) -> new StreamEnds(outgoing, null, null, response, null, null))
        .run(materializer);
  }

  StreamEnds open(TransportCommand.OpenBidirectional command) {
    Pair<Pair<Outgoing, CompletionStage<byte[]>>, Arriving> ends =
        StreamEnds.source()
            .viaMat(
                peers.peer(command.peer()).bidirectional(command.route(), command.options()),
                Keep.both())
            .toMat(StreamEnds.sink(), Keep.both())
            .run(materializer);
    return new StreamEnds(
        ends.first().first(), ends.second(), ends.first().second(), null, null, null);
  }
}
