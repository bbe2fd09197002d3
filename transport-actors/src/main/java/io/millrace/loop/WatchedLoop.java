package io.millrace.loop;

import org.jspecify.annotations.Nullable;

/** The watchdog's view of a loop. Any thread; costs the loop nothing. */
public interface WatchedLoop {
  /** A number that changes with every progress of the loop. */
  long progress();

  /**
   * The thread that should be bringing the loop on at this moment; null while the thread is asleep
   * for want of work, while no thread drives the loop, and after the loop's end.
   */
  @Nullable Thread runner();

  /** The kernel's number of the thread that drove the loop last; 0 if unknown. */
  long runnerId();
}
