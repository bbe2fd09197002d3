package io.millrace.loop;

/** The driver of a loop, and the behaviour of an idle thread. */
public enum IdleKind {
  /** A thread of the loop's own that never parks: for cores with no other work. */
  BUSY_SPIN,

  /**
   * A thread of the loop's own that spins, then yields, then parks ever longer: for shared cores.
   */
  BACKOFF,

  /** No thread: the application drives the loop through a {@link DrivenLoop}. */
  CALLER_RUNS
}
