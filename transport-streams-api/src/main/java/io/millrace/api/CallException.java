package io.millrace.api;

import io.millrace.api.codec.CodecException;
import io.millrace.ends.FailureText;
import io.millrace.path.call.PeerCall;
import io.millrace.path.causality.CausalCall;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a transfer: {@link #outcome()} for programs, the message for people. {@link
 * #isRetryable} tells whether another attempt may succeed, {@link #wasExecuted} whether another
 * attempt is safe. Repeat a call that must not happen twice only if
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
  private final boolean isOfRequests;
  private final transient @Nullable CausalityToken failed;
  private final boolean wasNotSent;

  /** The failures of the earlier attempts of the call, in their order. */
  private CallException[] earlier = {};

  /** The reason why no other attempt followed, or empty. */
  private String end = "";

  /** Creates the failure of one call, without a stack trace of the worker. */
  public CallException(CallOutcome outcome, String message) {
    this(outcome, message, false);
  }

  private CallException(CallOutcome outcome, String message, boolean isOfRequests) {
    this(outcome, message, isOfRequests, null, false);
  }

  private CallException(
      CallOutcome outcome,
      String message,
      boolean isOfRequests,
      @Nullable CausalityToken failed,
      boolean wasNotSent) {
    super(outcome + ": " + message, null, false, false);
    this.outcome = outcome;
    this.isOfRequests = isOfRequests;
    this.failed = failed;
    this.wasNotSent = wasNotSent;
  }

  /** Returns the failure of this call, which another call may have caused. */
  static CallException of(CallOutcome outcome, String text, PeerCall call) {
    CausalCall causal = call.causal();
    if (causal == null || outcome != CallOutcome.DEPENDENCY_FAILED && causal.root() == 0) {
      return new CallException(outcome, text);
    }
    String why = causal.failure();
    CausalityToken root = causal.root() == 0 ? null : causal.rootToken();
    return new CallException(
        outcome, why.isEmpty() ? text : why, false, root, !causal.mayHaveRun());
  }

  /** Returns the failure of the requests of a stream served by this node. */
  static CallException ofRequests(CallOutcome outcome, String message) {
    return new CallException(outcome, message, true);
  }

  /** Creates the failure of a message that could not be encoded or decoded. */
  CallException(CallOutcome outcome, CodecException failure) {
    super(outcome + ": " + failure.getMessage(), failure.getCause(), false, false);
    this.outcome = outcome;
    isOfRequests = false;
    failed = null;
    wasNotSent = false;
  }

  /** Returns the failure of a call whose answer arrived but could not be decoded. */
  static CallException notDecoded(Throwable failure) {
    String text = "the response could not be decoded: " + FailureText.of(failure);
    return new CallException(CallOutcome.RESPONSE_NOT_DECODED, new CodecException(text, failure));
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
    return isOfRequests;
  }

  /** Returns the message without the outcome. */
  String text() {
    return String.valueOf(super.getMessage()).substring(outcome.name().length() + 2);
  }

  /**
   * Whether another attempt of the same call may succeed, at this peer later or at another peer.
   */
  public boolean isRetryable() {
    return outcome.isRetryable();
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
      case HANDLER_FAILED, REFUSED, REQUEST_NOT_DECODED -> Optional.of(text());
      default -> Optional.empty();
    };
  }

  /** Returns the outcome of the call; never {@link CallOutcome#OK}. */
  public CallOutcome outcome() {
    return outcome;
  }
}
