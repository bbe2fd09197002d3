package io.millrace.buffer;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One that wants to be told when there is memory for it; made by {@link BufferRegistry#waiter}. It
 * is registered at most once at a time, so what a registry keeps is bounded by how many waiters
 * there are.
 *
 * <p>A waiter is told once for each {@link #await}. The memory is set aside for it by then, until
 * it allocates or no longer wants it and calls {@link #cancel}. Its owner awaits and allocates, one
 * thread at a time; {@link #cancel} is for any thread.
 */
public final class MemoryWaiter {
  private final BufferRegistry registry;
  private final @Nullable BufferShare share;
  private final Runnable wake;
  private final AtomicReference<@Nullable Wait> current = new AtomicReference<>();

  MemoryWaiter(BufferRegistry registry, @Nullable BufferShare share, Runnable wake) {
    this.registry = registry;
    this.share = share;
    this.wake = wake;
  }

  /**
   * Waits for so much, unless it waits already or was told and has not allocated since. It is told
   * at once, by this thread, if there is memory now, or if the registry is closed.
   *
   * @param sizeBytes as many as it will ask for
   */
  public void await(int sizeBytes) {
    Wait present = current.get();
    if (present != null && !present.isOver()) {
      return;
    }
    Wait wait = registry.newWait(this, sizeBytes);
    if (current.compareAndSet(present, wait)) {
      registry.queue().add(wait);
    }
  }

  /** Bytes that are set aside for it, as it asked for; 0 if it was not told. */
  public int grantedBytes() {
    Wait wait = current.get();
    return wait != null && wait.isGranted() ? wait.sizeBytes() : 0;
  }

  /** Ends the wait, if there is one, and gives back what was set aside. Idempotent. */
  public void cancel() {
    Wait wait = current.get();
    if (wait == null) {
      return;
    }
    if (wait.end()) {
      registry.queue().onEnded(wait);
    } else if (wait.take()) {
      registry.giveUp(wait, 0);
    }
  }

  /** Whether it is registered and was not told yet. */
  public boolean isWaiting() {
    Wait wait = current.get();
    return wait != null && wait.isOpen();
  }

  /** Whose memory it takes, or null. */
  @Nullable BufferShare share() {
    return share;
  }

  /** What was set aside for it, which is the caller's from here on; or null. */
  @Nullable Wait takeGranted() {
    Wait wait = current.get();
    return wait != null && wait.take() ? wait : null;
  }

  /** Tells it. */
  void run() {
    wake.run();
  }

  /** One wait; an object of its own, so that an old one is not taken for the next. */
  static final class Wait {
    private static final int OPEN = 0;
    private static final int GRANTED = 1;
    private static final int OVER = 2;

    private final MemoryWaiter waiter;
    private final int sizeBytes;
    private final int firstClass;
    private final AtomicInteger state = new AtomicInteger(OPEN);
    // Of whoever serves the queue until it is granted, and of whoever takes it then.
    private int classIndex;
    private int blocks;
    private long number;
    private boolean isReturned;
    private boolean isCounted;
    private @Nullable WaitLine line;
    private @Nullable Wait previous;
    private @Nullable Wait next;

    /** A wait for a block of this class or a larger one, or for several of the largest. */
    Wait(MemoryWaiter waiter, int sizeBytes, int firstClass) {
      this.waiter = waiter;
      this.sizeBytes = sizeBytes;
      this.firstClass = firstClass;
    }

    MemoryWaiter waiter() {
      return waiter;
    }

    int sizeBytes() {
      return sizeBytes;
    }

    int firstClass() {
      return firstClass;
    }

    /** When it came. */
    long number() {
      return number;
    }

    void number(long number) {
      this.number = number;
    }

    /** Whether it has waited for its share, and its turn there has come. */
    boolean isReturned() {
      return isReturned;
    }

    void setReturned(boolean isReturned) {
      this.isReturned = isReturned;
    }

    /** Whether its share has all that it will have, while it has less. */
    boolean isCounted() {
      return isCounted;
    }

    void setCounted() {
      isCounted = true;
    }

    /** Where it stands, if it stands anywhere. */
    @Nullable WaitLine line() {
      return line;
    }

    void enter(WaitLine entered, @Nullable Wait before, @Nullable Wait after) {
      line = entered;
      previous = before;
      next = after;
    }

    void leave() {
      line = null;
      previous = null;
      next = null;
    }

    @Nullable Wait previous() {
      return previous;
    }

    void previous(@Nullable Wait wait) {
      previous = wait;
    }

    @Nullable Wait next() {
      return next;
    }

    void next(@Nullable Wait wait) {
      next = wait;
    }

    /** Which blocks are set aside. */
    int classIndex() {
      return classIndex;
    }

    /** How many. */
    int blocks() {
      return blocks;
    }

    /** Notes what is set aside. */
    void setAside(int classIndex, int blocks) {
      this.classIndex = classIndex;
      this.blocks = blocks;
    }

    boolean isOpen() {
      return state.get() == OPEN;
    }

    boolean isGranted() {
      return state.get() == GRANTED;
    }

    boolean isOver() {
      return state.get() == OVER;
    }

    /** It may allocate what was set aside; false if it has been ended. */
    boolean grant() {
      return state.compareAndSet(OPEN, GRANTED);
    }

    /** Ends it while nothing was granted; whether the caller is the one that did. */
    boolean end() {
      return state.compareAndSet(OPEN, OVER);
    }

    /** Ends it and takes what was granted; whether the caller is the one that did. */
    boolean take() {
      return state.compareAndSet(GRANTED, OVER);
    }
  }
}
