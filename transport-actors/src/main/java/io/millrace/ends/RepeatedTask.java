package io.millrace.ends;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;

/**
 * A task of {@link BodyWork} that is scheduled again and again: however often and from wherever,
 * its turns run one at a time, and after the last time there is at least one more. A turn that
 * throws is told to the task, so that it comes to its end, and to the thread's handler; others
 * follow. One that has come to wait for devices goes on where such tasks run. Scheduling is for any
 * thread.
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

  // There are as many tasks as open bodies: no object of its own.
  private volatile int scheduled;

  private boolean isPlaced;
  private boolean waits;
  private boolean isLeaving;

  /** A task that was not scheduled yet. */
  protected RepeatedTask(BodyWork work) {
    this.work = work;
  }

  /** There may be something to do. */
  protected final void schedule() {
    if ((int) SCHEDULED.getAndAdd(this, 1) == 0) {
      work.giveWork(this);
    }
  }

  /**
   * Whether this turn must end at once, because the next one and all that follow run with tasks
   * that wait for devices. In a turn, as often as wanted.
   *
   * @param waitsForDevice whether they have to; asked once
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
        // still scheduled, so nobody else hands it over
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
    } catch (Throwable t) { // the application's, in most cases: nothing may hang on it
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
   * Takes a step that must not keep this task from its next one: what it throws is told to the
   * thread's handler and changes nothing.
   */
  protected static void attempt(Runnable step) {
    try {
      step.run();
    } catch (Throwable t) { // an application's callback threw
      ExecutorLane.report(t);
    }
  }

  /** Does what there is to do. On the executor. */
  protected abstract void onTurn();

  /**
   * A turn threw: what this task does fails, once, and holds nothing any more. The thread's handler
   * is told by others.
   */
  protected abstract void onFault(Throwable thrown);

  /**
   * The executor refuses: there may never be a turn again, or there may be. As {@link
   * LaneTask#onRejected}; told again if the task was scheduled meanwhile.
   */
  protected abstract void onRefused();
}
