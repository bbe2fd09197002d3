package io.millrace.fabric;

import org.jspecify.annotations.Nullable;

/**
 * Notices when two threads are inside an endpoint at once. Called from {@code assert} statements
 * only; its field is plain, so its silence proves nothing.
 */
final class SerialUse {
  private @Nullable Thread inside;

  /** A poll begins; false if another thread is in one. */
  boolean enter() {
    if (!isFree()) {
      return false;
    }
    inside = Thread.currentThread();
    return true;
  }

  /** The poll ends; always true. */
  boolean exit() {
    inside = null;
    return true;
  }

  /** Whether the calling thread may come in. */
  boolean isFree() {
    Thread other = inside;
    return other == null || other == Thread.currentThread();
  }
}
