package io.millrace.api;

import io.millrace.path.causality.Dependencies;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.DependencyKind;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** How a transfer is treated. Immutable; begin with {@link #DEFAULTS}. */
public final class TransferOptions {
  static final int LOWEST_PRIORITY = 7;
  private static final int USUAL_PRIORITY = 3;
  private static final Duration LONGEST = Duration.ofDays(365);

  /** Priority 3, no headers, sealed, no deadline. */
  public static final TransferOptions DEFAULTS =
      new TransferOptions(
          USUAL_PRIORITY,
          Headers.EMPTY,
          Protection.SEALED,
          Duration.ZERO,
          0,
          Dependencies.NONE,
          false);

  private final int priority;
  private final Headers headers;
  private final Protection protection;
  private final Duration deadline;
  private final long expectedResponseBytes;
  private final Dependencies dependencies;
  private final boolean isIdempotent;

  private TransferOptions(
      int priority,
      Headers headers,
      Protection protection,
      Duration deadline,
      long expectedResponseBytes,
      Dependencies dependencies,
      boolean isIdempotent) {
    this.priority = priority;
    this.headers = headers;
    this.protection = protection;
    this.deadline = deadline;
    this.expectedResponseBytes = expectedResponseBytes;
    this.dependencies = dependencies;
    this.isIdempotent = isIdempotent;
  }

  /** Options of a transfer with these headers, encoded. */
  TransferOptions(int priority, byte[] block) {
    this(
        checked(priority),
        Headers.decode(block),
        Protection.SEALED,
        Duration.ZERO,
        0,
        Dependencies.NONE,
        false);
  }

  /** Options of a transfer with these headers, encoded. */
  TransferOptions(int priority, byte[] block, Protection protection) {
    this(
        checked(priority),
        Headers.decode(block),
        protection,
        Duration.ZERO,
        0,
        Dependencies.NONE,
        false);
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
        checked(priority),
        headers,
        protection,
        deadline,
        expectedResponseBytes,
        dependencies,
        isIdempotent);
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
        expectedResponseBytes,
        dependencies,
        isIdempotent);
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
        expectedResponseBytes,
        dependencies,
        isIdempotent);
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
    return new TransferOptions(
        priority, headers, protection, deadline, expectedResponseBytes, dependencies, isIdempotent);
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
    return new TransferOptions(
        priority, headers, protection, deadline, expectedResponseBytes, dependencies, isIdempotent);
  }

  /**
   * The same for a unary call that may be executed twice without harm: if its peer loses it, by a
   * restart for example, it is submitted again instead of failing with {@code PEER_RESET}, three
   * times at most and within its deadline. A call that has a token or waits for others is not
   * submitted again, nor is one whose payload was sealed before; for streams and bulk transfers
   * this means nothing.
   */
  public TransferOptions withIdempotent() {
    return new TransferOptions(
        priority, headers, protection, deadline, expectedResponseBytes, dependencies, true);
  }

  /** Whether a unary call may be submitted again when its peer has lost it. */
  public boolean isIdempotent() {
    return isIdempotent;
  }

  /**
   * The same, and the transfer has a token from the beginning, which travels to the peer: others
   * that wait for it can be sent behind it, without a round trip in between. {@link Call#token} has
   * it. A transfer that waits for another has one, too.
   */
  public TransferOptions withToken() {
    return withToken(token -> {});
  }

  /**
   * As {@link #withToken()}; {@code receiver} is told the token of each transfer, before that is
   * submitted, on the thread that submits it: for streams, which begin when their graph starts.
   */
  public TransferOptions withToken(Consumer<? super CausalityToken> receiver) {
    return with(dependencies.withToken(Objects.requireNonNull(receiver, "receiver")));
  }

  /** The same, after another transfer was answered well; see {@link DependencyKind#CRITICAL}. */
  public TransferOptions after(CausalityToken token) {
    return after(token, DependencyKind.CRITICAL);
  }

  /**
   * The same, after another transfer, in addition to what it waits for already. Its deadline runs
   * while it waits. If the other transfer goes to the same peer this one is sent at once, and the
   * peer holds it back; else it waits at this node.
   *
   * @param token of any transfer, stream or scope of this node, whether it has ended or not
   * @throws IllegalArgumentException later, where the transfer begins, if the token is of another
   *     node
   */
  public TransferOptions after(CausalityToken token, DependencyKind kind) {
    return with(
        dependencies.after(
            Objects.requireNonNull(token, "token"), Objects.requireNonNull(kind, "kind")));
  }

  /**
   * The same, after {@code needed} of these were answered well; it fails when so many cannot be any
   * more. See {@link #afterQuorum(int, List, DependencyKind)}.
   */
  public TransferOptions afterQuorum(int needed, List<? extends CausalityToken> tokens) {
    return afterQuorum(needed, tokens, DependencyKind.CRITICAL);
  }

  /**
   * The same, after {@code needed} of several transfers; of an optional kind, one that fails counts
   * as well.
   *
   * @throws IllegalArgumentException if {@code needed} is not 1 to the number of tokens
   */
  public TransferOptions afterQuorum(
      int needed, List<? extends CausalityToken> tokens, DependencyKind kind) {
    return with(dependencies.afterQuorum(needed, tokens, Objects.requireNonNull(kind, "kind")));
  }

  /** The same, and this one hears of its token, too, if it has one. */
  TransferOptions telling(Consumer<? super CausalityToken> told) {
    return dependencies.isEmpty() ? this : with(dependencies.telling(told));
  }

  private TransferOptions with(Dependencies changed) {
    return new TransferOptions(
        priority, headers, protection, deadline, expectedResponseBytes, changed, isIdempotent);
  }

  /** What it waits for. */
  Dependencies dependencies() {
    return dependencies;
  }
}
