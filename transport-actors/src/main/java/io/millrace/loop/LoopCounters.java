package io.millrace.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The counts of a loop.
 *
 * <p>The loop's thread writes most counts with plain-priced opaque stores; any thread reads. The
 * counts lie in an array of their own, away from the fields of submitting threads, so that counting
 * turns costs these threads no cache miss. All are totals since the loop began.
 */
public final class LoopCounters {
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private static final int PADDING = 16;
  private static final int ITERATIONS = PADDING;
  private static final int TASKS = PADDING + 1;
  private static final int PARKS = PADDING + 2;
  private static final int TASK_FAILURES = PADDING + 3;
  private static final int CYCLE_FAILURES = PADDING + 4;
  // written by submitting threads, hence on a cache line of their own
  private static final int OVERFLOWS = PADDING + 16;
  private static final int REJECTIONS = PADDING + 17;
  private static final int LENGTH = OVERFLOWS + PADDING;

  private final long[] words = new long[LENGTH];

  /** A new set, all zero. */
  public LoopCounters() {}

  /** Turns of the loop. A number that stands still while the loop is open means a hung worker. */
  public long iterations() {
    return read(ITERATIONS);
  }

  /** Tasks run: mailboxes and whatever else was executed on the dispatcher. */
  public long tasks() {
    return read(TASKS);
  }

  /** The number of parks of the loop's thread. */
  public long parks() {
    return read(PARKS);
  }

  /** Tasks that ended by an exception. */
  public long taskFailures() {
    return read(TASK_FAILURES);
  }

  /** Calls of duty cycles that ended by an exception. */
  public long cycleFailures() {
    return read(CYCLE_FAILURES);
  }

  /** Submitted tasks that found the ring full and went to the overflow list. */
  public long overflows() {
    return read(OVERFLOWS);
  }

  /** Submitted tasks that were refused: by a closing loop, or by full lists. */
  public long rejections() {
    return read(REJECTIONS);
  }

  void onTurn() {
    increment(ITERATIONS, 1);
  }

  void onTasks(int count) {
    increment(TASKS, count);
  }

  void onPark() {
    increment(PARKS, 1);
  }

  void onTaskFailed() {
    increment(TASK_FAILURES, 1);
  }

  void onCycleFailed() {
    increment(CYCLE_FAILURES, 1);
  }

  void onOverflow() {
    WORD.getAndAdd(words, OVERFLOWS, 1L);
  }

  void onRejection() {
    WORD.getAndAdd(words, REJECTIONS, 1L);
  }

  private long read(int index) {
    return (long) WORD.getOpaque(words, index);
  }

  private void increment(int index, long amount) {
    WORD.setOpaque(words, index, words[index] + amount);
  }
}
