package io.millrace.api;

import java.util.Objects;

/**
 * One response; the receiver owns the arrays.
 *
 * @param headers bytes that the handler put ahead of the payload
 * @param payload the answer
 */
record UnaryResponse(byte[] headers, byte[] payload) {
  private static final byte[] NO_BYTES = {};

  /** Neither array may be null. */
  public UnaryResponse {
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(payload, "payload");
  }

  /** A response without headers. */
  public static UnaryResponse of(byte[] payload) {
    return new UnaryResponse(NO_BYTES, payload);
  }
}
