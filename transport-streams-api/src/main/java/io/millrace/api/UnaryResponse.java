package io.millrace.api;

/**
 * One response; the receiver owns the arrays.
 *
 * @param headers bytes that the handler put ahead of the payload
 * @param payload the answer
 */
public record UnaryResponse(byte[] headers, byte[] payload) {
  private static final byte[] NO_BYTES = {};

  /** A response without headers. */
  public static UnaryResponse of(byte[] payload) {
    return new UnaryResponse(NO_BYTES, payload);
  }
}
