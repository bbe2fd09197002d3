package io.millrace.api;

import io.millrace.api.codec.CodecException;
import io.millrace.ends.FailureText;
import io.millrace.path.call.PeerCall;
import io.millrace.path.causality.CausalCall;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a transfer: {@link #outcome()} for programs, the message for people. The message
 * names the outcome, the reason, the route and the peer. {@link #isRetryable} tells whether another
 * attempt may succeed, {@link #wasExecuted} whether another attempt is safe. Repeat a call that
 * must not happen twice only if
 *
 * <pre>{@code
 * failure.isRetryable() && failure.wasExecuted() == CallOutcome.Execution.NO
 * }</pre>
 *
 * <p>A {@link Call} and a stream fail with this exception. {@code join()}, and stages derived from
 * a call, wrap the exception in a {@link java.util.concurrent.CompletionException}; {@code get()}
 * wraps the exception in an {@link java.util.concurrent.ExecutionException}.
 */
public final class CallException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final CallOutcome outcome;
  private final String reason;
  private final @Nullable Site site;
  private final transient @Nullable CausalityToken failed;
  private final boolean wasNotSent;
  private final int retryAfterMs;

  /** The failures of the earlier attempts of the call, in their order. */
  private CallException[] earlier = {};

  /** The reason why no other attempt followed, or empty. */
  private String end = "";

  /**
   * The peer and the route of a failed transfer.
   *
   * @param peer the other side's handshake address, host:port
   * @param route the route's name; empty for a failure without a route
   * @param isServed whether this node serves the transfer, which the peer began
   */
  record Site(String peer, String route, boolean isServed) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The site of a transfer that this node began. */
    static Site of(String peer, String route) {
      return new Site(peer, route, false);
    }

    /** The site of a transfer that this node serves. */
    static Site served(String peer, String route) {
      return new Site(peer, route, true);
    }

    /** Returns the reason with the route and, unless the reason names the peer, the peer. */
    private String behind(String reason) {
      String of = route.isEmpty() ? "" : "route '" + route + "'";
      String at = reason.contains(peer) ? "" : (isServed ? "called by " : "at ") + peer;
      if (of.isEmpty() && at.isEmpty()) {
        return reason;
      }
      return reason + " (" + of + (of.isEmpty() || at.isEmpty() ? "" : " ") + at + ")";
    }
  }

  /** The peer's part in the failure: what beside the text is known. */
  private record Terms(
      @Nullable Site site, @Nullable CausalityToken failed, boolean wasNotSent, int retryAfterMs) {
    private Terms(@Nullable Site site, @Nullable CausalityToken failed, boolean wasNotSent) {
      this(site, failed, wasNotSent, 0);
    }
  }

  /** Creates the failure of one call, without a stack trace of the worker. */
  public CallException(CallOutcome outcome, String message) {
    this(outcome, message, null, new Terms(null, null, false));
  }

  private CallException(
      CallOutcome outcome, String reason, @Nullable Throwable cause, Terms terms) {
    super(
        outcome + ": " + (terms.site() == null ? reason : terms.site().behind(reason)),
        cause,
        false,
        false);
    this.outcome = outcome;
    this.reason = reason;
    site = terms.site();
    failed = terms.failed();
    wasNotSent = terms.wasNotSent();
    retryAfterMs = terms.retryAfterMs();
  }

  /** Returns the failure of this call, which another call may have caused. */
  static CallException of(CallOutcome outcome, String text, PeerCall call, String route) {
    Site site = Site.of(call.peer(), route);
    CausalCall causal = call.causal();
    if (causal == null || outcome != CallOutcome.DEPENDENCY_FAILED && causal.root() == 0) {
      return new CallException(
          outcome, text, null, new Terms(site, null, false, call.retryAfterMs()));
    }
    String why = causal.failure();
    CausalityToken root = causal.root() == 0 ? null : causal.rootToken();
    return new CallException(
        outcome, why.isEmpty() ? text : why, null, new Terms(site, root, !causal.mayHaveRun()));
  }

  /** Returns the failure of a transfer with this peer on this route. */
  static CallException at(CallOutcome outcome, String text, Site site) {
    return new CallException(outcome, text, null, new Terms(site, null, false));
  }

  /** Returns the failure of a transfer of which no byte was sent. */
  static CallException notSent(CallOutcome outcome, String text, Site site) {
    return new CallException(outcome, text, null, new Terms(site, null, true));
  }

  /** Returns the failure of a call with a request that the codec could not encode. */
  static CallException unencoded(CodecException failure, Site site) {
    return of(CallOutcome.SOURCE_FAILED, failure, new Terms(site, null, true));
  }

  /** Returns the failure of a stream of requests with an element that could not be encoded. */
  static CallException unencodedElement(CodecException failure, Site site) {
    return of(CallOutcome.SOURCE_FAILED, failure, new Terms(site, null, false));
  }

  /**
   * Returns the failure of a stream whose requests have failed at this node, with their failure.
   */
  static CallException ofRequests(Throwable failure, Site site) {
    return new CallException(
        CallOutcome.SOURCE_FAILED, FailureText.of(failure), failure, new Terms(site, null, false));
  }

  /** Returns the failure of a call whose answer arrived but could not be decoded. */
  static CallException notDecoded(Throwable failure, Site site) {
    CodecException named =
        failure instanceof CodecException known
            ? known
            : new CodecException(
                "the response could not be decoded: " + FailureText.of(failure), failure);
    return of(CallOutcome.RESPONSE_NOT_DECODED, named, new Terms(site, null, false));
  }

  private static CallException of(CallOutcome outcome, CodecException failure, Terms terms) {
    return new CallException(
        outcome, String.valueOf(failure.getMessage()), failure.getCause(), terms);
  }

  /**
   * Makes this the failure of the last attempt of a call.
   *
   * @param failures the failures of the earlier attempts
   * @param why the reason why no other attempt followed, or empty
   */
  CallException after(List<CallException> failures, String why) {
    earlier = failures.toArray(CallException[]::new);
    end = why;
    return this;
  }

  /** The outcome, the reason, and the earlier attempts if there were any. */
  @Override
  public String getMessage() {
    String last = String.valueOf(super.getMessage());
    String all =
        earlier.length == 0
            ? last
            : last + "; attempt " + attempts() + ", the first ended with " + earlier[0].outcome;
    return end.isEmpty() ? all : all + "; " + end;
  }

  /** Returns the number of attempts that the call had; 1 without a retry. */
  public int attempts() {
    return earlier.length + 1;
  }

  /** Returns the failures of the earlier attempts in their order; this is the last failure. */
  public List<CallException> earlierAttempts() {
    return List.of(earlier);
  }

  /** Whether this is the failure of the requests of a stream served by this node. */
  boolean isOfRequests() {
    return site != null && site.isServed();
  }

  /** Returns the message without the outcome, the peer and the route. */
  public String reason() {
    return reason;
  }

  /**
   * Returns the handshake address of the other side; empty for a failure that concerns no peer,
   * such as the failure of {@link Transport#seal}.
   */
  public Optional<String> peer() {
    return Optional.ofNullable(site).map(Site::peer);
  }

  /** Returns the name of the route; empty for a failure that concerns no route. */
  public Optional<String> route() {
    return Optional.ofNullable(site).map(Site::route).filter(name -> !name.isEmpty());
  }

  /**
   * Whether another attempt of the same call may succeed, at this peer later or at another peer.
   */
  public boolean isRetryable() {
    return outcome.isRetryable();
  }

  /**
   * Returns the time after which another attempt at the same peer may succeed: the peer's estimate
   * by the rate of its answers, or the time that its handler said. With {@code OVERLOADED} only;
   * empty if the peer did not say. Retries of the node wait for at least this time.
   */
  public Optional<Duration> retryAfter() {
    return retryAfterMs == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(retryAfterMs));
  }

  /**
   * Whether the peer executed the call, as far as this side can know: {@code NO} if no handler ran
   * or will run, {@code UNKNOWN} if a handler may have run. The answer counts for all attempts of
   * the call together. Bytes that a stream or bulk transfer moved before the failure are not taken
   * back.
   */
  public CallOutcome.Execution wasExecuted() {
    CallOutcome.Execution all = wasNotSent ? CallOutcome.Execution.NO : outcome.execution();
    for (CallException attempt : earlier) {
      CallOutcome.Execution other = attempt.wasExecuted();
      if (all == CallOutcome.Execution.NO || other == CallOutcome.Execution.YES) {
        all = other;
      }
    }
    return all;
  }

  /**
   * Returns the transfer at the root of a failure by dependencies: the first transfer that failed
   * by itself, or whose outcome is forgotten. Empty for other failures, and after serialization.
   */
  public Optional<CausalityToken> failedDependency() {
    return Optional.ofNullable(failed);
  }

  /** Returns the peer's text about the cause, if the peer failed or refused the call. */
  public Optional<String> peerCause() {
    return switch (outcome) {
      case HANDLER_FAILED, REFUSED, REQUEST_NOT_DECODED, UNKNOWN_ROUTE, NOT_AUTHORISED ->
          Optional.of(reason);
      default -> Optional.empty();
    };
  }

  /** Returns the outcome of the call; never {@link CallOutcome#OK}. */
  public CallOutcome outcome() {
    return outcome;
  }
}
