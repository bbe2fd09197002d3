package io.millrace.api;

import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import java.time.Duration;
import java.util.Objects;

/** How a transfer is treated. Immutable; begin with {@link #DEFAULTS}. */
public final class TransferOptions {
  static final int LOWEST_PRIORITY = 7;
  private static final int USUAL_PRIORITY = 3;
  private static final Duration LONGEST = Duration.ofDays(365);

  /** Priority 3, no headers, sealed, no deadline. */
  public static final TransferOptions DEFAULTS =
      new TransferOptions(USUAL_PRIORITY, Headers.EMPTY, Protection.SEALED, Duration.ZERO, 0);

  private final int priority;
  private final Headers headers;
  private final Protection protection;
  private final Duration deadline;
  private final long expectedResponseBytes;

  private TransferOptions(
      int priority,
      Headers headers,
      Protection protection,
      Duration deadline,
      long expectedResponseBytes) {
    this.priority = priority;
    this.headers = headers;
    this.protection = protection;
    this.deadline = deadline;
    this.expectedResponseBytes = expectedResponseBytes;
  }

  /** Options of a transfer with these headers, encoded. */
  TransferOptions(int priority, byte[] block) {
    this(checked(priority), Headers.decode(block), Protection.SEALED, Duration.ZERO, 0);
  }

  /** Options of a transfer with these headers, encoded. */
  TransferOptions(int priority, byte[] block, Protection protection) {
    this(checked(priority), Headers.decode(block), protection, Duration.ZERO, 0);
  }

  private static int checked(int priority) {
    if (priority < 0 || priority > LOWEST_PRIORITY) {
      throw new IllegalArgumentException("priority " + priority + " is not within 0 to 7");
    }
    return priority;
  }

  /** 0, served first, to 7. */
  public int priority() {
    return priority;
  }

  /** What travels ahead of the payload. */
  public Headers headers() {
    return headers;
  }

  /** How what this side sends is protected. */
  public Protection protection() {
    return protection;
  }

  /** How long after it was begun the transfer fails; zero for never. */
  public Duration deadline() {
    return deadline;
  }

  /** Bytes that the response will have, as far as is known; 0 if it is not. */
  public long expectedResponseBytes() {
    return expectedResponseBytes;
  }

  byte[] headerBlock() {
    return headers.encode();
  }

  /**
   * The same with another priority, 0 to 7.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public TransferOptions withPriority(int priority) {
    return new TransferOptions(
        checked(priority), headers, protection, deadline, expectedResponseBytes);
  }

  /**
   * The same with these headers, which travel ahead of the payload.
   *
   * @param headers encoded at most {@code millrace.limits.headers} of this node, else the call
   *     throws, and of the peer, else it fails with {@code PAYLOAD_TOO_LARGE} before anything was
   *     sent
   */
  public TransferOptions withHeaders(Headers headers) {
    return new TransferOptions(
        priority,
        Objects.requireNonNull(headers, "headers"),
        protection,
        deadline,
        expectedResponseBytes);
  }

  /** The same with one header more; see {@link Headers#with}. */
  public TransferOptions withHeader(String name, String value) {
    return withHeaders(headers.with(name, value));
  }

  /** The same with these headers, encoded, which must not be changed afterwards. */
  TransferOptions withHeaders(byte[] block) {
    return withHeaders(Headers.decode(block));
  }

  /**
   * The same with another protection of what this side sends: the payload of a bulk write, and of a
   * unary request that does not fit a datagram. What fits one, headers and streams are sealed,
   * whatever is chosen; how a response is protected is the responder's choice.
   */
  public TransferOptions withProtection(Protection protection) {
    return new TransferOptions(
        priority,
        headers,
        Objects.requireNonNull(protection, "protection"),
        deadline,
        expectedResponseBytes);
  }

  /**
   * The same with a deadline: if the transfer has not ended so long after it was begun, both flows
   * of a stream together, it fails with {@code EXPIRED}, and the peer is told to end its work on
   * it. {@link CallException#wasExecuted} says {@code UNKNOWN} then, even if the handshake was
   * still under way: to hear {@code HANDSHAKE_FAILED} of a node that is down, allow more than
   * {@code millrace.handshake.timeout}, or call {@link Peer#connect} first.
   *
   * @param deadline longer than nothing and at most 365 days
   * @throws IllegalArgumentException if it is out of range
   */
  public TransferOptions withDeadline(Duration deadline) {
    if (!Objects.requireNonNull(deadline, "deadline").isPositive()
        || deadline.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a deadline of " + deadline + " is not more than nothing and at most 365 days");
    }
    return new TransferOptions(priority, headers, protection, deadline, expectedResponseBytes);
  }

  /**
   * The same with so many bytes of headers and payload that the response of a unary call or a bulk
   * read is expected to have. A hint: if that is more than fits a datagram, the peer gets memory of
   * this node for it with the request, from what is plentiful, and need not ask for it first, which
   * is a round trip.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public TransferOptions withExpectedResponseBytes(long expectedResponseBytes) {
    if (expectedResponseBytes < 0) {
      throw new IllegalArgumentException(
          "a response of " + expectedResponseBytes + " bytes cannot be expected");
    }
    return new TransferOptions(priority, headers, protection, deadline, expectedResponseBytes);
  }
}
