package io.millrace.loop;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Lets a thread sleep until a descriptor among several is readable, by Linux's {@code ppoll}, or
 * until another thread wakes the sleeper, by an {@code eventfd}. Waiting and waking allocate
 * nothing, unless the descriptors have changed.
 */
final class ArrivalWait implements AutoCloseable {
  private static final int EFD_NONBLOCK = 0x800;
  private static final int EFD_CLOEXEC = 0x80000;
  private static final short POLLIN = 1;

  /** The layout of a {@code pollfd}: a descriptor, the requested events, and the answer. */
  private static final int POLLFD_BYTES = 8;

  private static final int EVENTS_OFFSET = 4;
  private static final int REVENTS_OFFSET = 6;
  private static final long NS_PER_S = 1_000_000_000;

  /**
   * Values of {@link #wakers}: no thread may wake any more; and the descriptor for waking is gone.
   */
  private static final int CLOSED = Integer.MIN_VALUE;

  private static final int FREED = CLOSED / 2;

  private final int eventFd;

  // Automatic memory: a waking thread may come late.
  private final MemorySegment timeout = Arena.ofAuto().allocate(16, Long.BYTES);
  private final MemorySegment one = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
  private final MemorySegment count = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
  private MemorySegment polled = MemorySegment.NULL;
  private int[] descriptors = {};

  /** The number of threads in {@link #wakeUp}; negative after the close. */
  private final AtomicInteger wakers = new AtomicInteger();

  private ArrivalWait(int eventFd) {
    this.eventFd = eventFd;
    one.set(ValueLayout.JAVA_LONG, 0, 1);
    set(descriptors);
  }

  /**
   * Opens a wait without a waiting thread, or returns null where the system has no descriptor to
   * give.
   */
  static @Nullable ArrivalWait open() {
    if (Libc.FUNCTIONS == null) {
      return null;
    }
    int eventFd = Libc.FUNCTIONS.eventFd(EFD_NONBLOCK | EFD_CLOEXEC);
    return eventFd < 0 ? null : new ArrivalWait(eventFd);
  }

  /** The descriptor that {@link #wakeUp} makes readable. */
  int eventFd() {
    return eventFd;
  }

  /**
   * Waits until a descriptor is readable or has an error, until {@link #wakeUp}, or for {@code
   * timeoutNs}. May return early. Always the same thread.
   *
   * @return whether a descriptor is ready
   */
  boolean await(int[] readable, long timeoutNs) {
    if (readable != descriptors) {
      set(readable);
    }
    timeout.setAtIndex(ValueLayout.JAVA_LONG, 0, timeoutNs / NS_PER_S);
    timeout.setAtIndex(ValueLayout.JAVA_LONG, 1, timeoutNs % NS_PER_S);
    int ready = Libc.functions().poll(polled, descriptors.length + 1, timeout);
    if (ready > 0 && polled.get(ValueLayout.JAVA_SHORT, REVENTS_OFFSET) != 0) {
      Libc.functions().read(eventFd, count);
      ready--;
    }
    return ready > 0;
  }

  /** Ends the present wait, or the next wait. Any thread; once closed, nothing happens. */
  void wakeUp() {
    if (wakers.getAndIncrement() >= 0) {
      Libc.functions().write(eventFd, one);
    }
    wakers.decrementAndGet();
    free();
  }

  private void set(int[] readable) {
    polled = Arena.ofAuto().allocate((readable.length + 1L) * POLLFD_BYTES, Long.BYTES);
    ask(0, eventFd);
    for (int i = 0; i < readable.length; i++) {
      ask(i + 1, readable[i]);
    }
    descriptors = readable;
  }

  private void ask(int place, int fd) {
    long offset = (long) place * POLLFD_BYTES;
    polled.set(ValueLayout.JAVA_INT, offset, fd);
    polled.set(ValueLayout.JAVA_SHORT, offset + EVENTS_OFFSET, POLLIN);
  }

  @Override
  public void close() {
    wakers.getAndUpdate(count -> count < 0 ? count : count + CLOSED);
    free();
  }

  /** The last thread to leave closes the descriptor: another file may get its number at once. */
  private void free() {
    if (wakers.get() == CLOSED && wakers.compareAndSet(CLOSED, FREED)) {
      Libc.functions().close(eventFd);
    }
  }

  /** The C library's functions; resolved when first needed. */
  private static final class Libc {
    /** Null on a system without these functions. */
    static final @Nullable Libc FUNCTIONS = resolve();

    private final MethodHandle eventFd =
        NativeCalls.bind(
            "eventfd",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private final MethodHandle poll =
        NativeCalls.bind(
            "ppoll",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS));
    private final MethodHandle read = NativeCalls.bind("read", transfer());
    private final MethodHandle write = NativeCalls.bind("write", transfer());
    private final MethodHandle close =
        NativeCalls.bind(
            "close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private static @Nullable Libc resolve() {
      try {
        return NativeCalls.isLinux() ? new Libc() : null;
      } catch (RuntimeException | LinkageError e) {
        return null;
      }
    }

    static Libc functions() {
      if (FUNCTIONS == null) {
        throw new IllegalStateException("nothing was opened");
      }
      return FUNCTIONS;
    }

    private static FunctionDescriptor transfer() {
      return FunctionDescriptor.of(
          ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    }

    int eventFd(int flags) {
      try {
        return (int) eventFd.invokeExact(0, flags);
      } catch (Throwable e) {
        throw NativeCalls.unexpected(e);
      }
    }

    int poll(MemorySegment polled, long count, MemorySegment timeout) {
      try {
        return (int) poll.invokeExact(polled, count, timeout, MemorySegment.NULL);
      } catch (Throwable e) {
        throw NativeCalls.unexpected(e);
      }
    }

    void read(int fd, MemorySegment word) {
      try {
        var _ = (long) read.invokeExact(fd, word, (long) Long.BYTES);
      } catch (Throwable e) {
        throw NativeCalls.unexpected(e);
      }
    }

    void write(int fd, MemorySegment word) {
      try {
        var _ = (long) write.invokeExact(fd, word, (long) Long.BYTES);
      } catch (Throwable e) {
        throw NativeCalls.unexpected(e);
      }
    }

    void close(int fd) {
      try {
        var _ = (int) close.invokeExact(fd);
      } catch (Throwable e) {
        throw NativeCalls.unexpected(e);
      }
    }
  }
}
