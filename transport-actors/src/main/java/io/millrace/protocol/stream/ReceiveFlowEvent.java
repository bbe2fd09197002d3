package io.millrace.protocol.stream;

/** What happens to the receiving side of a flow. */
public enum ReceiveFlowEvent {
  /** The sender closed after its last element. */
  CLOSE,
  /** Every segment up to the close has arrived. */
  ALL_ARRIVED,
  /** The sender closed and failed, or gave up as it was told to. */
  FAIL,
  /** The application wants no more. */
  CANCEL,
  /** The path ended. */
  PATH_ENDED
}
