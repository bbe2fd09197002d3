package io.millrace.config;

/** What a worker does when a turn of its loop found nothing to do. */
public enum IdleStrategyKind {
  /** Turns again at once; for a core of its own. */
  BUSY_SPIN,
  /** Spins, yields, then parks for growing times; for shared cores. */
  BACKOFF,
  /** Has no thread: the application's thread runs the turns. */
  CALLER_RUNS
}
