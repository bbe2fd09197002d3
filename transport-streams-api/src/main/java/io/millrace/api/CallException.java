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
 * A transfer failed: {@link #outcome()} says how, the message says it for a person. Whether to make
 * it again is asked of {@link #isRetryable}, whether that is safe of {@link #wasExecuted}. What
 * must not happen twice is made again only if
 *
 * <pre>{@code
 * failure.isRetryable() && failure.wasExecuted() == CallOutcome.Execution.NO
 * }</pre>
 *
 * <p>A {@link Call} and a stream fail with it. {@code join()}, and stages derived from a call, wrap
 * it in a {@link java.util.concurrent.CompletionException}; {@code get()} wraps it in an {@link
 * java.util.concurrent.ExecutionException}.
 */
public final class CallException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final CallOutcome outcome;
  private final boolean isOfRequests;
  private final transient @Nullable CausalityToken failed;
  private final boolean wasNotSent;

  /** Creates the failure of one call; it carries no stack trace of the worker. */
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

  /** How this call failed: perhaps for the sake of another. */
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

  /** How the requests of a stream failed that this node serves. */
  static CallException ofRequests(CallOutcome outcome, String message) {
    return new CallException(outcome, message, true);
  }

  /** A message that could not be encoded or decoded. */
  CallException(CallOutcome outcome, CodecException failure) {
    super(outcome + ": " + failure.getMessage(), failure.getCause(), false, false);
    this.outcome = outcome;
    isOfRequests = false;
    failed = null;
    wasNotSent = false;
  }

  /** The answer has come, and could not be made what its caller wants. */
  static CallException notDecoded(Throwable failure) {
    String text = "the response could not be decoded: " + FailureText.of(failure);
    return new CallException(CallOutcome.RESPONSE_NOT_DECODED, new CodecException(text, failure));
  }

  /** Whether it is how the requests of a stream failed that this node serves. */
  boolean isOfRequests() {
    return isOfRequests;
  }

  /** The message without the outcome. */
  String text() {
    return String.valueOf(getMessage()).substring(outcome.name().length() + 2);
  }

  /**
   * Whether the same call may end otherwise if it is made again, at this peer later or at another
   * one.
   */
  public boolean isRetryable() {
    return outcome.isRetryable();
  }

  /**
   * Whether the peer executed it, as far as this side can know: {@code NO} if no handler ran and
   * none will, {@code UNKNOWN} if one may have. What a stream or a bulk transfer moved before it
   * failed is not taken back.
   */
  public CallOutcome.Execution wasExecuted() {
    return wasNotSent ? CallOutcome.Execution.NO : outcome.execution();
  }

  /**
   * The transfer at the root of a failure that came by dependencies: the first that failed by
   * itself, or whose outcome is forgotten. Empty for other failures, and after serialization.
   */
  public Optional<CausalityToken> failedDependency() {
    return Optional.ofNullable(failed);
  }

  /** What the peer said of the cause, if it was the peer that failed or refused. */
  public Optional<String> peerCause() {
    return switch (outcome) {
      case HANDLER_FAILED, REFUSED, REQUEST_NOT_DECODED -> Optional.of(text());
      default -> Optional.empty();
    };
  }

  /** How the call ended; never {@link CallOutcome#OK}. */
  public CallOutcome outcome() {
    return outcome;
  }
}
