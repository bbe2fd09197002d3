package io.millrace.testkit.sim;

/**
 * The behaviour of a node apart from the decisions of its code.
 *
 * @param skewNs reading of the node's clock at the start of the run
 * @param driftPpm by how much the node's clock runs faster than virtual time, negative if slower
 * @param leastStepNs least processor time of one step: a task of a pool, a turn of a worker
 * @param mostStepNs most processor time of one step
 * @param isOrderRandom whether pools run any waiting task, rather than the first
 * @param throughput messages that an actor handles before the next actor's turn
 * @param isFuzzing whether streams run their stages in any order that their contract allows
 */
public record NodeSettings(
    long skewNs,
    long driftPpm,
    long leastStepNs,
    long mostStepNs,
    boolean isOrderRandom,
    int throughput,
    boolean isFuzzing) {
  /** A right clock, steps of 50 ns to 2 us, tasks in any order. */
  public static final NodeSettings DEFAULT = new NodeSettings(0, 0, 50, 2_000, true, 5, false);

  /** Checks the ranges. */
  public NodeSettings {
    if (leastStepNs < 1 || mostStepNs < leastStepNs) {
      throw new IllegalArgumentException("steps of " + leastStepNs + " to " + mostStepNs + " ns");
    }
    if (throughput < 1) {
      throw new IllegalArgumentException("a throughput of " + throughput);
    }
  }
}
