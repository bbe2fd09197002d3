package io.millrace.api;

import io.millrace.api.codec.CodecException;
import io.millrace.ends.FailureText;
import io.millrace.path.call.PeerCall;
import io.millrace.path.causality.CausalCall;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
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

  /** Whether this is the failure of the requests of a stream served by this node. */
  boolean isOfRequests() {
    return isOfRequests;
  }

  /** Returns the message without the outcome. */
  String text() {
    return String.valueOf(getMessage()).substring(outcome.name().length() + 2);
  }

  /**
   * Whether another attempt of the same call may succeed, at this peer later or at another peer.
   */
  public boolean isRetryable() {
    return outcome.isRetryable();
  }

  /**
   * Whether the peer executed the call, as far as this side can know: {@code NO} if no handler ran
   * or will run, {@code UNKNOWN} if a handler may have run. Bytes that a stream or bulk transfer
   * moved before the failure are not taken back.
   */
  public CallOutcome.Execution wasExecuted() {
    return wasNotSent ? CallOutcome.Execution.NO : outcome.execution();
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
