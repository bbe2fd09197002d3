package io.millrace.udp.internal;

/**
 * Notices when two threads are inside an endpoint at once. Called from {@code assert} statements
 * only, without cost in production. The absence of a report proves no serial use, because the
 * fields are plain.
 */
public final class SerialUse {
  private static final long NOBODY = 0;

  private long insideId = NOBODY;
  private int depth;

  /** Enters the endpoint; returns false if another thread is inside. */
  public boolean enter() {
    long current = Thread.currentThread().threadId();
    if (insideId != NOBODY && insideId != current) {
      return false;
    }
    insideId = current;
    depth++;
    return true;
  }

  /** Leaves the endpoint; always returns true. */
  public boolean exit() {
    if (--depth == 0) {
      insideId = NOBODY;
    }
    return true;
  }
}
