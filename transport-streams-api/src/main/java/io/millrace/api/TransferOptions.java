package io.millrace.api;

import io.millrace.path.causality.Dependencies;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.DependencyKind;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import io.millrace.transfer.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The options of a transfer: priority, headers, protection, deadline and dependencies. Immutable;
 * begin with {@link #DEFAULTS}.
 */
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
          Times.NONE,
          0,
          Dependencies.NONE,
          Retrying.BY_NODE);

  /** The limits of the time of a transfer; zero for no deadline, and for no wait. */
  private record Times(Duration deadline, Duration readyWait) {
    static final Times NONE = new Times(Duration.ZERO, Duration.ZERO);
  }

  private final int priority;
  private final Headers headers;
  private final Protection protection;
  private final Times times;
  private final long expectedResponseBytes;
  private final Dependencies dependencies;
  private final Retrying retrying;

  /**
   * Whether and how a failed unary call is tried again.
   *
   * @param isIdempotent whether another execution does no harm
   * @param isOff whether the call is never tried again
   * @param policy the policy of this call, or null for the policy of the route or node
   */
  private record Retrying(boolean isIdempotent, boolean isOff, @Nullable RetryPolicy policy) {
    static final Retrying BY_NODE = new Retrying(false, false, null);
  }

  private TransferOptions(
      int priority,
      Headers headers,
      Protection protection,
      Times times,
      long expectedResponseBytes,
      Dependencies dependencies,
      Retrying retrying) {
    this.priority = priority;
    this.headers = headers;
    this.protection = protection;
    this.times = times;
    this.expectedResponseBytes = expectedResponseBytes;
    this.dependencies = dependencies;
    this.retrying = retrying;
  }

  /** Options of a transfer with these headers, encoded. */
  TransferOptions(int priority, byte[] block) {
    this(
        checked(priority),
        Headers.decode(block),
        Protection.SEALED,
        Times.NONE,
        0,
        Dependencies.NONE,
        Retrying.BY_NODE);
  }

  /** Options of a transfer with these headers, encoded. */
  TransferOptions(int priority, byte[] block, Protection protection) {
    this(
        checked(priority),
        Headers.decode(block),
        protection,
        Times.NONE,
        0,
        Dependencies.NONE,
        Retrying.BY_NODE);
  }

  private static int checked(int priority) {
    if (priority < 0 || priority > LOWEST_PRIORITY) {
      throw new IllegalArgumentException("priority " + priority + " is not within 0 to 7");
    }
    return priority;
  }

  /** The priority of the transfer: 0, served first, to 7. */
  public int priority() {
    return priority;
  }

  /** The headers, which travel ahead of the payload. */
  public Headers headers() {
    return headers;
  }

  /** The protection of the payload that this side sends. */
  public Protection protection() {
    return protection;
  }

  /**
   * The time after which the transfer fails, as {@link #withDeadline} counts; zero for no deadline.
   */
  public Duration deadline() {
    return times.deadline();
  }

  /**
   * The longest wait for a peer that is not ready, as {@link #waitForReady} counts; zero for no
   * wait.
   */
  public Duration readyWait() {
    return times.readyWait();
  }

  /** The expected size of the response in bytes; 0 if unknown. */
  public long expectedResponseBytes() {
    return expectedResponseBytes;
  }

  byte[] headerBlock() {
    return headers.encode();
  }

  /**
   * Returns the same options with another priority, 0 to 7.
   *
   * @throws IllegalArgumentException if the value is out of range
   */
  public TransferOptions withPriority(int priority) {
    return new TransferOptions(
        checked(priority),
        headers,
        protection,
        times,
        expectedResponseBytes,
        dependencies,
        retrying);
  }

  /**
   * Returns the same options with these headers, which travel ahead of the payload.
   *
   * @param headers headers whose encoding is within {@code millrace.limits.headers} of this node,
   *     else the call throws. Beyond the peer's limit, the call fails with {@code
   *     PAYLOAD_TOO_LARGE} before the first byte is sent
   */
  public TransferOptions withHeaders(Headers headers) {
    return new TransferOptions(
        priority,
        Objects.requireNonNull(headers, "headers"),
        protection,
        times,
        expectedResponseBytes,
        dependencies,
        retrying);
  }

  /** Returns the same options with an additional header; see {@link Headers#with}. */
  public TransferOptions withHeader(String name, String value) {
    return withHeaders(headers.with(name, value));
  }

  /**
   * Returns the same options with these encoded headers; the caller must not change the array
   * afterwards.
   */
  TransferOptions withHeaders(byte[] block) {
    return withHeaders(Headers.decode(block));
  }

  /**
   * Returns the same options with another protection for the payload of a bulk write, or of a unary
   * request larger than a datagram. Payloads that fit a datagram, headers and streams are always
   * sealed, whatever the choice. The responder chooses the protection of a response.
   */
  public TransferOptions withProtection(Protection protection) {
    return new TransferOptions(
        priority,
        headers,
        Objects.requireNonNull(protection, "protection"),
        times,
        expectedResponseBytes,
        dependencies,
        retrying);
  }

  /**
   * Returns the same options with a deadline. The time runs from the moment when the worker learns
   * of the transfer, just after the submission; a stream has one deadline for both flows together.
   * A transfer that has not ended by the deadline fails with {@code EXPIRED}, and the node tells
   * the peer to end its work on the transfer. {@link CallException#wasExecuted} is {@code UNKNOWN}
   * then, even if the handshake was still under way. To get {@code HANDSHAKE_FAILED} from a node
   * that is down, allow more than {@code millrace.handshake.timeout}, or call {@link Peer#connect}
   * first.
   *
   * @param deadline positive, and at most 365 days
   * @throws IllegalArgumentException if the value is out of range
   */
  public TransferOptions withDeadline(Duration deadline) {
    if (!Objects.requireNonNull(deadline, "deadline").isPositive()
        || deadline.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a deadline of " + deadline + " is not positive or longer than 365 days");
    }
    return with(new Times(deadline, times.readyWait()));
  }

  /**
   * Returns the same options for a transfer that waits for its peer where it would fail unsent: the
   * peer is {@code PROBING} or {@code FAILED}, cannot be reached, cannot be shaken hands with, or
   * is about to shut down. The node looks for the peer meanwhile, and sends the transfer once the
   * peer takes calls again. After the limit the transfer fails as it would have failed without this
   * option: with {@code PEER_UNREACHABLE}, {@code HANDSHAKE_FAILED} or {@code SHUTTING_DOWN}, and
   * {@link CallException#wasExecuted} says {@code NO}.
   *
   * <p>A transfer waits only while no byte of the transfer was sent, so the peer never executes the
   * transfer twice. The deadline runs meanwhile, and the caller can cancel the transfer. A waiting
   * transfer counts for {@code millrace.limits.waiting-calls} of its peer. Its payload, its headers
   * and 256 bytes count for the bytes of this node's waiting transfers, as many as {@code
   * millrace.retry.waiting} says. Beyond either limit transfers fail at once. The option has no
   * effect on broadcasts.
   *
   * @param limit the time from the moment when the transfer would have failed; positive, and at
   *     most 365 days
   * @throws IllegalArgumentException if the value is out of range
   */
  public TransferOptions waitForReady(Duration limit) {
    if (!Objects.requireNonNull(limit, "limit").isPositive() || limit.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a wait of " + limit + " is not positive or longer than 365 days");
    }
    return with(new Times(times.deadline(), limit));
  }

  private TransferOptions with(Times changed) {
    return new TransferOptions(
        priority, headers, protection, changed, expectedResponseBytes, dependencies, retrying);
  }

  /**
   * Returns the same options with the expected bytes of the response to a unary call or a bulk
   * read, headers and payload together. The number is a hint: for a response larger than a
   * datagram, the request carries a grant of this node's memory, if memory is plentiful. The peer
   * then need not ask for memory first, which saves a round trip.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public TransferOptions withExpectedResponseBytes(long expectedResponseBytes) {
    if (expectedResponseBytes < 0) {
      throw new IllegalArgumentException(
          "a response of " + expectedResponseBytes + " bytes has a negative size");
    }
    return new TransferOptions(
        priority, headers, protection, times, expectedResponseBytes, dependencies, retrying);
  }

  /**
   * Returns the same options for a unary call that may be executed twice without harm. Unless
   * {@code millrace.retry.calls} is {@code none}, the node tries such a call again after a failure,
   * for example after a restart of the peer: {@code millrace.retry} says how often and after which
   * pauses. All attempts share the call's deadline. The node does not try a call again if the call
   * has a token, waits for other calls or has a payload sealed before. The option has no effect on
   * {@link Peer#unaryOnWorker}, streams and bulk transfers.
   */
  public TransferOptions withIdempotent() {
    return with(new Retrying(true, retrying.isOff(), retrying.policy()));
  }

  /** Whether another execution of the unary call does no harm. */
  public boolean isIdempotent() {
    return retrying.isIdempotent();
  }

  /**
   * Returns the same options for a unary call that the node tries again by this policy. The node
   * tries an idempotent call again after each failure that may end otherwise, any other call only
   * if no handler ran: {@link RetryPolicy#covers}. Otherwise as {@link #withIdempotent}.
   */
  public TransferOptions withRetry(RetryPolicy policy) {
    return with(
        new Retrying(retrying.isIdempotent(), false, Objects.requireNonNull(policy, "policy")));
  }

  /**
   * Returns the same options for a unary call with one attempt, whatever the route or node says.
   */
  public TransferOptions withoutRetry() {
    return with(new Retrying(retrying.isIdempotent(), true, null));
  }

  /** Returns the policy of this call, if the call has a policy of its own. */
  public Optional<RetryPolicy> retry() {
    return Optional.ofNullable(retrying.policy());
  }

  private TransferOptions with(Retrying changed) {
    return new TransferOptions(
        priority, headers, protection, times, expectedResponseBytes, dependencies, changed);
  }

  /**
   * Returns the policy by which a call with these options is tried again, or null for one attempt.
   *
   * @param ofRoute the policy of the route, or null
   * @param ofNode the policy of the node for such a call, or null
   */
  @Nullable RetryPolicy retry(@Nullable RetryPolicy ofRoute, @Nullable RetryPolicy ofNode) {
    if (retrying.isOff() || !dependencies.isEmpty()) {
      return null;
    }
    RetryPolicy own = retrying.policy() == null ? ofRoute : retrying.policy();
    return own == null ? ofNode : own;
  }

  /**
   * Returns the same options for a transfer with a token from the beginning. The token travels to
   * the peer, so dependent transfers can follow without a round trip in between. {@link Call#token}
   * returns the token. A transfer that waits for another transfer has a token, too.
   */
  public TransferOptions withToken() {
    return withToken(token -> {});
  }

  /**
   * Returns the same options for a transfer with a token; see {@link #withToken()}. The {@code
   * receiver} gets the token of each transfer before the submission, on the submitting thread. This
   * is for streams, which begin when their graph starts.
   */
  public TransferOptions withToken(Consumer<? super CausalityToken> receiver) {
    return with(dependencies.withToken(Objects.requireNonNull(receiver, "receiver")));
  }

  /**
   * Returns the same options for a transfer that waits for the success of another transfer; see
   * {@link DependencyKind#CRITICAL}.
   */
  public TransferOptions after(CausalityToken token) {
    return after(token, DependencyKind.CRITICAL);
  }

  /**
   * Returns the same options for a transfer that waits for another transfer, in addition to earlier
   * dependencies. The deadline runs while the transfer waits. If both transfers go to the same
   * peer, the node sends this transfer at once and the peer holds this transfer back. Else this
   * transfer waits at this node.
   *
   * @param token of any transfer, stream or scope of this node, ended or not
   * @throws IllegalArgumentException later, where the transfer begins, if the token is of another
   *     node
   */
  public TransferOptions after(CausalityToken token, DependencyKind kind) {
    return with(
        dependencies.after(
            Objects.requireNonNull(token, "token"), Objects.requireNonNull(kind, "kind")));
  }

  /**
   * Returns the same options for a transfer that waits for the success of {@code needed} of these
   * tokens. The transfer fails when too few tokens can still succeed. See {@link #afterQuorum(int,
   * List, DependencyKind)}.
   */
  public TransferOptions afterQuorum(int needed, List<? extends CausalityToken> tokens) {
    return afterQuorum(needed, tokens, DependencyKind.CRITICAL);
  }

  /**
   * Returns the same options for a transfer that waits for {@code needed} of several transfers.
   * With an optional kind, a failed transfer counts as well.
   *
   * @throws IllegalArgumentException if {@code needed} is not 1 to the number of tokens
   */
  public TransferOptions afterQuorum(
      int needed, List<? extends CausalityToken> tokens, DependencyKind kind) {
    return with(dependencies.afterQuorum(needed, tokens, Objects.requireNonNull(kind, "kind")));
  }

  /**
   * Returns the same options with an additional receiver of the token, if the transfer has a token.
   */
  TransferOptions telling(Consumer<? super CausalityToken> told) {
    return dependencies.isEmpty() ? this : with(dependencies.telling(told));
  }

  private TransferOptions with(Dependencies changed) {
    return new TransferOptions(
        priority, headers, protection, times, expectedResponseBytes, changed, retrying);
  }

  /** The dependencies of the transfer. */
  Dependencies dependencies() {
    return dependencies;
  }
}
