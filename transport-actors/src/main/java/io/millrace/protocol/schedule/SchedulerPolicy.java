package io.millrace.protocol.schedule;

/** The division of the sendable bytes among the levels of a {@link PriorityScheduler}. */
public enum SchedulerPolicy {
  /** Deficit round robin in bytes: every level gets its weight's share, no level starves. */
  WEIGHTED,

  /** The first level with data always wins; a busy level starves all levels behind. */
  STRICT
}
