package io.millrace.loop;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What an actor sees of the thing that drives it and its duty cycle.
 *
 * <p>An actor finds its loop in {@code Behaviors.setup} by {@link #current()} and keeps it; all
 * actors of one worker's dispatcher find the same one. {@link #execute} runs a task on the loop; it
 * throws {@link java.util.concurrent.RejectedExecutionException} once the loop is closing.
 */
public interface EventLoop extends Executor {
  /** The name of the loop and of its thread. Any thread. */
  String name();

  /**
   * Adds a duty cycle; it runs from this turn on. On the loop only.
   *
   * @throws IllegalStateException if called elsewhere, if it is registered already, or if the loop
   *     is closing
   */
  void register(DutyCycle cycle);

  /**
   * Removes a duty cycle and calls its {@link DutyCycle#onClose()}; nothing happens when it is not
   * registered. On the loop only.
   *
   * @throws IllegalStateException if called elsewhere
   */
  void unregister(DutyCycle cycle);

  /** Whether the calling thread is the one that drives this loop now. Any thread. */
  boolean inLoop();

  /** The loop's clock, read now. Any thread. */
  long nowNs();

  /**
   * Ends the loop's sleep, if it is one that sleeps. To be called after putting something where a
   * duty cycle of this loop will look, by any thread; cheap when the loop is awake.
   */
  void wakeUp();

  /** What the loop has counted, readable from any thread. */
  LoopCounters counters();

  /** What became of the wish to keep the loop's thread on one CPU. Any thread. */
  Pinning pinning();

  /** A thread that belongs to a loop, or is lent to one. */
  interface Carrier {
    /** The loop that this thread drives at this moment, or null. Called on the thread itself. */
    @Nullable EventLoop eventLoop();
  }

  /**
   * The loop that the calling thread drives.
   *
   * @throws IllegalStateException on a thread that drives none
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
