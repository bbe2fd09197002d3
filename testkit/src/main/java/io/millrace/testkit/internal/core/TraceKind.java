package io.millrace.testkit.internal.core;

/** The kinds of events in a trace hash; the first number that an event adds. */
public enum TraceKind {
  /** An event came due: its time, number of events to come. */
  EVENT,
  /** A loop takes a turn: the loop, number of waiting tasks. */
  TURN,
  /** A timer of a node fires: the node, the timer's ordinal. */
  TIMER,
  /** A node began a life: the node, its incarnation. */
  BOOT,
  /** A node's life ended at once: the node, its incarnation. */
  CRASH,
  /** A node's life ended in order: the node, its incarnation. */
  STOP,
  /** A node stands still: the node, the end of the pause. */
  PAUSE,
  /** A node's clock was set: the node, the new time. */
  CLOCK,
  /** A datagram was sent: link, ordinal. */
  PACKET,
  /** A datagram arrived: link, ordinal. */
  DELIVERY,
  /** A datagram was lost: link, ordinal. */
  LOSS,
  /** A one-sided write was posted: link, ordinal. */
  WRITE,
  /** A piece of a one-sided write landed: link, ordinal. */
  LANDING,
  /** The sender of a one-sided write was told its result: link, ordinal. */
  WRITE_END,
  /** A note of a scenario: any two numbers. */
  NOTE,
  /** A rule was broken: the time. */
  VIOLATION
}
