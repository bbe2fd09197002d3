package io.millrace.testkit.path;

import io.millrace.testkit.internal.path.RecordedCall;
import io.millrace.transfer.CallOutcome;

/** A unary call or a bulk write on the path of a {@link PathPair}. */
public final class PairCall {
  private final RecordedCall call;

  PairCall(RecordedCall call) {
    this.call = call;
  }

  /** Whether the call has ended. */
  public boolean isEnded() {
    return call.outcome() != null;
  }

  /**
   * The outcome of the call.
   *
   * @throws IllegalStateException before the end of the call
   */
  public CallOutcome outcome() {
    CallOutcome outcome = call.outcome();
    if (outcome == null) {
      throw new IllegalStateException("the call has not ended");
    }
    return outcome;
  }

  /** The reason of a failure, for a person; empty without a failure. */
  public String text() {
    return call.text();
  }

  /** The payload of the response; empty for a bulk write, and before a good end. */
  public byte[] response() {
    return call.response();
  }
}
