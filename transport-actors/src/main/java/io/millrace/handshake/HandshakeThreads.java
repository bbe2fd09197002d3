package io.millrace.handshake;

import org.jspecify.annotations.Nullable;

/** The end of handshakers' threads. */
public final class HandshakeThreads {
  private static final long CLOSE_WAIT_MS = 1_000;

  private HandshakeThreads() {}

  /** Waits for the thread to end, a second at most, so that its address is free again. */
  public static void awaitEnd(Thread thread) {
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      thread.join(CLOSE_WAIT_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Closes a present socket or selector: nothing was written that closing could lose. */
  public static void closeQuietly(@Nullable AutoCloseable resource) {
    try {
      if (resource != null) {
        resource.close();
      }
    } catch (Exception e) {
      return;
    }
  }
}
