package io.millrace.ends;

import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CallStatus;

/**
 * The longest element of a flow, in bytes, and the effect of a longer element: the flow ends, and
 * no element after the longer element is sent. Immutable, any thread.
 *
 * @param mostBytes of an element
 * @param isResponse whether the elements are responses, so that their handler was run
 */
public record ElementLimit(int mostBytes, boolean isResponse) {
  /** The outcome of the flow, for both sides. */
  public CallOutcome outcome() {
    return isResponse ? CallOutcome.RESPONSE_TOO_LARGE : CallOutcome.PAYLOAD_TOO_LARGE;
  }

  /** The status of the flow's end, on the wire. */
  public CallStatus status() {
    return isResponse ? CallStatus.RESPONSE_TOO_LARGE : CallStatus.PAYLOAD_TOO_LARGE;
  }

  /** Why an element of this length is not sent. */
  String problem(int length) {
    return "an element of "
        + length
        + " bytes is more than millrace.transfers.message = "
        + mostBytes;
  }

  /**
   * Why this side takes no element of this length.
   *
   * @param isWhole whether these bytes are all bytes of the element
   */
  public String problemAtReceiver(long length, boolean isWhole) {
    return "an element of "
        + (isWhole ? "" : "at least ")
        + length
        + " bytes is more than millrace.transfers.message = "
        + mostBytes
        + " of its receiver";
  }
}
