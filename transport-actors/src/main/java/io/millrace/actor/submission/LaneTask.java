package io.millrace.actor.submission;

/**
 * A task of an {@link ExecutorLane}: exactly one of its methods is called, once, unless the lane
 * did not take it.
 */
public interface LaneTask extends Runnable {
  /** A task that runs in any case: when it is rejected, on the thread that learns of it. */
  static LaneTask always(Runnable task) {
    return new LaneTask() {
      @Override
      public boolean mayBlock() {
        return true;
      }

      @Override
      public void run() {
        task.run();
      }

      @Override
      public void onRejected() {
        task.run();
      }
    };
  }

  /**
   * Whether it runs an application's code that may take long or wait for another task of the lane:
   * then what waits behind it gets a thread of its own, if there is one.
   */
  default boolean mayBlock() {
    return false;
  }

  /** The executor has taken it. On one of the executor's threads. */
  @Override
  void run();

  /**
   * The executor refuses, so nobody will run it. On a thread that offered to the lane, which may be
   * another task's; must not block.
   */
  void onRejected();
}
