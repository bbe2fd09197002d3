package io.millrace.samples.bench.burst;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * Finds the owners of readable sockets, by one {@code epoll}: the cost depends on the number of
 * readable sockets, not on the number of sockets. Used by one thread. The end of the process frees
 * the descriptor.
 */
final class ReadySockets {
  private static final int READABLE = 1;
  private static final int ADD = 1;
  private static final int MOST_AT_ONCE = 64;

  /** The kernel packs {@code epoll_event} on x86 alone. */
  private static final int DATA_AT =
      System.getProperty("os.arch", "").equals("amd64") ? Integer.BYTES : Long.BYTES;

  private static final int ENTRY_BYTES = DATA_AT + Long.BYTES;
  private static final ValueLayout.OfLong DATA = ValueLayout.JAVA_LONG_UNALIGNED;

  private static final MethodHandle CREATE =
      bind("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle CONTROL =
      bind("epoll_ctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
  private static final MethodHandle WAIT =
      bind("epoll_wait", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));

  private static final MethodHandle EVENT =
      bind("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle WRITE =
      bind("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle READ =
      bind("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final int NON_BLOCKING = 0x800;

  private final MemorySegment one = Arena.ofAuto().allocate(JAVA_LONG);
  private final MemorySegment count = Arena.ofAuto().allocate(JAVA_LONG);
  private final int owners;
  private int event = -1;
  private final MemorySegment entries =
      Arena.ofAuto().allocate((long) MOST_AT_ONCE * ENTRY_BYTES, Long.BYTES);
  private final int poll;

  @SuppressWarnings("restricted") // callers write the signature beside the function's name
  private static MethodHandle bind(String name, FunctionDescriptor signature) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), signature);
  }

  /** Watches the descriptors of several owners, numbered from 0 on. */
  ReadySockets(List<int[]> descriptors) {
    owners = descriptors.size();
    one.set(JAVA_LONG, 0, 1);
    try {
      poll = checked("epoll_create1", (int) CREATE.invokeExact(0));
      for (int owner = 0; owner < descriptors.size(); owner++) {
        for (int descriptor : descriptors.get(owner)) {
          watch(descriptor, owner);
        }
      }
    } catch (Throwable e) {
      throw new IllegalStateException("epoll", e);
    }
  }

  private void watch(int descriptor, int owner) throws Throwable {
    entries.set(JAVA_INT, 0, READABLE);
    entries.set(DATA, DATA_AT, owner);
    int _ = checked("epoll_ctl", (int) CONTROL.invokeExact(poll, ADD, descriptor, entries));
  }

  /** Adds an owner behind the last owner, ready after {@link #wake}. */
  void makeWakeable() {
    try {
      event = checked("eventfd", (int) EVENT.invokeExact(0, NON_BLOCKING));
      watch(event, owners);
    } catch (Throwable e) {
      throw new IllegalStateException("eventfd", e);
    }
  }

  /** Ends a wait, present or next; on any thread. */
  void wake() {
    try {
      long _ = (long) WRITE.invokeExact(event, one, one.byteSize());
    } catch (Throwable e) {
      throw new IllegalStateException("write", e);
    }
  }

  /** The next wait will not end because of earlier wakes. */
  void clearWake() {
    try {
      long _ = (long) READ.invokeExact(event, count, count.byteSize());
    } catch (Throwable e) {
      throw new IllegalStateException("read", e);
    }
  }

  private static int checked(String call, int result) {
    if (result < 0) {
      throw new IllegalStateException(call + " failed");
    }
    return result;
  }

  /**
   * Waits until a socket is readable, for {@code timeoutMs} at most; returns the number of readable
   * sockets, 64 at most.
   */
  int await(int timeoutMs) {
    try {
      // A signal ends the wait early, with the same effect as a timeout.
      return Math.max(0, (int) WAIT.invokeExact(poll, entries, MOST_AT_ONCE, timeoutMs));
    } catch (Throwable e) {
      throw new IllegalStateException("epoll_wait", e);
    }
  }

  /** The owner of the n-th readable socket of the last {@link #await}. */
  int owner(int n) {
    return (int) entries.get(DATA, (long) n * ENTRY_BYTES + DATA_AT);
  }
}
