package io.millrace.testkit.internal.core;

/** What a trace hash distinguishes; the first number that an event adds. */
public enum TraceKind {
  /** An event came due: its time, how many wait. */
  EVENT,
  /** A loop takes a turn: which, how many tasks wait. */
  TURN,
  /** A timer of a node fires: which node, its ordinal. */
  TIMER,
  /** A node began a life: which, its incarnation. */
  BOOT,
  /** A node's life ended at once: which, its incarnation. */
  CRASH,
  /** A node's life ended in order: which, its incarnation. */
  STOP,
  /** A node stands still: which, until when. */
  PAUSE,
  /** A node's clock was set: which, to what. */
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
  /** The sender of a one-sided write was told how it ended: link, ordinal. */
  WRITE_END,
  /** What a scenario noted: any two numbers. */
  NOTE,
  /** A rule was broken: when. */
  VIOLATION
}
