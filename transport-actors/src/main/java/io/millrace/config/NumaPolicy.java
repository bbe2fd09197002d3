package io.millrace.config;

/** Where a worker's memory should lie on a machine with several memory nodes. */
public enum NumaPolicy {
  /** On the node of the worker's pinned core, as far as the system can. */
  PREFER_LOCAL,

  /** Wherever the system puts the memory. */
  IGNORE
}
