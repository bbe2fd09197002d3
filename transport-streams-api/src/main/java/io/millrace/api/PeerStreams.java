package io.millrace.api;

import io.millrace.api.codec.CodecException;
import io.millrace.config.TransportSettings;
import io.millrace.ends.FailureText;
import io.millrace.path.peer.PeerHandle;
import io.millrace.path.stream.StreamCall;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;

/** Opens streams to one peer, one stream for each materialization. Any thread. */
final class PeerStreams {
  private static final byte[] NO_BYTES = {};

  private final Supplier<PeerHandle> handles;
  private final TransportSettings settings;
  private final Spans spans;

  PeerStreams(Supplier<PeerHandle> handles, TransportSettings settings, Spans spans) {
    this.spans = spans;
    this.handles = handles;
    this.settings = settings;
  }

  <R> Source<R, CompletionStage<byte[]>> response(
      UnaryRequest request, Function<byte[], R> decoder) {
    return Source.fromGraph(
        new CallerSource<>(
            handles,
            (peer, logic) ->
                call(
                    peer,
                    logic,
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
    EndingFuture<R> future = new EndingFuture<>(opened.peer());
    future.ends(opened.call());
    // The caller gets the failed encoding of the request, not the peer's answer to this failure.
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
              } catch (RuntimeException | Error e) {
                future.fail(CallException.notDecoded(e));
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
        new CallerFlow<>(
            handles,
            (peer, logic) -> call(peer, logic, pattern, route, options, NO_BYTES),
            encoder,
            decoder));
  }

  private StreamCall call(
      PeerHandle peer,
      ElementLogic logic,
      int pattern,
      RouteId route,
      TransferOptions options,
      byte[] payload) {
    String name = Spans.patternOf(pattern);
    long bytes = Spans.requestBytes(name, payload);
    Spans.CallSpan span = spans.begin(peer.identity(), route, name, bytes, options);
    StreamCall call = call(peer, pattern, route, span.with(options), payload);
    span.stream(call, logic);
    return call;
  }

  private StreamCall call(
      PeerHandle peer, int pattern, RouteId route, TransferOptions options, byte[] payload) {
    StreamCall call =
        new StreamCall(
            peer.link(options.dependencies()),
            peer.port(),
            pattern,
            new StreamCall.Opening(route.id(), options.priority(), options.headerBlock(), payload),
            settings);
    call.expireAfter(options.deadline().toNanos());
    call.dependOn(options.dependencies(), peer.port().causality());
    return call;
  }

  private static CallException noResponse() {
    return new CallException(CallOutcome.HANDLER_FAILED, "the peer gave no response");
  }
}
