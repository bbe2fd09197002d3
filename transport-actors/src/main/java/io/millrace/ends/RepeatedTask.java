package io.millrace.ends;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;

/**
 * A task of {@link BodyWork} that is scheduled again and again. From any threads and any number of
 * times, the task's turns run one at a time, and after the last schedule call at least another turn
 * runs. A turn that throws is told to the task, so that the task comes to its end, and to the
 * thread's handler; further turns follow. A task that has come to wait for devices goes on where
 * such tasks run. Scheduling is for any thread.
 */
public abstract class RepeatedTask implements LaneTask {
  private static final VarHandle SCHEDULED;

  static {
    try {
      SCHEDULED = MethodHandles.lookup().findVarHandle(RepeatedTask.class, "scheduled", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BodyWork work;

  // The number of tasks is the number of open bodies: the counter is no object of its own.
  private volatile int scheduled;

  private boolean isPlaced;
  private boolean waits;
  private boolean isLeaving;

  /** A task that was not scheduled yet. */
  protected RepeatedTask(BodyWork work) {
    this.work = work;
  }

  /** The task may have something to do. */
  protected final void schedule() {
    if ((int) SCHEDULED.getAndAdd(this, 1) == 0) {
      work.giveWork(this);
    }
  }

  /**
   * Whether this turn must end at once, because all later turns run with tasks that wait for
   * devices. In a turn, as often as wanted.
   *
   * @param waitsForDevice whether the turns have to run there; asked once
   */
  protected final boolean leaves(BooleanSupplier waitsForDevice) {
    if (!isPlaced) {
      isPlaced = true;
      waits = waitsForDevice.getAsBoolean();
      isLeaving = waits;
    }
    return isLeaving;
  }

  @Override
  public final boolean waitsForDevice() {
    return waits;
  }

  @Override
  public final boolean mayBlock() {
    return true;
  }

  @Override
  public final void run() {
    int seen;
    do {
      seen = scheduled;
      turn();
      if (isLeaving) {
        isLeaving = false;
        // still scheduled, so nobody else hands the task over
        work.giveWork(this);
        return;
      }
    } while ((int) SCHEDULED.getAndAdd(this, -seen) != seen);
  }

  @Override
  public final void onRejected() {
    int seen;
    do {
      // A turn that is wanted meanwhile would be a second thread.
      seen = scheduled;
      refuse();
    } while ((int) SCHEDULED.getAndAdd(this, -seen) != seen);
  }

  private void refuse() {
    try {
      onRefused();
    } catch (Throwable t) { // the application's exception, in most cases: nothing may hang because
      // of the exception
      end(t);
    }
  }

  private void turn() {
    try {
      onTurn();
    } catch (Throwable t) { // the application's, in most cases: the next turn must be possible
      end(t);
    }
  }

  private void end(Throwable thrown) {
    attempt(() -> onFault(thrown));
    ExecutorLane.report(thrown);
  }

  /**
   * Takes a step that must not keep this task from its next step: an exception of the step is told
   * to the thread's handler and changes nothing.
   */
  protected static void attempt(Runnable step) {
    try {
      step.run();
    } catch (Throwable t) { // an application's callback threw
      ExecutorLane.report(t);
    }
  }

  /** Does the present work. On the executor. */
  protected abstract void onTurn();

  /**
   * A turn threw: the work of this task fails, once, and holds nothing any more. The caller tells
   * the thread's handler.
   */
  protected abstract void onFault(Throwable thrown);

  /**
   * The executor refuses: further turns are possible, but not certain. As {@link
   * LaneTask#onRejected}; told again if the task was scheduled meanwhile.
   */
  protected abstract void onRefused();
}
