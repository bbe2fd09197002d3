package io.millrace.config;

/** The choice of a worker among priorities. */
public enum SchedulerPolicy {
  /** Deficit round robin with the configured weights; no level starves. */
  WEIGHTED,
  /** The first level with data; lower levels may starve. */
  STRICT
}
