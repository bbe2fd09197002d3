package io.millrace.loop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The numbers by which Linux knows threads, without a native call. Any thread. */
final class KernelThreads {
  private static final Path SELF = Path.of("/proc/thread-self");
  private static final long NOT_KNOWN = 0;

  /** Read once by each thread, so that a thread which drives loops by turns does not allocate. */
  private static final ThreadLocal<Long> ID = ThreadLocal.withInitial(KernelThreads::read);

  private KernelThreads() {}

  /**
   * The number of the calling thread; 0 if unknown, and for a virtual thread, which has no number.
   */
  static long currentId() {
    return Thread.currentThread().isVirtual() ? NOT_KNOWN : ID.get();
  }

  private static long read() {
    try {
      return Long.parseLong(String.valueOf(Files.readSymbolicLink(SELF).getFileName()));
    } catch (IOException | RuntimeException e) {
      return NOT_KNOWN; // no Linux, or a container without /proc
    }
  }
}
