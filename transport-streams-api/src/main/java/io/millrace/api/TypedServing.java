package io.millrace.api;

import io.millrace.api.codec.CodecException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Source;

/** The serving side of typed routes, as handlers of the byte-level patterns. Any thread. */
final class TypedServing {
  private TypedServing() {}

  static <Q, R> UnaryHandler unary(
      TypedRoute<Q, R> route,
      TypedHandler<TypedCall<Q>, CompletionStage<TypedResponse<R>>> handler) {
    return call -> {
      CompletionStage<TypedResponse<R>> answer = handler.answer(decoded(route, call));
      CompletionStage<UnaryResponse> encoded =
          answer.thenApply(response -> encoded(route, response));
      if (HandlerFuture.isOpen(answer)) {
        // The caller may give the call up: then the one is cancelled, and the other with it.
        encoded.whenComplete((response, failure) -> HandlerFuture.cancel(answer));
      }
      return encoded;
    };
  }

  static <Q, R> StreamingResponseHandler streamingResponse(
      TypedRoute<Q, R> route, TypedHandler<TypedCall<Q>, TypedStreamingResponse<R>> handler) {
    return call -> {
      TypedStreamingResponse<R> response = handler.answer(decoded(route, call));
      return new StreamingResponse(response.headers(), encoded(route, response.elements()));
    };
  }

  static <Q, R> StreamingRequestHandler streamingRequest(
      TypedRoute<Q, R> route,
      TypedHandler<TypedStreamingCall<Q>, CompletionStage<TypedResponse<R>>> handler) {
    return call -> {
      CompletableFuture<UnaryResponse> answer = new CompletableFuture<>();
      CompletionStage<TypedResponse<R>> given =
          handler.answer(decoded(route, call, answer::completeExceptionally));
      given
          .thenApply(response -> encoded(route, response))
          .whenComplete(
              (response, failure) -> {
                if (failure == null) {
                  answer.complete(response);
                } else {
                  answer.completeExceptionally(failure);
                }
              });
      if (HandlerFuture.isOpen(given)) {
        // The answer may be decided first: the caller has gone, or sent what cannot be decoded.
        var _ = answer.whenComplete((response, failure) -> HandlerFuture.cancel(given));
      }
      return answer;
    };
  }

  static <Q, R> BidirectionalHandler bidirectional(
      TypedRoute<Q, R> route,
      TypedHandler<TypedStreamingCall<Q>, TypedStreamingResponse<R>> handler) {
    return call -> {
      FailureGuard<byte[]> guard = new FailureGuard<>();
      TypedStreamingResponse<R> response = handler.answer(decoded(route, call, guard::fail));
      return new StreamingResponse(
          response.headers(), encoded(route, response.elements()).via(guard));
    };
  }

  private static <Q, R> TypedCall<Q> decoded(TypedRoute<Q, R> route, UnaryCall call) {
    try {
      Q value = Coding.decodeRequest(route.requests(), call.payload());
      return new TypedCall<>(call.peer(), call.priority(), call.headers(), value);
    } catch (CodecException e) {
      throw new UndecodedRequestException(e);
    }
  }

  private static <Q, R> TypedStreamingCall<Q> decoded(
      TypedRoute<Q, R> route, StreamingCall call, Consumer<Throwable> undecoded) {
    return new TypedStreamingCall<>(
        call.peer(),
        call.priority(),
        call.headers(),
        call.elements().via(Coding.requests(route.requests(), undecoded)));
  }

  private static <Q, R> UnaryResponse encoded(TypedRoute<Q, R> route, TypedResponse<R> response) {
    Objects.requireNonNull(response, "the handler answered null");
    return new UnaryResponse(
        response.headers(), Coding.encodeResponse(route.responses(), response.value()));
  }

  private static <Q, R> Source<byte[], ?> encoded(TypedRoute<Q, R> route, Source<R, ?> elements) {
    return elements.via(
        Coding.strict(
            Flow.<R>create().map(value -> Coding.encodeResponse(route.responses(), value))));
  }
}
