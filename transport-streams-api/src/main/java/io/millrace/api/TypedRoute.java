package io.millrace.api;

import io.millrace.api.codec.Codec;
import io.millrace.wire.Route;
import java.util.Objects;

/**
 * What both sides of a route agree on: its name and how its messages are encoded. Immutable; make
 * one and share it.
 *
 * @param route which handler is meant
 * @param requests encodes at the caller, decodes at the handler
 * @param responses encodes at the handler, decodes at the caller
 * @param <Q> what is asked
 * @param <R> what is answered
 */
public record TypedRoute<Q, R>(Route route, Codec<Q> requests, Codec<R> responses) {
  /** Nothing may be null. */
  public TypedRoute {
    Objects.requireNonNull(route, "route");
    Objects.requireNonNull(requests, "requests");
    Objects.requireNonNull(responses, "responses");
  }

  /** The route of this name. */
  public static <Q, R> TypedRoute<Q, R> of(String name, Codec<Q> requests, Codec<R> responses) {
    return new TypedRoute<>(Route.of(name), requests, responses);
  }
}
