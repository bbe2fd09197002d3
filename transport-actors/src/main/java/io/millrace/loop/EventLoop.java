package io.millrace.loop;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The loop that drives an actor and its duty cycle, as the actor sees the loop.
 *
 * <p>An actor finds its loop in {@code Behaviors.setup} by {@link #current()} and keeps the loop;
 * all actors of a worker's dispatcher find the same loop. {@link #execute} runs a task on the loop;
 * the method throws {@link java.util.concurrent.RejectedExecutionException} once the loop is
 * closing.
 */
public interface EventLoop extends Executor {
  /** The name of the loop and of its thread. Any thread. */
  String name();

  /**
   * Adds a duty cycle; the cycle runs from this turn on. On the loop only.
   *
   * @throws IllegalStateException if called elsewhere, if the cycle is registered already, or if
   *     the loop is closing
   */
  void register(DutyCycle cycle);

  /**
   * Removes a duty cycle and calls its {@link DutyCycle#onClose()}; an unregistered cycle changes
   * nothing. On the loop only.
   *
   * @throws IllegalStateException if called elsewhere
   */
  void unregister(DutyCycle cycle);

  /** Whether the calling thread drives this loop now. Any thread. */
  boolean inLoop();

  /** The loop's clock, read now. Any thread. */
  long nowNs();

  /**
   * Ends the sleep of a sleeping loop. To be called after putting something where a duty cycle of
   * this loop will look, by any thread; cheap when the loop is awake.
   */
  void wakeUp();

  /** The loop's counters, readable from any thread. */
  LoopCounters counters();

  /** The result of the request to keep the loop's thread on a CPU. Any thread. */
  Pinning pinning();

  /** A thread that belongs to a loop, or is lent to a loop. */
  interface Carrier {
    /** The loop that this thread drives at this moment, or null. Called on the thread itself. */
    @Nullable EventLoop eventLoop();
  }

  /**
   * The loop that the calling thread drives.
   *
   * @throws IllegalStateException on a thread that drives no loop
   */
  static EventLoop current() {
    EventLoop loop = currentOrNull();
    if (loop == null) {
      throw new IllegalStateException("not on an event loop: " + Thread.currentThread().getName());
    }
    return loop;
  }

  /** The loop that the calling thread drives, or null. */
  static @Nullable EventLoop currentOrNull() {
    return Thread.currentThread() instanceof Carrier carrier
        ? carrier.eventLoop()
        : LoopBody.drivenByCaller();
  }
}
