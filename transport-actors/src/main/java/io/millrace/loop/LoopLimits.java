package io.millrace.loop;

/**
 * The bounds of a loop.
 *
 * @param taskQueueCapacity slots of the ring that takes tasks of other threads; a power of two is
 *     used up whole, other values are rounded up to a power of two. Twice as many tasks may wait
 *     before tasks that are not mailboxes are refused
 * @param tasksPerTurn tasks of each origin (the loop itself, other threads) that one turn runs at
 *     most before the duty cycles get their turn
 */
public record LoopLimits(int taskQueueCapacity, int tasksPerTurn) {
  /** Checks the ranges. */
  public LoopLimits {
    if (taskQueueCapacity < 2 || taskQueueCapacity > 1 << 24) {
      throw new IllegalArgumentException(
          "task-queue-capacity must be 2 to 16777216: " + taskQueueCapacity);
    }
    if (tasksPerTurn < 1) {
      throw new IllegalArgumentException("tasks-per-turn must be at least 1: " + tasksPerTurn);
    }
  }
}
