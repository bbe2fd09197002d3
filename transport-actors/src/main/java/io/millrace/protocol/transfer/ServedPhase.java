package io.millrace.protocol.transfer;

import org.jspecify.annotations.Nullable;

/**
 * The progress of a call at the node that serves the call; the pooled {@link ServedCall} moves
 * along these phases, again and again.
 *
 * <pre>
 *           START      ANSWER    WITHDRAW   RELEASE    RECYCLE
 * FREE      EXECUTING  -         -          -          -
 * EXECUTING -          ANSWERED  -          ABANDONED  -
 * ANSWERED  -          -         EXECUTING  DELIVERED  -
 * ABANDONED -          -         -          -          FREE
 * DELIVERED -          -         -          -          FREE
 * </pre>
 *
 * A dash marks an event that must not happen in the phase.
 */
public enum ServedPhase {
  /** Nobody's; in the pool, or to be collected. */
  FREE,
  /** New, and a handler or a body is at work on the call; no answer exists. */
  EXECUTING,
  /** The answer is kept, and sent until the initiator has the answer. */
  ANSWERED,
  /** The initiator gave the call up before the answer; the executing work still holds the call. */
  ABANDONED,
  /** The initiator has the answer or wants no answer; the call may still stand in a queue. */
  DELIVERED;

  /** The events of a call at the node that serves the call. */
  public enum Event {
    /** A new request arrived. */
    START,
    /** The handler, or this node in its place, has answered. */
    ANSWER,
    /** The answer fits no datagram any more, and another answer follows. */
    WITHDRAW,
    /** The initiator has the answer, uses the slot for another call, or the stream is over. */
    RELEASE,
    /** Nobody holds the call any more. */
    RECYCLE
  }

  /** The phase after an event, or null for an event that must not happen in this phase. */
  public @Nullable ServedPhase after(Event event) {
    return switch (event) {
      case START -> this == FREE ? EXECUTING : null;
      case ANSWER -> this == EXECUTING ? ANSWERED : null;
      case WITHDRAW -> this == ANSWERED ? EXECUTING : null;
      case RELEASE -> this == EXECUTING ? ABANDONED : this == ANSWERED ? DELIVERED : null;
      case RECYCLE -> this == ABANDONED || this == DELIVERED ? FREE : null;
    };
  }
}
