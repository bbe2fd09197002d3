package io.millrace.buffer;

/** Notices a handle that should have been closed and was dropped instead. Any thread. */
public interface DropWatch {
  /** Notices nothing. */
  DropWatch NONE = (handle, onDropped) -> () -> {};

  /**
   * Runs {@code onDropped}, once, some time after the last reference to {@code handle} is gone: on
   * a shared thread, so the task must not block. The task must not refer to the handle itself.
   *
   * @return ends the watch; runs {@code onDropped} first, unless the task has been run
   */
  Runnable watch(Object handle, Runnable onDropped);
}
