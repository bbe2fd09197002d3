package io.millrace.testkit.cluster;

/** The phase of the present life of a node. */
enum NodePhase {
  /** The JVM is up and has no program yet. */
  IDLE,
  /** The program runs. */
  RUNNING,
  /** The program has returned, and the JVM is about to exit. */
  EXITING,
  /**
   * The program returned and the JVM exited with 0, or the node was stopped before it had a
   * program.
   */
  ENDED,
  /** The program threw, or the JVM ended by itself. */
  FAILED,
  /** The cluster killed the node. */
  KILLED
}
