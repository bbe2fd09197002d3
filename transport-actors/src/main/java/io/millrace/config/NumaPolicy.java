package io.millrace.config;

/** Where a worker's memory should lie on a machine with several memory nodes. */
public enum NumaPolicy {
  /** On the node of the core that the worker is pinned to, as far as the system does it. */
  PREFER_LOCAL,

  /** Wherever the system puts the memory. */
  IGNORE
}
