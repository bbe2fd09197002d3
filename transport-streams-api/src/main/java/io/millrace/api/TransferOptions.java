package io.millrace.api;

import io.millrace.crypto.Protection;
import java.time.Duration;
import java.util.Objects;

/**
 * How a transfer is treated.
 *
 * @param priority 0, served first, to 7
 * @param headers bytes that travel ahead of the payload; at most {@code millrace.limits.headers} of
 *     this node, else the call throws, and of the peer, else it fails with {@code
 *     PAYLOAD_TOO_LARGE} before anything was sent
 * @param protection of what this side sends: the payload of a bulk write, and of a unary request
 *     that does not fit a datagram. What fits one, headers and streams are sealed, whatever is
 *     chosen; how a response is protected is the responder's choice
 * @param deadline how long after it was begun the transfer fails with {@code EXPIRED} unless it has
 *     ended, both flows of a stream together, and the peer is told to end its work on it; at most
 *     365 days, {@link Duration#ZERO} for never
 * @param expectedResponseBytes of headers and payload that the response of a unary call or a bulk
 *     read will have, as far as is known; 0 if it is not. A hint: if that is more than fits a
 *     datagram, the peer gets memory of this node for it with the request, from what is plentiful,
 *     and need not ask for it first, which is a round trip
 */
public record TransferOptions(
    int priority,
    byte[] headers,
    Protection protection,
    Duration deadline,
    long expectedResponseBytes) {
  private static final byte[] NO_BYTES = {};
  static final int LOWEST_PRIORITY = 7;
  private static final int USUAL_PRIORITY = 3;
  private static final Duration LONGEST = Duration.ofDays(365);

  /** Priority 3, no headers, sealed, no deadline. */
  public static final TransferOptions DEFAULTS = new TransferOptions(USUAL_PRIORITY, NO_BYTES);

  /** Checks the ranges of priority and deadline, and that nothing is missing. */
  public TransferOptions {
    Objects.requireNonNull(headers, "headers");
    Objects.requireNonNull(protection, "protection");
    Objects.requireNonNull(deadline, "deadline");
    if (priority < 0 || priority > LOWEST_PRIORITY) {
      throw new IllegalArgumentException("priority " + priority + " is not within 0 to 7");
    }
    if (deadline.isNegative() || deadline.compareTo(LONGEST) > 0) {
      throw outOfRange(deadline);
    }
    if (expectedResponseBytes < 0) {
      throw new IllegalArgumentException(
          "a response of " + expectedResponseBytes + " bytes cannot be expected");
    }
  }

  /** Options of a transfer that is sealed and has no deadline. */
  public TransferOptions(int priority, byte[] headers) {
    this(priority, headers, Protection.SEALED);
  }

  /** Options of a transfer without a deadline. */
  public TransferOptions(int priority, byte[] headers, Protection protection) {
    this(priority, headers, protection, Duration.ZERO, 0);
  }

  /** These options with another priority, 0 to 7. */
  public TransferOptions withPriority(int priority) {
    return new TransferOptions(priority, headers, protection, deadline, expectedResponseBytes);
  }

  /** These options with these headers, which must not be changed afterwards. */
  public TransferOptions withHeaders(byte[] headers) {
    return new TransferOptions(priority, headers, protection, deadline, expectedResponseBytes);
  }

  /** These options with another protection of the payload. */
  public TransferOptions withProtection(Protection protection) {
    return new TransferOptions(priority, headers, protection, deadline, expectedResponseBytes);
  }

  /** These options with this deadline, longer than nothing and at most 365 days. */
  public TransferOptions withDeadline(Duration deadline) {
    if (Objects.requireNonNull(deadline, "deadline").isZero()) {
      throw outOfRange(deadline);
    }
    return new TransferOptions(priority, headers, protection, deadline, expectedResponseBytes);
  }

  /** These options with an expected response of so many bytes of headers and payload. */
  public TransferOptions withExpectedResponseBytes(long expectedResponseBytes) {
    return new TransferOptions(priority, headers, protection, deadline, expectedResponseBytes);
  }

  private static IllegalArgumentException outOfRange(Duration deadline) {
    return new IllegalArgumentException(
        "a deadline of " + deadline + " is not more than nothing and at most 365 days");
  }
}
