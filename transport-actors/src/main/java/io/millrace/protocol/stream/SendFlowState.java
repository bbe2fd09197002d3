package io.millrace.protocol.stream;

/** Where the sending side of a flow stands; see {@link FlowTransitions}. */
public enum SendFlowState {
  /** Elements may come. */
  OPEN,
  /** No more elements come; the last elements are not sent yet. */
  ENDING,
  /** The close is on its way. */
  CLOSE_SENT,
  /** The receiver has all wanted elements; nothing is kept. */
  CLOSED
}
