package io.millrace.api;

import io.millrace.actor.submission.FailureText;
import io.millrace.api.codec.CodecException;
import io.millrace.protocol.transfer.CallOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;

/** The caller's side of typed routes, over the byte-level patterns of a peer. Any thread. */
final class TypedCalls {
  private TypedCalls() {}

  static <Q, R> CompletableFuture<TypedResponse<R>> unary(
      Peer peer, TypedRoute<Q, R> route, Q value, TransferOptions options) {
    UnaryRequest request;
    try {
      request = request(route, value, options);
    } catch (CodecException e) {
      return CompletableFuture.failedFuture(unencoded(e));
    }
    return decoded(route, peer.unary(request));
  }

  static <Q, R> Source<R, CompletionStage<byte[]>> streamingResponse(
      Peer peer, TypedRoute<Q, R> route, Q value, TransferOptions options) {
    UnaryRequest request;
    try {
      request = request(route, value, options);
    } catch (CodecException e) {
      CallException failure = unencoded(e);
      return Source.<R>failed(failure)
          .mapMaterializedValue(_ -> CompletableFuture.<byte[]>failedFuture(failure));
    }
    return peer.streamingResponse(request).via(responses(route));
  }

  static <Q, R> Sink<Q, CompletionStage<TypedResponse<R>>> streamingRequest(
      Peer peer, TypedRoute<Q, R> route, TransferOptions options) {
    return requests(route)
        .watchTermination(Keep.right())
        .toMat(
            peer.streamingRequest(route.route(), options),
            (requests, response) -> failingWith(requests, decoded(route, response)));
  }

  static <Q, R> Flow<Q, R, CompletionStage<byte[]>> bidirectional(
      Peer peer, TypedRoute<Q, R> route, TransferOptions options) {
    return requests(route)
        .viaMat(peer.bidirectional(route.route(), options), Keep.right())
        .via(responses(route));
  }

  private static <Q, R> UnaryRequest request(
      TypedRoute<Q, R> route, Q value, TransferOptions options) {
    return new UnaryRequest(route.route(), Coding.encodeRequest(route.requests(), value), options);
  }

  private static <Q, R> Flow<Q, byte[], NotUsed> requests(TypedRoute<Q, R> route) {
    return Coding.strict(
        Flow.<Q>create().map(value -> Coding.encodeRequest(route.requests(), value)));
  }

  private static <Q, R> Flow<byte[], R, NotUsed> responses(TypedRoute<Q, R> route) {
    return Coding.strict(
        Flow.<byte[]>create().map(message -> Coding.decodeResponse(route.responses(), message)));
  }

  /** Decodes where the response completes; its failure is passed on as it is. */
  private static <Q, R> CompletableFuture<TypedResponse<R>> decoded(
      TypedRoute<Q, R> route, CompletionStage<UnaryResponse> response) {
    CompletableFuture<UnaryResponse> call = response.toCompletableFuture();
    CallFuture<TypedResponse<R>> decoded =
        new CallFuture<>() {
          @Override
          protected void end() {
            call.cancel(false);
          }
        };
    response.whenComplete(
        (bytes, failure) -> {
          try {
            if (bytes == null) {
              decoded.fail(FailureText.cause(failure));
            } else {
              R value = Coding.decodeResponse(route.responses(), bytes.payload());
              decoded.answer(new TypedResponse<>(bytes.headers(), value));
            }
          } catch (CallException e) {
            decoded.fail(e);
          }
        });
    return decoded;
  }

  /** A request that cannot be encoded is what the caller is told, not what the peer makes of it. */
  private static <R> CompletionStage<TypedResponse<R>> failingWith(
      CompletionStage<Done> requests, CompletableFuture<TypedResponse<R>> response) {
    requests.whenComplete(
        (done, failure) -> {
          if (failure instanceof CodecException e) {
            response.completeExceptionally(unencoded(e));
          }
        });
    return response;
  }

  private static CallException unencoded(CodecException failure) {
    return new CallException(CallOutcome.SOURCE_FAILED, failure);
  }
}
