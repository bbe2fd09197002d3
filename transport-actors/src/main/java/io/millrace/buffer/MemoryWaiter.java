package io.millrace.buffer;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One that wants to be told when memory was freed; made by {@link BufferRegistry#waiter}. It is
 * registered at most once at a time, so what a registry keeps is bounded by how many waiters there
 * are. Any thread.
 *
 * <p>A waiter is told once for each {@link #await} that answered true, by the thread that freed the
 * memory. It then tries to allocate and, if somebody was quicker, waits again. A waiter that no
 * longer wants memory calls {@link #cancel}, also after it was told: another one is told instead.
 */
public final class MemoryWaiter {
  private final BufferRegistry registry;
  private final int sizeBytes;
  private final Runnable wake;
  private final AtomicReference<@Nullable Wait> current = new AtomicReference<>();

  MemoryWaiter(BufferRegistry registry, int sizeBytes, Runnable wake) {
    this.registry = registry;
    this.sizeBytes = sizeBytes;
    this.wake = wake;
  }

  /**
   * Registers, if it is not registered yet.
   *
   * @return false if there is memory now: then it is not registered and will not be told, and the
   *     caller tries again at once
   */
  public boolean await() {
    return registry.await(this);
  }

  /** Ends the wait, if there is one. Idempotent. */
  public void cancel() {
    registry.cancel(this);
  }

  /** Whether it is registered and was not told yet. */
  public boolean isWaiting() {
    return current.get() != null;
  }

  /** How much it waits for. */
  int sizeBytes() {
    return sizeBytes;
  }

  /** Begins a wait, or answers null if there is one. */
  @Nullable Wait begin() {
    Wait wait = new Wait(this);
    return current.compareAndSet(null, wait) ? wait : null;
  }

  /** The wait under way. */
  @Nullable Wait current() {
    return current.get();
  }

  /** Tells it. */
  void run() {
    wake.run();
  }

  /** One wait; an object of its own, so that an old one is not taken for the next. */
  static final class Wait {
    private final MemoryWaiter waiter;

    private Wait(MemoryWaiter waiter) {
      this.waiter = waiter;
    }

    MemoryWaiter waiter() {
      return waiter;
    }

    /** Whether nobody ended it. */
    boolean isOpen() {
      return waiter.current.get() == this;
    }

    /** Ends it; whether the caller is the one that did. */
    boolean end() {
      return waiter.current.compareAndSet(this, null);
    }
  }
}
