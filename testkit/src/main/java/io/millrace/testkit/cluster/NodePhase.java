package io.millrace.testkit.cluster;

/** Where the present life of a node is. */
enum NodePhase {
  /** Its JVM is up and has no program yet. */
  IDLE,
  /** Its program runs. */
  RUNNING,
  /** Its program has returned, its JVM is about to exit. */
  EXITING,
  /** Its program returned and its JVM exited with 0, or it was stopped before it had one. */
  ENDED,
  /** Its program threw, or its JVM ended by itself. */
  FAILED,
  /** It was killed by this cluster. */
  KILLED
}
