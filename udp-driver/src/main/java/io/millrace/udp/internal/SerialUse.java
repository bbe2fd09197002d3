package io.millrace.udp.internal;

/**
 * Notices when two threads are inside an endpoint at once. Called from {@code assert} statements
 * only, so that it costs nothing in production. It proves nothing when it stays silent: its fields
 * are plain.
 */
public final class SerialUse {
  private static final long NOBODY = 0;

  private long insideId = NOBODY;
  private int depth;

  /** The calling thread comes in; false if another one is inside. */
  public boolean enter() {
    long current = Thread.currentThread().threadId();
    if (insideId != NOBODY && insideId != current) {
      return false;
    }
    insideId = current;
    depth++;
    return true;
  }

  /** The calling thread leaves; always true. */
  public boolean exit() {
    if (--depth == 0) {
      insideId = NOBODY;
    }
    return true;
  }
}
