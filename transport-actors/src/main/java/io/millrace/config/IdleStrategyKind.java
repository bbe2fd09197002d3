package io.millrace.config;

/** The behaviour of a worker after a turn of its loop that found nothing to do. */
public enum IdleStrategyKind {
  /** Turns again at once; for a core of its own. */
  BUSY_SPIN,
  /** Spins, yields, then parks for growing times; for shared cores. */
  BACKOFF,
  /** Has no thread: the application's thread runs the turns. */
  CALLER_RUNS
}
