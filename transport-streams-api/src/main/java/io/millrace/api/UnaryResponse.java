package io.millrace.api;

import java.util.Objects;

/**
 * One response; the receiver owns the arrays.
 *
 * @param headers bytes ahead of the payload, from the handler
 * @param payload the answer
 */
record UnaryResponse(byte[] headers, byte[] payload) {
  private static final byte[] NO_BYTES = {};

  /** Checks that both arrays are not null. */
  public UnaryResponse {
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(payload, "payload");
  }

  /** Returns a response without headers. */
  public static UnaryResponse of(byte[] payload) {
    return new UnaryResponse(NO_BYTES, payload);
  }
}
