package io.millrace.api;

import io.millrace.api.codec.Codec;
import io.millrace.transfer.RetryPolicy;
import io.millrace.wire.RouteId;
import java.util.Objects;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A service name and the codecs of its messages, on which caller and handler agree. Immutable;
 * create one route and share the instance. Only a hash of the name travels: a node that serves two
 * names with the same hash gets an error at once.
 *
 * <p>One route may be served once for calls and bulk reads, once for streams and once for bulk
 * writes. Bulk transfers have no messages: any route is good for bulk, and {@link #bytes} is the
 * shortest to write.
 *
 * @param <Q> the requests
 * @param <R> the responses
 */
public final class Route<Q, R> {
  private final RouteId id;
  private final Codec<Q> requests;
  private final Codec<R> responses;

  /** Created once: a waiting call holds only this part of its route. */
  private final FutureCall.Answer<R> answers;

  private final boolean isIdempotent;
  private final @Nullable RetryPolicy retry;

  /** Creates a route that decodes its single responses by {@code answers}. */
  Route(RouteId id, Codec<Q> requests, Codec<R> responses, FutureCall.Answer<R> answers) {
    this(id, requests, responses, new Named<>(id, answers), false, null);
  }

  private Route(
      RouteId id,
      Codec<Q> requests,
      Codec<R> responses,
      FutureCall.Answer<R> answers,
      boolean isIdempotent,
      @Nullable RetryPolicy retry) {
    this.id = id;
    this.requests = Objects.requireNonNull(requests, "requests");
    this.responses = Objects.requireNonNull(responses, "responses");
    this.answers = answers;
    this.isIdempotent = isIdempotent;
    this.retry = retry;
  }

  /** The decoder of responses, with the route's name for the texts of failures. */
  private record Named<R>(RouteId id, FutureCall.Answer<R> decoder)
      implements FutureCall.Answer<R> {
    @Override
    public R of(byte[] headers, byte[] payload) {
      return decoder.of(headers, payload);
    }

    @Override
    public String route() {
      return id.name();
    }
  }

  /**
   * Returns the route of this name.
   *
   * @param name 1 to 256 bytes of UTF-8
   * @param requests the codec of requests: encodes at the caller, decodes at the handler
   * @param responses the codec of responses: encodes at the handler, decodes at the caller
   * @throws IllegalArgumentException if the name is empty or longer than 256 bytes
   */
  public static <Q, R> Route<Q, R> of(String name, Codec<Q> requests, Codec<R> responses) {
    return new Route<>(
        RouteId.of(name),
        requests,
        responses,
        (headers, payload) -> Coding.decodeResponse(responses, payload));
  }

  /** Returns the route of this name with bytes as messages. */
  public static Route<ByteString, ByteString> bytes(String name) {
    return of(name, Codec.bytes(), Codec.bytes());
  }

  /**
   * Returns the same route, declared idempotent: another execution of a unary call does no harm, so
   * the node may try a failed call again, as with {@link TransferOptions#withIdempotent}. Matters
   * at the caller only.
   */
  public Route<Q, R> idempotent() {
    return new Route<>(id, requests, responses, answers, true, retry);
  }

  /**
   * Returns the same route with a policy for its unary calls, as with {@link
   * TransferOptions#withRetry}; the options of a call count before the policy. Matters at the
   * caller only.
   */
  public Route<Q, R> withRetry(RetryPolicy policy) {
    return new Route<>(
        id, requests, responses, answers, isIdempotent, Objects.requireNonNull(policy, "policy"));
  }

  /** Whether the route is declared {@link #idempotent}. */
  public boolean isIdempotent() {
    return isIdempotent;
  }

  /** The policy of the route's calls, or null. */
  @Nullable RetryPolicy retry() {
    return retry;
  }

  /** Returns the name of the route. */
  public String name() {
    return id.name();
  }

  RouteId id() {
    return id;
  }

  Codec<Q> requests() {
    return requests;
  }

  /** Returns the function that decodes a response for the caller. */
  FutureCall.Answer<R> answers() {
    return answers;
  }

  Codec<R> responses() {
    return responses;
  }

  @Override
  public String toString() {
    return "Route[" + id.name() + "]";
  }
}
