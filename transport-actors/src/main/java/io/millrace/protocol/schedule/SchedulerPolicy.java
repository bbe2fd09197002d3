package io.millrace.protocol.schedule;

/** How the levels of a {@link PriorityScheduler} share what may be sent. */
public enum SchedulerPolicy {
  /** Deficit round robin in bytes: every level gets its weight's share, none starves. */
  WEIGHTED,

  /** The first level that has something always wins; a busy level starves all behind it. */
  STRICT
}
