package io.millrace.api;

import io.millrace.actor.peer.ElementStream;
import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.peer.StreamCall;
import io.millrace.config.StreamSettings;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.Route;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;

/** Opens streams to one peer; each materialization is one. Any thread. */
final class PeerStreams {
  private static final byte[] NO_BYTES = {};

  private final PeerHandle handle;
  private final StreamSettings settings;

  PeerStreams(PeerHandle handle, StreamSettings settings) {
    this.handle = handle;
    this.settings = settings;
  }

  Source<byte[], CompletionStage<byte[]>> response(UnaryRequest request) {
    return Source.fromGraph(
        new CallerSource(
            () ->
                open(
                    StreamPattern.STREAMING_RESPONSE,
                    request.route(),
                    request.options(),
                    request.payload())));
  }

  Sink<byte[], CompletionStage<UnaryResponse>> request(Route route, TransferOptions options) {
    return flow(StreamPattern.STREAMING_REQUEST, route, options)
        .toMat(
            Sink.lastOption(),
            (headers, last) ->
                headers.thenCombine(
                    last,
                    (bytes, payload) ->
                        new UnaryResponse(bytes, payload.orElseThrow(PeerStreams::noResponse))));
  }

  Flow<byte[], byte[], CompletionStage<byte[]>> bidirectional(
      Route route, TransferOptions options) {
    return flow(StreamPattern.BIDIRECTIONAL, route, options);
  }

  private Flow<byte[], byte[], CompletionStage<byte[]>> flow(
      int pattern, Route route, TransferOptions options) {
    return Flow.fromGraph(new CallerFlow(() -> open(pattern, route, options, NO_BYTES)));
  }

  private ElementStream open(int pattern, Route route, TransferOptions options, byte[] payload) {
    StreamCall call =
        new StreamCall(
            handle, pattern, route.id(), options.priority(), options.headers(), payload, settings);
    handle.submit(call);
    return call.ends();
  }

  private static CallException noResponse() {
    return new CallException(CallOutcome.HANDLER_FAILED, "the peer gave no response");
  }
}
