package io.millrace.handshake;

import io.millrace.wait.EndWait;
import org.jspecify.annotations.Nullable;

/** The end of handshakers' threads. */
public final class HandshakeThreads {
  private static final long CLOSE_WAIT_NS = 1_000_000_000;

  private HandshakeThreads() {}

  /** Waits for the thread to end, a second at most, so that its address is free again. */
  public static void awaitEnd(Thread thread) {
    if (Thread.currentThread() != thread) {
      // The end of the thread by then makes no difference to the caller.
      var _ = EndWait.await(thread, CLOSE_WAIT_NS);
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
