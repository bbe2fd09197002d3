package io.millrace.loop;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * Which CPUs threads may run on, by Linux's {@code sched_setaffinity} and {@code
 * sched_getaffinity}; elsewhere nothing is done and the reason is told.
 *
 * <p>Nothing here throws for want of a permission or a platform: a worker that cannot be pinned
 * works all the same.
 */
public final class CpuAffinity {
  /** The calling thread, as the kernel wants it named. */
  static final int CALLING_THREAD = 0;

  /** Room for 8,192 CPUs, the most that Linux can be configured for. */
  private static final int MASK_BYTES = 1024;

  private static final int EPERM = 1;
  private static final int ESRCH = 3;
  private static final int EINVAL = 22;

  private CpuAffinity() {}

  /**
   * Keeps the calling thread on a CPU and reads the result back.
   *
   * @param cpu an id as in {@code /proc/cpuinfo}
   */
  public static Pinning pinCurrentThread(int cpu) {
    if (cpu < 0) {
      throw new IllegalArgumentException("no CPU has the id " + cpu);
    }
    if (cpu >= Byte.SIZE * MASK_BYTES) {
      return new Pinning(cpu, get(CALLING_THREAD), "no CPU has the id " + cpu);
    }
    String refusal = set(CALLING_THREAD, CpuSet.of(cpu));
    CpuSet actual = get(CALLING_THREAD);
    if (refusal == null && !actual.equals(CpuSet.of(cpu))) {
      refusal = "the system accepted CPU " + cpu + " but left the thread on " + actual;
    }
    return new Pinning(cpu, actual, refusal);
  }

  /** Where the calling thread may run; empty when that is not known here. */
  public static CpuSet ofCurrentThread() {
    return get(CALLING_THREAD);
  }

  /**
   * The CPUs that the starter of the process allowed to the process; empty if unknown here. CPUs
   * that the kernel was told to isolate are missing from this set, though a thread can be pinned
   * there.
   */
  public static CpuSet ofProcess() {
    // The first thread of a process: the JVM's launcher waits on this thread, and nobody pins it.
    return get((int) ProcessHandle.current().pid());
  }

  /** Lets the calling thread run where the process may. */
  static void unpinCurrentThread() {
    CpuSet all = ofProcess();
    if (!all.isEmpty()) {
      set(CALLING_THREAD, all);
    }
  }

  /** Sets where a thread may run and returns null, or why that was refused. */
  static @Nullable String set(int threadId, CpuSet cpus) {
    if (Libc.MISSING != null) {
      return Libc.MISSING;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
      long[] words = cpus.toMask();
      MemorySegment.copy(words, 0, mask, ValueLayout.JAVA_LONG, 0, words.length);
      MemorySegment errno = arena.allocate(Libc.CALL_STATE);
      int result = Libc.call(Libc.SET_AFFINITY, errno, threadId, mask);
      return result == 0 ? null : reason(Libc.errno(errno), cpus);
    }
  }

  /** The CPUs where a thread may run; empty if the thread is gone or the CPUs are unknown here. */
  static CpuSet get(int threadId) {
    if (Libc.MISSING != null) {
      return CpuSet.NONE;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mask = arena.allocate(MASK_BYTES, Long.BYTES);
      MemorySegment errno = arena.allocate(Libc.CALL_STATE);
      int result = Libc.call(Libc.GET_AFFINITY, errno, threadId, mask);
      return result == 0 ? CpuSet.ofMask(mask.toArray(ValueLayout.JAVA_LONG)) : CpuSet.NONE;
    }
  }

  /** The kernel's id of the calling thread, or -1 when that is not known here. */
  static int currentThreadId() {
    return Libc.MISSING == null ? Libc.threadId() : -1;
  }

  private static String reason(int errno, CpuSet cpus) {
    return switch (errno) {
      case EINVAL -> "CPU " + cpus + " does not exist, or the process's cpuset does not allow it";
      case EPERM -> "not permitted to set where the thread runs";
      case ESRCH -> "the thread is gone";
      default -> "sched_setaffinity failed with errno " + errno;
    };
  }

  /** The C library's functions; resolved when first needed. */
  private static final class Libc {
    static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();

    /** Why nothing here works, or null. */
    static final @Nullable String MISSING;

    static final @Nullable MethodHandle SET_AFFINITY;
    static final @Nullable MethodHandle GET_AFFINITY;
    static final @Nullable MethodHandle GET_THREAD_ID;

    private static final long ERRNO_OFFSET =
        CALL_STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    static {
      FunctionDescriptor affinity =
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.ADDRESS);
      String missing = null;
      MethodHandle set = null;
      MethodHandle get = null;
      MethodHandle threadId = null;
      if (!NativeCalls.isLinux()) {
        missing = "threads cannot be pinned on " + System.getProperty("os.name");
      } else {
        try {
          set =
              NativeCalls.bind(
                  "sched_setaffinity", affinity, Linker.Option.captureCallState("errno"));
          get =
              NativeCalls.bind(
                  "sched_getaffinity", affinity, Linker.Option.captureCallState("errno"));
          threadId = NativeCalls.bind("gettid", FunctionDescriptor.of(ValueLayout.JAVA_INT));
        } catch (RuntimeException | LinkageError e) {
          missing = "the C library cannot be called: " + e.getMessage();
        }
      }
      MISSING = missing;
      SET_AFFINITY = set;
      GET_AFFINITY = get;
      GET_THREAD_ID = threadId;
    }

    static int call(
        @Nullable MethodHandle function, MemorySegment errno, int threadId, MemorySegment mask) {
      try {
        assert function != null;
        return (int) function.invokeExact(errno, threadId, (long) MASK_BYTES, mask);
      } catch (Throwable e) {
        throw NativeCalls.unexpected(e);
      }
    }

    static int threadId() {
      try {
        assert GET_THREAD_ID != null;
        return (int) GET_THREAD_ID.invokeExact();
      } catch (Throwable e) {
        throw NativeCalls.unexpected(e);
      }
    }

    static int errno(MemorySegment callState) {
      return callState.get(ValueLayout.JAVA_INT, ERRNO_OFFSET);
    }
  }
}
