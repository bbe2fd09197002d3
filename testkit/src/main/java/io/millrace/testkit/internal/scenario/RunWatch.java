package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import org.jspecify.annotations.Nullable;

/** What one simulation thread is at: told by that thread, read by the one that watches it. */
final class RunWatch {
  private volatile @Nullable UnderWay underWay;
  private volatile boolean isStopped;
  private volatile @Nullable Throwable failure;
  private volatile boolean isOver;

  /** A run begins. */
  void onBegin(RunSettings settings, Simulation simulation) {
    underWay = new UnderWay(settings, simulation);
  }

  /** The run has ended; why it was cut short, or null. */
  @Nullable SimViolation onEnd() {
    UnderWay ended = underWay;
    underWay = null;
    if (ended == null) {
      return null;
    }
    SimViolation cut = ended.onEnd();
    if (cut != null) {
      // It has done what it was for; the thread may go on.
      Thread.interrupted();
    }
    return cut;
  }

  /** The run under way, or null between runs. */
  @Nullable UnderWay underWay() {
    return underWay;
  }

  /** There are to be no more runs. */
  void stop() {
    isStopped = true;
  }

  /** Whether there are to be no more runs. */
  boolean isStopped() {
    return isStopped;
  }

  /** The thread has nothing more to do, or was left behind; how it failed, if it did. */
  void onOver(@Nullable Throwable thrown) {
    failure = thrown;
    isOver = true;
  }

  boolean isOver() {
    return isOver;
  }

  @Nullable Throwable failure() {
    return failure;
  }
}
