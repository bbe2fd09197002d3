package io.millrace.ends;

/**
 * A task of an {@link ExecutorLane}: a single method of the task is called, once, unless the lane
 * did not take the task.
 */
public interface LaneTask extends Runnable {
  /**
   * A task that runs in any case: after a rejection, on the thread that learns of the rejection.
   */
  static LaneTask always(Runnable task) {
    return always(false, task);
  }

  /** The same, run with tasks that wait for devices if the task may wait for a device. */
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
   * Whether the task runs an application's code that may take long or wait for another task of the
   * lane: then the tasks behind get a thread of their own, if a thread is available.
   */
  default boolean mayBlock() {
    return false;
  }

  /**
   * Whether the task may wait for a device, and is to run with the lane's waiting tasks. The answer
   * may change from false to true during a run, and from the next run on the task runs with the
   * waiting tasks.
   */
  default boolean waitsForDevice() {
    return false;
  }

  /** The priority of the task among the waiting tasks of its lane: 0 (first) to 7. */
  default int level() {
    return 0;
  }

  /** Whether nobody waits for the task any more, so that its run costs next to nothing. */
  default boolean isAbandoned() {
    return false;
  }

  /** The executor has taken the task. On a thread of the executor. */
  @Override
  void run();

  /**
   * The executor refuses, so nobody will run the task. On a thread that offered to the lane,
   * perhaps with another task; must not block.
   */
  void onRejected();
}
