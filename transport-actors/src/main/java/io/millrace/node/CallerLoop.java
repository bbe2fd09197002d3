package io.millrace.node;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets application threads drive a worker's loop themselves, for the lowest latency on few cores.
 *
 * <p>Any thread may drive the loop, one thread at a time. While no thread drives the loop, the
 * worker's tasks wait and nobody looks at the network of the worker. When the worker is being shut
 * down without a driving thread, a short-lived thread runs the remaining tasks. The calling thread
 * never parks here.
 */
public interface CallerLoop {
  /** Whether the loop has ended; an ended loop does nothing. */
  boolean isClosed();

  /**
   * Runs a turn on the calling thread.
   *
   * @return how much was done; 0 when there was nothing to do, when the stand-in just drives, or
   *     when the loop has ended
   * @throws IllegalStateException if another thread of the application, or this one, is in a turn
   */
  int runTurn();

  /**
   * Runs turns on the calling thread until {@code isDone}, until the loop's clock has reached
   * {@code deadlineNs}, or until the loop has ended; runs at least one turn unless {@code isDone}
   * holds already. The loop looks at the clock every few turns.
   *
   * @param isDone asked before and after each turn, on the loop
   * @param deadlineNs a time of {@link #nowNs}
   * @return whether {@code isDone}
   * @throws IllegalStateException if another thread of the application, or this one, is in a turn
   */
  boolean runUntil(BooleanSupplier isDone, long deadlineNs);

  /** The time of the loop's clock at the last reading. */
  long nowNs();

  /**
   * When a turn is due although nothing comes from the network, on the clock of {@link #nowNs}: at
   * once if something was submitted, else at the next deadline; {@link Long#MAX_VALUE} without a
   * deadline. For the thread that drives the loop, between turns.
   */
  long nextTurnNs();

  /**
   * Descriptors of the system that are readable when the network delivered something, so that a
   * thread which drives several loops can wait for all loops; null where the driver has no
   * descriptors. The same as long as the loop is open. For the thread that drives the loop, after
   * the loop's first turn.
   *
   * <p>Submissions of other threads to the loop, such as calls and an executor's finished work for
   * a transfer, make no descriptor readable. So such a wait must be short, or the submitting thread
   * must end the wait.
   */
  int @Nullable [] arrivalDescriptors();
}
