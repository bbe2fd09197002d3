package io.millrace.loop;

import org.jspecify.annotations.Nullable;

/** What a watchdog sees of a loop. Any thread; costs the loop nothing. */
public interface WatchedLoop {
  /** A number that changes with whatever the loop does. */
  long progress();

  /**
   * The thread that should be bringing the loop on at this moment; null while it is asleep for want
   * of work, while nobody drives it, and when it has ended.
   */
  @Nullable Thread runner();

  /** The kernel's number of the thread that drove the loop last; 0 where that is not known. */
  long runnerId();
}
