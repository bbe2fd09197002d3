package io.millrace.buffer;

/** Notices that what should have been closed was dropped instead. Any thread. */
public interface DropWatch {
  /** Notices nothing. */
  DropWatch NONE = (handle, onDropped) -> () -> {};

  /**
   * Runs {@code onDropped}, once, some time after nothing refers to {@code handle} any more: on a
   * thread that others need, too, so it must not block. It must not refer to the handle itself.
   *
   * @return ends the watch; runs {@code onDropped} first, unless it has been run
   */
  Runnable watch(Object handle, Runnable onDropped);
}
