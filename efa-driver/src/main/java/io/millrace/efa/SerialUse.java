package io.millrace.efa;

/**
 * Notices when two threads are inside an endpoint at once. Called from {@code assert} statements
 * only; its field is plain, so its silence proves nothing.
 */
final class SerialUse {
  private static final long NOBODY = 0;

  private long insideId = NOBODY;

  /** A poll begins; false if another thread is in one. */
  boolean enter() {
    if (!isFree()) {
      return false;
    }
    insideId = Thread.currentThread().threadId();
    return true;
  }

  /** The poll ends; always true. */
  boolean exit() {
    insideId = NOBODY;
    return true;
  }

  /** Whether the calling thread may come in. */
  boolean isFree() {
    long otherId = insideId;
    return otherId == NOBODY || otherId == Thread.currentThread().threadId();
  }
}
