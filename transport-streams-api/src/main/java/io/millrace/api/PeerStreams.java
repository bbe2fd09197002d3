package io.millrace.api;

import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.stream.StreamCall;
import io.millrace.actor.submission.FailureText;
import io.millrace.api.codec.CodecException;
import io.millrace.config.TransportSettings;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
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

  <R> Source<R, CompletionStage<byte[]>> response(
      UnaryRequest request, Function<byte[], R> decoder) {
    return Source.fromGraph(
        new CallerSource<>(
            handle,
            () ->
                call(
                    StreamPattern.STREAMING_RESPONSE,
                    request.route(),
                    request.options(),
                    request.payload()),
            decoder));
  }

  <Q, R> Sink<Q, Call<R>> request(
      RouteId route,
      TransferOptions options,
      Function<Q, byte[]> encoder,
      FutureCall.Answer<R> answer) {
    return flow(
            StreamPattern.STREAMING_REQUEST, route, options, encoder, Function.<byte[]>identity())
        .toMat(Sink.lastOption(), (opened, last) -> response(opened, last, answer));
  }

  private <R> Call<R> response(
      CallerFlow.Opened opened,
      CompletionStage<Optional<byte[]>> last,
      FutureCall.Answer<R> answer) {
    EndingFuture<R> future = new EndingFuture<>(handle);
    future.ends(opened.call());
    // A request that cannot be encoded is what the caller is told, not what the peer makes of it.
    opened.onFailure(
        failure -> {
          if (failure instanceof CodecException e) {
            future.completeExceptionally(Calls.unencoded(e));
          }
        });
    opened
        .headers()
        .thenCombine(
            last,
            (bytes, payload) ->
                new UnaryResponse(bytes, payload.orElseThrow(PeerStreams::noResponse)))
        .whenComplete(
            (response, failure) -> {
              try {
                if (response == null) {
                  future.fail(FailureText.cause(failure));
                } else {
                  byte[] headers = response.headers();
                  future.answer(headers, answer.of(headers, response.payload()));
                }
              } catch (CallException e) {
                future.fail(e);
              }
            });
    return future;
  }

  <Q, R> Flow<Q, R, CompletionStage<byte[]>> bidirectional(
      RouteId route,
      TransferOptions options,
      Function<Q, byte[]> encoder,
      Function<byte[], R> decoder) {
    return flow(StreamPattern.BIDIRECTIONAL, route, options, encoder, decoder)
        .mapMaterializedValue(CallerFlow.Opened::headers);
  }

  private <Q, R> Flow<Q, R, CallerFlow.Opened> flow(
      int pattern,
      RouteId route,
      TransferOptions options,
      Function<Q, byte[]> encoder,
      Function<byte[], R> decoder) {
    return Flow.fromGraph(
        new CallerFlow<>(handle, () -> call(pattern, route, options, NO_BYTES), encoder, decoder));
  }

  private StreamCall call(int pattern, RouteId route, TransferOptions options, byte[] payload) {
    StreamCall call =
        new StreamCall(
            handle.link(),
            handle.port(),
            pattern,
            new StreamCall.Opening(route.id(), options.priority(), options.headerBlock(), payload),
            settings);
    call.expireAfter(options.deadline().toNanos());
    call.dependOn(options.dependencies(), handle.port().causality());
    return call;
  }

  private static CallException noResponse() {
    return new CallException(CallOutcome.HANDLER_FAILED, "the peer gave no response");
  }
}
