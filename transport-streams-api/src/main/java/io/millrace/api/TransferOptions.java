package io.millrace.api;

import io.millrace.crypto.Protection;
import java.util.Objects;

/**
 * How a transfer is treated.
 *
 * @param priority 0, served first, to 7
 * @param headers bytes that travel ahead of the payload; at most {@code millrace.limits.headers}
 * @param protection of what this side sends: the payload of a bulk write, and of a unary request
 *     that does not fit a datagram. What fits one, headers and streams are sealed, whatever is
 *     chosen; how a response is protected is the responder's choice
 */
public record TransferOptions(int priority, byte[] headers, Protection protection) {
  private static final byte[] NO_BYTES = {};
  static final int LOWEST_PRIORITY = 7;
  private static final int USUAL_PRIORITY = 3;

  /** Priority 3, no headers, sealed. */
  public static final TransferOptions DEFAULTS = new TransferOptions(USUAL_PRIORITY, NO_BYTES);

  /** Checks the range of the priority, and that there are headers and a protection. */
  public TransferOptions {
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(protection, "protection");
    if (priority < 0 || priority > LOWEST_PRIORITY) {
      throw new IllegalArgumentException("priority " + priority + " is not within 0 to 7");
    }
  }

  /** Options of a transfer that is sealed. */
  public TransferOptions(int priority, byte[] headers) {
    this(priority, headers, Protection.SEALED);
  }

  /** These options with another priority, 0 to 7. */
  public TransferOptions withPriority(int priority) {
    return new TransferOptions(priority, headers, protection);
  }

  /** These options with these headers, which must not be changed afterwards. */
  public TransferOptions withHeaders(byte[] headers) {
    return new TransferOptions(priority, headers, protection);
  }

  /** These options with another protection of the payload. */
  public TransferOptions withProtection(Protection protection) {
    return new TransferOptions(priority, headers, protection);
  }
}
