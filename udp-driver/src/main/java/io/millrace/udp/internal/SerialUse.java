package io.millrace.udp.internal;

import org.jspecify.annotations.Nullable;

/**
 * Notices when two threads are inside an endpoint at once. Called from {@code assert} statements
 * only, so that it costs nothing in production. It proves nothing when it stays silent: its fields
 * are plain.
 */
public final class SerialUse {
  private @Nullable Thread inside;
  private int depth;

  /** The calling thread comes in; false if another one is inside. */
  public boolean enter() {
    Thread current = Thread.currentThread();
    if (inside != null && inside != current) {
      return false;
    }
    inside = current;
    depth++;
    return true;
  }

  /** The calling thread leaves; always true. */
  public boolean exit() {
    if (--depth == 0) {
      inside = null;
    }
    return true;
  }
}
