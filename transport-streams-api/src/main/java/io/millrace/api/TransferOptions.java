package io.millrace.api;

import java.util.Objects;

/**
 * How a transfer is treated.
 *
 * @param priority 0, served first, to 7
 * @param headers bytes that travel ahead of the payload; at most {@code millrace.limits.headers}
 */
public record TransferOptions(int priority, byte[] headers) {
  private static final byte[] NO_BYTES = {};
  static final int LOWEST_PRIORITY = 7;
  private static final int USUAL_PRIORITY = 3;

  /** Priority 3, no headers. */
  public static final TransferOptions DEFAULTS = new TransferOptions(USUAL_PRIORITY, NO_BYTES);

  /** Checks the range of the priority, and that there are headers. */
  public TransferOptions {
    Objects.requireNonNull(headers, "headers");
    if (priority < 0 || priority > LOWEST_PRIORITY) {
      throw new IllegalArgumentException("priority " + priority + " is not within 0 to 7");
    }
  }

  /** These options with another priority, 0 to 7. */
  public TransferOptions withPriority(int priority) {
    return new TransferOptions(priority, headers);
  }

  /** These options with these headers, which must not be changed afterwards. */
  public TransferOptions withHeaders(byte[] headers) {
    return new TransferOptions(priority, headers);
  }
}
