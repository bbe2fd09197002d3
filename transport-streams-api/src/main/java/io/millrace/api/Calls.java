package io.millrace.api;

import io.millrace.api.codec.Codec;
import io.millrace.api.codec.CodecException;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;

/** The caller's side of routes, over the streams of a peer. Any thread. */
final class Calls {
  private Calls() {}

  static <Q, R> Source<R, CompletionStage<Headers>> streamingResponse(
      PeerStreams streams, Route<Q, R> route, Q value, TransferOptions options) {
    UnaryRequest request;
    try {
      byte[] payload = Coding.encodeRequest(route.requests(), value);
      request = new UnaryRequest(route.id(), payload, options);
    } catch (CodecException e) {
      CallException failure = unencoded(e);
      return Source.<R>failed(failure)
          .mapMaterializedValue(_ -> CompletableFuture.<Headers>failedFuture(failure));
    }
    return streams.response(request, responses(route)).mapMaterializedValue(Calls::decoded);
  }

  static <Q, R> Sink<Q, Call<R>> streamingRequest(
      PeerStreams streams, Route<Q, R> route, TransferOptions options) {
    return streams.request(route.id(), options, requests(route), route.answers());
  }

  static <Q, R> Flow<Q, R, CompletionStage<Headers>> bidirectional(
      PeerStreams streams, Route<Q, R> route, TransferOptions options) {
    return streams
        .bidirectional(route.id(), options, requests(route), responses(route))
        .mapMaterializedValue(Calls::decoded);
  }

  private static CompletionStage<Headers> decoded(CompletionStage<byte[]> block) {
    return block.thenApply(Headers::decode);
  }

  private static <Q> Function<Q, byte[]> requests(Route<Q, ?> route) {
    Codec<Q> codec = route.requests();
    return value -> Coding.encodeRequest(codec, value);
  }

  private static <R> Function<byte[], R> responses(Route<?, R> route) {
    Codec<R> codec = route.responses();
    return message -> Coding.decodeResponse(codec, message);
  }

  static CallException unencoded(CodecException failure) {
    return new CallException(CallOutcome.SOURCE_FAILED, failure);
  }
}
