package io.millrace.ends;

/**
 * A task of an {@link ExecutorLane}: exactly one of its methods is called, once, unless the lane
 * did not take it.
 */
public interface LaneTask extends Runnable {
  /** A task that runs in any case: when it is rejected, on the thread that learns of it. */
  static LaneTask always(Runnable task) {
    return always(false, task);
  }

  /** The same, with tasks that wait for devices if it may. */
  static LaneTask always(boolean waitsForDevice, Runnable task) {
    return new LaneTask() {
      @Override
      public boolean waitsForDevice() {
        return waitsForDevice;
      }

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

  /**
   * Whether it may wait for a device, and is to run with the lane's tasks that do. From false to
   * true it may change while it runs, and then it runs there from the next time on.
   */
  default boolean waitsForDevice() {
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
