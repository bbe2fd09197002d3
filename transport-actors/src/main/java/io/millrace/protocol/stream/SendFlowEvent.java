package io.millrace.protocol.stream;

/** The events of the sending side of a flow. */
public enum SendFlowEvent {
  /** The application has no more elements. */
  END,
  /** Every segment was sent for the first time. */
  ALL_SENT,
  /** The application failed; unsent elements are dropped. */
  FAIL,
  /** A segment that was cut, and may have been sent, can never be sent again. */
  SEGMENT_LOST,
  /** The receiver wants no more. */
  CANCEL,
  /** The receiver acknowledged the close. */
  CLOSE_ACKED,
  /** The path ended. */
  PATH_ENDED
}
