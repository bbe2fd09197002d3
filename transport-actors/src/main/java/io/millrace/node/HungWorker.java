package io.millrace.node;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A worker that makes no progress.
 *
 * @param worker the worker's number
 * @param thread the name of the thread that the worker hangs in: the worker's own, or the
 *     application's that drives the worker
 * @param hungNs the time without progress, pauses of the whole process left out
 * @param stack where the thread is, the innermost frame first; empty if that could not be found out
 *     in time
 */
public record HungWorker(int worker, String thread, long hungNs, List<StackTraceElement> stack) {
  /** Copies the list. */
  public HungWorker {
    stack = List.copyOf(stack);
  }

  /** Where the thread is, a line for each frame. */
  public String stackText() {
    StringBuilder text = new StringBuilder();
    stack.forEach(frame -> text.append("\n\tat ").append(frame));
    return text.toString();
  }

  /** A sentence, and then the place of the thread. */
  @Override
  public String toString() {
    return "worker "
        + worker
        + " has made no progress for "
        + TimeUnit.NANOSECONDS.toMillis(hungNs)
        + " ms; its thread "
        + thread
        + (stack.isEmpty() ? " does not say where it is" : " is here:")
        + stackText();
  }
}
