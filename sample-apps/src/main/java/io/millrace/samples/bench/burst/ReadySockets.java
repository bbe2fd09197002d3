package io.millrace.samples.bench.burst;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * Whose sockets have something to read, by one {@code poll} for the descriptors of all. One thread.
 */
final class ReadySockets {
  private static final int ENTRY_BYTES = 8;
  private static final int RESULT_AT = 6;
  private static final short READABLE = 1;
  private static final MethodHandle POLL = poll();

  private final MemorySegment entries;
  private final int count;
  private final int[] firsts;

  @SuppressWarnings("restricted") // a call of the C library, whose arguments are as declared
  private static MethodHandle poll() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find("poll").orElseThrow(),
        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  }

  /** Over the descriptors of several owners. */
  ReadySockets(List<int[]> descriptors) {
    count = descriptors.stream().mapToInt(each -> each.length).sum();
    entries = Arena.ofAuto().allocate((long) count * ENTRY_BYTES, ENTRY_BYTES);
    firsts = new int[descriptors.size() + 1];
    int at = 0;
    for (int owner = 0; owner < descriptors.size(); owner++) {
      for (int descriptor : descriptors.get(owner)) {
        entries.set(JAVA_INT, (long) at * ENTRY_BYTES, descriptor);
        entries.set(JAVA_SHORT, (long) at * ENTRY_BYTES + Integer.BYTES, READABLE);
        at++;
      }
      firsts[owner + 1] = at;
    }
  }

  /** Waits until one is ready, for so many ms at most; returns how many are. */
  int await(int timeoutMs) {
    try {
      return (int) POLL.invokeExact(entries, (long) count, timeoutMs);
    } catch (Throwable e) {
      throw new IllegalStateException("poll", e);
    }
  }

  /** Whether the last {@link #await} found one of an owner ready. */
  boolean isReady(int owner) {
    boolean isReady = false;
    for (int at = firsts[owner]; at < firsts[owner + 1]; at++) {
      isReady |= entries.get(JAVA_SHORT, (long) at * ENTRY_BYTES + RESULT_AT) != 0;
    }
    return isReady;
  }
}
