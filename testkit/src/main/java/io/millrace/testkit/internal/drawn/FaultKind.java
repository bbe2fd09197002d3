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
  /** A link holds back all its traffic. */
  CLOG,
  /** Half of the nodes are clogged one after the other. */
  SWIZZLE,
  /** An interface loses all traffic. */
  NIC_SILENT,
  /** An interface is down, and reports its state. */
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
  /** A link drops the excess over a rate. */
  POLICER,
  /** A node can register no memory. */
  REGISTRATION,
  /** A clock runs wrong from now on. */
  DRIFT,
  /** A wall clock is set. */
  CLOCK,
  /** An awaited frame is lost. */
  FRAME_LOST,
  /** An awaited frame comes twice. */
  FRAME_TWICE,
  /** An awaited frame is damaged. */
  FRAME_DAMAGED,
  /** An awaited frame is late. */
  FRAME_LATE,
  /** An awaited frame comes again, much later. */
  FRAME_REPLAYED,
  /** An awaited frame comes much later, and no copy comes before. */
  FRAME_WITHHELD,
  /** A fault of a scenario's own. */
  OWN;

  /** Returns the name in reports: cut-both. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
