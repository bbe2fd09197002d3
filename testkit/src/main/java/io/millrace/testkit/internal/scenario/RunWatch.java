package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import org.jspecify.annotations.Nullable;

/** The state of a simulation thread: written by this thread, read by the watching thread. */
final class RunWatch {
  private volatile @Nullable CurrentRun underWay;
  private volatile boolean isStopped;
  private volatile @Nullable Throwable failure;
  private volatile boolean isOver;

  /** A run begins. */
  void onBegin(RunSettings settings, Simulation simulation) {
    underWay = new CurrentRun(settings, simulation);
  }

  /** Records the end of the run; returns why the run was cut short, or null. */
  @Nullable SimViolation onEnd() {
    CurrentRun ended = underWay;
    underWay = null;
    if (ended == null) {
      return null;
    }
    SimViolation cut = ended.onEnd();
    if (cut != null) {
      // The interrupt has done its work; the thread may go on.
      Thread.interrupted();
    }
    return cut;
  }

  /** The run under way, or null between runs. */
  @Nullable CurrentRun underWay() {
    return underWay;
  }

  /** Forbids further runs. */
  void stop() {
    isStopped = true;
  }

  /** Whether further runs are forbidden. */
  boolean isStopped() {
    return isStopped;
  }

  /** Records that the thread is done, or was left behind, and the exception of a failed thread. */
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
