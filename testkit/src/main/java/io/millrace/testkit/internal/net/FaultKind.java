package io.millrace.testkit.internal.net;

/** What can be done to a single datagram, and left out of a run again. */
public enum FaultKind {
  /** Lost by itself. */
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
  /** Its end is missing. */
  TRUNCATE,
  /** What a {@link PacketMonitor} wanted. */
  DIRECTED
}
