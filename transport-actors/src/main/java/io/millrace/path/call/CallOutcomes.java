package io.millrace.path.call;

import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CallStatus;

/** The meaning of each {@link CallStatus} for the caller. */
public final class CallOutcomes {
  private static final CallOutcome[] OUTCOMES = {
    CallOutcome.OK,
    CallOutcome.HANDLER_FAILED,
    CallOutcome.UNKNOWN_ROUTE,
    CallOutcome.OVERLOADED,
    CallOutcome.RESPONSE_TOO_LARGE,
    CallOutcome.SHUTTING_DOWN,
    CallOutcome.REFUSED,
    CallOutcome.TARGET_FAILED,
    CallOutcome.SOURCE_FAILED,
    CallOutcome.NOT_AUTHENTIC,
    CallOutcome.PAYLOAD_TOO_LARGE,
    CallOutcome.CANCELLED,
    CallOutcome.REQUEST_NOT_DECODED,
    CallOutcome.DEPENDENCY_FAILED,
    CallOutcome.NOT_AUTHORISED
  };

  private CallOutcomes() {}

  /** Returns the outcome of this status; an unknown status is a violation. */
  public static CallOutcome of(int status) {
    if (status >= OUTCOMES.length) {
      throw new ProtocolViolationException("unknown status " + status);
    }
    return OUTCOMES[status];
  }
}
