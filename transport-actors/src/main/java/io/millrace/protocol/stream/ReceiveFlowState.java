package io.millrace.protocol.stream;

/** Where the receiving side of a flow stands; see {@link FlowTransitions}. */
public enum ReceiveFlowState {
  /** Elements may come. */
  OPEN,
  /** The sender has closed; segments are still missing. */
  CLOSE_KNOWN,
  /** The application wants no more; the sender has not closed yet. */
  CANCEL_SENT,
  /** All wanted elements are present. */
  CLOSED
}
