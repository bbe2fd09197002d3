package io.millrace.api;

import java.util.Objects;

/**
 * One response, before it is encoded or after it was decoded.
 *
 * @param headers bytes ahead of the payload; the receiver owns the array
 * @param value the answer
 */
public record TypedResponse<R>(byte[] headers, R value) {
  private static final byte[] NO_BYTES = {};

  /** Neither may be null. */
  public TypedResponse {
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(value, "value");
  }

  /** A response without headers. */
  public static <R> TypedResponse<R> of(R value) {
    return new TypedResponse<>(NO_BYTES, value);
  }
}
