package io.millrace.testkit.internal.net;

/** The kinds of faults of a single datagram, which a run can leave out again. */
public enum FaultKind {
  /** Lost singly. */
  LOSS,
  /** Lost in a burst. */
  BURST_LOSS,
  /** Met the long tail of delays. */
  LONG_DELAY,
  /** Overtaken. */
  REORDER,
  /** Arrived twice. */
  DUPLICATE,
  /** Bits flipped. */
  CORRUPT,
  /** The end is missing. */
  TRUNCATE,
  /** Decided by a {@link PacketMonitor}. */
  DIRECTED
}
