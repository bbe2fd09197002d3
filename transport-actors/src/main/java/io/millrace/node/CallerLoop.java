package io.millrace.node;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets application threads drive a worker's loop themselves, for the lowest latency on few cores.
 *
 * <p>Any thread may, one at a time. While nobody does, the worker's tasks wait and its network is
 * not looked at. When the worker is being shut down and nobody drives it, a short-lived thread runs
 * what is left. The calling thread never parks here.
 */
public interface CallerLoop {
  /** Whether the loop has ended; driving it does nothing then. */
  boolean isClosed();

  /**
   * Runs one turn on the calling thread.
   *
   * @return how much was done; 0 when there was nothing to do, when the stand-in just drives, or
   *     when the loop has ended
   * @throws IllegalStateException if another thread of the application, or this one, is in a turn
   */
  int runTurn();

  /**
   * Runs turns on the calling thread until {@code isDone}, until the loop's clock has reached
   * {@code deadlineNs}, which is looked at every few turns, or until the loop has ended; at least
   * one turn unless it is done already.
   *
   * @param isDone asked before and after each turn, on the loop
   * @param deadlineNs a time of {@link #nowNs}
   * @return whether {@code isDone}
   * @throws IllegalStateException if another thread of the application, or this one, is in a turn
   */
  boolean runUntil(BooleanSupplier isDone, long deadlineNs);

  /** The loop's clock, as it was read last. */
  long nowNs();

  /**
   * When a turn is due although nothing comes from the network, on the clock of {@link #nowNs}: at
   * once if something was submitted, else at the next deadline; {@link Long#MAX_VALUE} if there is
   * none. For the thread that drives the loop, between turns.
   */
  long nextTurnNs();

  /**
   * Descriptors of the system that are readable when something came from the network, so that a
   * thread which drives several loops can wait for all of them; null where the driver has none. The
   * same as long as the loop is open. For the thread that drives it, after its first turn.
   *
   * <p>What other threads hand to the loop, calls and what an executor has done for a transfer,
   * makes none of them readable: such a wait must be short, or be ended by whoever hands it over.
   */
  int @Nullable [] arrivalDescriptors();
}
