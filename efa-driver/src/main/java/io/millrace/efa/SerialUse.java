package io.millrace.efa;

/**
 * Notices when two threads are inside an endpoint at once. Called from {@code assert} statements
 * only. The field is plain, so the absence of a report proves no serial use.
 */
final class SerialUse {
  private static final long NOBODY = 0;

  private long insideId = NOBODY;

  /** Begins a poll; returns false if another thread is in a poll. */
  boolean enter() {
    if (!isFree()) {
      return false;
    }
    insideId = Thread.currentThread().threadId();
    return true;
  }

  /** Ends the poll; always returns true. */
  boolean exit() {
    insideId = NOBODY;
    return true;
  }

  /** Whether the calling thread may enter the endpoint. */
  boolean isFree() {
    long otherId = insideId;
    return otherId == NOBODY || otherId == Thread.currentThread().threadId();
  }
}
