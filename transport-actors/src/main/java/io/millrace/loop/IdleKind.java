package io.millrace.loop;

/** Who drives a loop, and what its thread does when a turn found nothing to do. */
public enum IdleKind {
  /** A thread of its own that never parks: for cores that do nothing else. */
  BUSY_SPIN,

  /** A thread of its own that spins, then yields, then parks ever longer: for shared cores. */
  BACKOFF,

  /** No thread: the application drives the loop through a {@link DrivenLoop}. */
  CALLER_RUNS
}
