package io.millrace.api;

import io.millrace.api.codec.Codec;
import io.millrace.wire.RouteId;
import java.util.Objects;
import org.apache.pekko.util.ByteString;

/**
 * What both sides agree on: the name under which a node serves, and how messages are encoded.
 * Immutable; make one and share it. Only a hash of the name travels: a node that serves two names
 * of one hash is told so at once.
 *
 * <p>One route may be served once for calls and bulk reads, once for streams and once for bulk
 * writes. Bulk has no messages: there any route will do, and {@link #bytes} is the shortest.
 *
 * @param <Q> what is asked
 * @param <R> what is answered
 */
public final class Route<Q, R> {
  private final RouteId id;
  private final Codec<Q> requests;
  private final Codec<R> responses;

  /** Made once: a call that waits holds no more of its route than it must. */
  private final FutureCall.Answer<R> answers;

  private Route(RouteId id, Codec<Q> requests, Codec<R> responses) {
    this.id = id;
    this.requests = Objects.requireNonNull(requests, "requests");
    this.responses = Objects.requireNonNull(responses, "responses");
    answers = (headers, payload) -> Coding.decodeResponse(responses, payload);
  }

  /**
   * The route of this name.
   *
   * @param name 1 to 256 bytes of UTF-8
   * @param requests encodes at the caller, decodes at the handler
   * @param responses encodes at the handler, decodes at the caller
   * @throws IllegalArgumentException if the name is empty or longer than 256 bytes
   */
  public static <Q, R> Route<Q, R> of(String name, Codec<Q> requests, Codec<R> responses) {
    return new Route<>(RouteId.of(name), requests, responses);
  }

  /** The route of this name, whose messages are bytes. */
  public static Route<ByteString, ByteString> bytes(String name) {
    return of(name, Codec.bytes(), Codec.bytes());
  }

  /** What it is served under. */
  public String name() {
    return id.name();
  }

  RouteId id() {
    return id;
  }

  Codec<Q> requests() {
    return requests;
  }

  /** Makes what a caller gets of what came. */
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
