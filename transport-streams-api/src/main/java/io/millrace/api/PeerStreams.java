package io.millrace.api;

import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.stream.StreamCall;
import io.millrace.actor.submission.FailureText;
import io.millrace.config.TransportSettings;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.Route;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;

/** Opens streams to one peer; each materialization is one. Any thread. */
final class PeerStreams {
  private static final byte[] NO_BYTES = {};

  private final PeerHandle handle;
  private final TransportSettings settings;

  PeerStreams(PeerHandle handle, TransportSettings settings) {
    this.handle = handle;
    this.settings = settings;
  }

  Source<byte[], CompletionStage<byte[]>> response(UnaryRequest request) {
    return Source.fromGraph(
        new CallerSource(
            handle,
            () ->
                call(
                    StreamPattern.STREAMING_RESPONSE,
                    request.route(),
                    request.options(),
                    request.payload())));
  }

  Sink<byte[], CompletionStage<UnaryResponse>> request(Route route, TransferOptions options) {
    return flow(StreamPattern.STREAMING_REQUEST, route, options)
        .toMat(Sink.lastOption(), this::response);
  }

  private CompletionStage<UnaryResponse> response(
      CallerFlow.Opened opened, CompletionStage<Optional<byte[]>> last) {
    EndingFuture<UnaryResponse> future = new EndingFuture<>(handle);
    future.ends(opened.call());
    opened
        .headers()
        .thenCombine(
            last,
            (bytes, payload) ->
                new UnaryResponse(bytes, payload.orElseThrow(PeerStreams::noResponse)))
        .whenComplete(
            (response, failure) -> {
              if (failure == null) {
                future.answer(response);
              } else {
                future.fail(FailureText.cause(failure));
              }
            });
    return future;
  }

  Flow<byte[], byte[], CompletionStage<byte[]>> bidirectional(
      Route route, TransferOptions options) {
    return flow(StreamPattern.BIDIRECTIONAL, route, options)
        .mapMaterializedValue(CallerFlow.Opened::headers);
  }

  private Flow<byte[], byte[], CallerFlow.Opened> flow(
      int pattern, Route route, TransferOptions options) {
    return Flow.fromGraph(new CallerFlow(handle, () -> call(pattern, route, options, NO_BYTES)));
  }

  private StreamCall call(int pattern, Route route, TransferOptions options, byte[] payload) {
    StreamCall call =
        new StreamCall(
            handle.link(),
            handle.port(),
            pattern,
            new StreamCall.Opening(route.id(), options.priority(), options.headers(), payload),
            settings);
    call.expireAfter(options.deadline().toNanos());
    return call;
  }

  private static CallException noResponse() {
    return new CallException(CallOutcome.HANDLER_FAILED, "the peer gave no response");
  }
}
