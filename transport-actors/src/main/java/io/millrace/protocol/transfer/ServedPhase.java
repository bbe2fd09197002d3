package io.millrace.protocol.transfer;

import org.jspecify.annotations.Nullable;

/**
 * How far a call is at the node that serves it; {@link ServedCall} moves along it, again and again,
 * because it is pooled.
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
 * A dash is an event that must not happen in that phase.
 */
public enum ServedPhase {
  /** Nobody's; in the pool, or to be collected. */
  FREE,
  /** New, and a handler or a body is at work on it; there is no answer. */
  EXECUTING,
  /** The answer is kept, and sent until its initiator has it. */
  ANSWERED,
  /** Its initiator gave it up before it was answered; whoever executes it still holds it. */
  ABANDONED,
  /** Its initiator has the answer or wants none; it may still stand in a queue. */
  DELIVERED;

  /** What happens to a call at the node that serves it. */
  public enum Event {
    /** A request arrived that is new. */
    START,
    /** The handler, or this node in its place, has answered. */
    ANSWER,
    /** The answer fits no datagram any more, and another one follows. */
    WITHDRAW,
    /** The initiator has the answer, uses the slot for another call, or the stream is over. */
    RELEASE,
    /** Nobody holds it any more. */
    RECYCLE
  }

  /** The phase after an event, or null if it must not happen in this phase. */
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
