package io.millrace.buffer;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A waiter that wants to be told when the registry has memory for it; made by {@link
 * BufferRegistry#waiter}. A waiter is registered at most once at a time, so the number of waiters
 * bounds the registry's state.
 *
 * <p>A waiter is told once for each {@link #await}. By this time the memory is set aside for the
 * waiter, until the waiter allocates or calls {@link #cancel}. The owner of the waiter awaits and
 * allocates, on one thread at a time; {@link #cancel} is for any thread.
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
   * Waits for this number of bytes, unless the waiter waits already or was told and has not
   * allocated since. This thread tells the waiter at once if the registry has the memory now, or is
   * closed.
   *
   * @param sizeBytes the number of bytes to allocate later
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

  /** Bytes set aside for the waiter, as the waiter asked; 0 before the waiter was told. */
  public int grantedBytes() {
    Wait wait = current.get();
    return wait != null && wait.isGranted() ? wait.sizeBytes() : 0;
  }

  /** Ends a present wait, and gives back the memory that was set aside. Idempotent. */
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

  /** Whether the waiter is registered and was not told yet. */
  public boolean isWaiting() {
    Wait wait = current.get();
    return wait != null && wait.isOpen();
  }

  /** The share that the memory counts in, or null. */
  @Nullable BufferShare share() {
    return share;
  }

  /** Takes the wait whose memory was set aside, and the memory becomes the caller's; or null. */
  @Nullable Wait takeGranted() {
    Wait wait = current.get();
    return wait != null && wait.take() ? wait : null;
  }

  /** Runs the waiter's wake-up task. */
  void run() {
    wake.run();
  }

  /** A single wait; an object of its own, so that an old wait is not taken for the next. */
  static final class Wait {
    private static final int OPEN = 0;
    private static final int GRANTED = 1;
    private static final int OVER = 2;

    private final MemoryWaiter waiter;
    private final int sizeBytes;
    private final int firstClass;
    private final AtomicInteger state = new AtomicInteger(OPEN);
    // Fields of the serving thread until the grant, and of the taking thread after the grant.
    private int classIndex;
    private int blocks;
    private long number;
    private boolean isReturned;
    private boolean isCounted;
    private @Nullable WaitLine line;
    private @Nullable Wait previous;
    private @Nullable Wait next;

    /** A wait for a block of this class or a larger class, or for several blocks of the largest. */
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

    /** The wait's number in the order of arrival. */
    long number() {
      return number;
    }

    void number(long number) {
      this.number = number;
    }

    /** Whether the wait has waited for its share, and its turn in the share has come. */
    boolean isReturned() {
      return isReturned;
    }

    void setReturned(boolean isReturned) {
      this.isReturned = isReturned;
    }

    /** Whether the full size of the wait counts in its share, while the wait has fewer blocks. */
    boolean isCounted() {
      return isCounted;
    }

    void setCounted() {
      isCounted = true;
    }

    /** The line of the wait, or null. */
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

    /** The class of the blocks set aside. */
    int classIndex() {
      return classIndex;
    }

    /** The number of blocks set aside. */
    int blocks() {
      return blocks;
    }

    /** Notes the blocks set aside. */
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

    /** Lets the waiter allocate the blocks set aside; false if the wait has ended. */
    boolean grant() {
      return state.compareAndSet(OPEN, GRANTED);
    }

    /** Ends the wait before a grant; true if this call ended the wait. */
    boolean end() {
      return state.compareAndSet(OPEN, OVER);
    }

    /** Ends the wait and takes the grant; true if this call took the grant. */
    boolean take() {
      return state.compareAndSet(GRANTED, OVER);
    }
  }
}
