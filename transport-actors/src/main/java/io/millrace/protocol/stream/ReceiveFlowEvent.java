package io.millrace.protocol.stream;

/** The events of the receiving side of a flow. */
public enum ReceiveFlowEvent {
  /** The sender closed after the last element. */
  CLOSE,
  /** Every segment up to the close has arrived. */
  ALL_ARRIVED,
  /** The sender closed and failed, or gave up as this side asked. */
  FAIL,
  /** The application wants no more. */
  CANCEL,
  /** The path ended. */
  PATH_ENDED
}
