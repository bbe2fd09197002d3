package io.millrace.ends.retry;

import io.millrace.transfer.RetryPolicy;
import java.time.Duration;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a node that wait for their next attempt, bounded in bytes. Each wait ends once: by
 * its timer, by its caller, or by the close of the node. Any thread; time comes from the node, the
 * timers from the node's actor system.
 */
public final class RetryRoom implements AutoCloseable {
  /** The bytes that a waiting call counts beside its payload and headers. */
  static final int CALL_BYTES = 256;

  private final long mostBytes;
  private final Means means;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong numbers = new AtomicLong();

  /** The waiting calls in the order of their arrival. */
  private final ConcurrentSkipListMap<Long, Wait> waits = new ConcurrentSkipListMap<>();

  private volatile boolean isClosed;

  /**
   * The means of the node that a room uses.
   *
   * @param timers runs a task once after a delay; the answer cancels the timer
   * @param clock the node's time, ns
   * @param random draws the pauses
   */
  public record Means(
      BiFunction<Duration, Runnable, Runnable> timers,
      LongSupplier clock,
      RandomGenerator random) {}

  /** A call that waits for its next attempt; told once. */
  public interface Waiter {
    /** The pause is over. On a thread of the timers. */
    void onPauseOver();

    /** The node closes. On the closing thread. */
    void onClosed();
  }

  /** Creates a room for this many bytes of waiting calls. */
  public RetryRoom(long mostBytes, Means means) {
    this.mostBytes = mostBytes;
    this.means = means;
  }

  /** The node's time, ns. */
  public long nowNs() {
    return means.clock().getAsLong();
  }

  /**
   * Draws the pause before the next attempt, ns.
   *
   * @param retry the number of retries with a pause so far, from 0
   */
  public long pauseNs(RetryPolicy policy, int retry) {
    long whole = policy.maxBackoff().toNanos();
    long first = policy.backoff().toNanos();
    if (retry < Long.numberOfLeadingZeros(first) - 1) {
      whole = Math.min(whole, first << retry);
    }
    return whole / 2 + means.random().nextLong(whole - whole / 2 + 1);
  }

  /**
   * Lets a call wait; null if the room has too few free bytes, the node is closed, or the node's
   * timers take no task.
   *
   * @param callBytes payload and headers of the call
   */
  public @Nullable Wait enter(long pauseNs, long callBytes, Waiter waiter) {
    long held = callBytes + CALL_BYTES;
    if (isClosed) {
      return null;
    }
    if (bytes.addAndGet(held) > mostBytes) {
      bytes.addAndGet(-held);
      return null;
    }
    Wait wait = new Wait(numbers.getAndIncrement(), held, waiter);
    waits.put(wait.number, wait);
    try {
      wait.cancelTimer = means.timers().apply(Duration.ofNanos(pauseNs), wait::onTimer);
    } catch (RuntimeException e) {
      // The actor system ends. A wait that the close has ended has told its call.
      return wait.end() ? null : wait;
    }
    if (wait.isOver.get()) {
      // The close came before the timer.
      wait.cancelTimer.run();
    } else if (isClosed) {
      wait.close();
    }
    return wait;
  }

  /** The bytes of the waiting calls. */
  public long waitingBytes() {
    return bytes.get();
  }

  /** Whether the node is closed, so that no call may wait. */
  public boolean isClosed() {
    return isClosed;
  }

  /** Ends every wait; later calls do not wait. Idempotent. */
  @Override
  public void close() {
    isClosed = true;
    for (Wait wait : waits.values()) {
      wait.close();
    }
  }

  /** The pause of one call. */
  public final class Wait {
    private final long number;
    private final long held;
    private final Waiter waiter;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private volatile Runnable cancelTimer = () -> {};

    private Wait(long number, long held, Waiter waiter) {
      this.number = number;
      this.held = held;
      this.waiter = waiter;
    }

    private boolean end() {
      if (!isOver.compareAndSet(false, true)) {
        return false;
      }
      waits.remove(number);
      bytes.addAndGet(-held);
      return true;
    }

    private void onTimer() {
      if (end()) {
        waiter.onPauseOver();
      }
    }

    private void close() {
      if (end()) {
        cancelTimer.run();
        waiter.onClosed();
      }
    }

    /** Ends the pause without an attempt, unless the pause is over: then false. */
    public boolean cancel() {
      boolean isFirst = end();
      if (isFirst) {
        cancelTimer.run();
      }
      return isFirst;
    }
  }
}
