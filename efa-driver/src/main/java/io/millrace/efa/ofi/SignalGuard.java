package io.millrace.efa.ofi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongSupplier;

/**
 * Gives the JVM its signal handlers back after calls that may replace the handlers.
 *
 * <p>The shm provider installs handlers of its own for SIGSEGV and other signals when an endpoint
 * is opened, and a dependency of libfabric may do so when loaded. The JVM needs SIGSEGV for
 * implicit null checks: without this guard, the next null check ends the process. Control plane,
 * any thread; one call at a time in the process, because the saved handlers belong to the process.
 */
final class SignalGuard {
  /**
   * HUP, INT, QUIT, ILL, TRAP, ABRT, FPE, SEGV, PIPE, TERM: the same numbers on Linux and macOS.
   */
  private static final int[] SIGNALS = {1, 2, 3, 4, 5, 6, 8, 11, 13, 15};

  /** SIGBUS, with another number on macOS. */
  private static final int SIGBUS = System.getProperty("os.name", "").startsWith("Mac") ? 10 : 7;

  /** More bytes than any system's {@code struct sigaction}. */
  private static final long ACTION_BYTES = 256;

  private static final Object PROCESS_LOCK = new Object();

  private final LibC libc;

  SignalGuard(LibC libc) {
    this.libc = libc;
  }

  /** Runs {@code call} and puts back every replaced handler. */
  long guard(LongSupplier call) {
    synchronized (PROCESS_LOCK) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment saved = arena.allocate(ACTION_BYTES * (SIGNALS.length + 1), 16);
        for (int i = 0; i <= SIGNALS.length; i++) {
          libc.signalAction(signal(i), 0, saved.address() + i * ACTION_BYTES);
        }
        try {
          return call.getAsLong();
        } finally {
          restore(saved, arena.allocate(ACTION_BYTES, 16));
        }
      }
    }
  }

  private void restore(MemorySegment saved, MemorySegment now) {
    for (int i = 0; i <= SIGNALS.length; i++) {
      libc.signalAction(signal(i), 0, now.address());
      // the handler's address comes first in the structure on every system
      long handlerBefore = saved.get(ValueLayout.JAVA_LONG, i * ACTION_BYTES);
      if (now.get(ValueLayout.JAVA_LONG, 0) != handlerBefore) {
        libc.signalAction(signal(i), saved.address() + i * ACTION_BYTES, 0);
      }
    }
  }

  private static int signal(int index) {
    return index < SIGNALS.length ? SIGNALS[index] : SIGBUS;
  }
}
