package io.millrace.config;

/** How a worker chooses among priorities. */
public enum SchedulerPolicy {
  /** Deficit round robin with the configured weights; no level starves. */
  WEIGHTED,
  /** The first level that has anything; lower ones may starve. */
  STRICT
}
