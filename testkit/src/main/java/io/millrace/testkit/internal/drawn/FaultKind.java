package io.millrace.testkit.internal.drawn;

import java.util.Locale;

/** Kinds of planned faults. */
public enum FaultKind {
  /** A node crashes. */
  CRASH,
  /** A node is stopped in order. */
  STOP,
  /** A node stands still. */
  PAUSE,
  /** Nothing passes one way. */
  CUT,
  /** Nothing passes either way. */
  CUT_BOTH,
  /** A link holds back all that it has. */
  CLOG,
  /** Half of the nodes are clogged one by one. */
  SWIZZLE,
  /** An interface loses everything. */
  NIC_SILENT,
  /** An interface is down, and says so. */
  NIC_DOWN,
  /** A link loses more. */
  LOSS,
  /** A link damages, repeats or reorders more. */
  DAMAGE,
  /** A link is slower. */
  RATE,
  /** A link takes longer. */
  DELAY,
  /** A link takes shorter datagrams only. */
  MTU,
  /** A link drops what exceeds a rate. */
  POLICER,
  /** A node can register no memory. */
  REGISTRATION,
  /** A clock runs wrong from now on. */
  DRIFT,
  /** A wall clock is set. */
  CLOCK,
  /** A frame that was waited for is lost. */
  FRAME_LOST,
  /** A frame that was waited for comes twice. */
  FRAME_TWICE,
  /** A frame that was waited for is damaged. */
  FRAME_DAMAGED,
  /** A frame that was waited for is late. */
  FRAME_LATE,
  /** A frame that was waited for comes again, much later. */
  FRAME_REPLAYED,
  /** A frame that was waited for comes much later, and none of its copies before. */
  FRAME_WITHHELD,
  /** Something that a scenario does by itself. */
  OWN;

  /** As reports name it: cut-both. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
