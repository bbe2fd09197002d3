package io.millrace.actor.peer;

import io.millrace.config.LimitSettings;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Shares the inline bytes that a node takes among its peers: each path gets a window from what is
 * left, at most {@code millrace.limits.inline-credit}, and never more than half of it, so that
 * there is something for the next. Any thread; control plane.
 */
public final class InlineBudget {
  /** A window holds some messages of the largest size, or credit could never suffice for one. */
  private static final int LEAST_MESSAGES = 4;

  private final long mostBytes;
  private final long leastBytes;
  private final AtomicLong left;

  /** The whole budget of the settings. */
  public InlineBudget(LimitSettings limits, int maxDatagramBytes) {
    leastBytes = (long) LEAST_MESSAGES * maxDatagramBytes;
    mostBytes = limits.inlineCreditBytes();
    left = new AtomicLong(limits.inlineBudgetBytes());
  }

  /** The window that a path opened now would get, or 0 when there is no room for another path. */
  public long offer() {
    long window = Math.min(mostBytes, left.get() / 2);
    return window < leastBytes ? 0 : window;
  }

  /** A path was opened with this window. */
  public void take(long windowBytes) {
    left.addAndGet(-windowBytes);
  }

  /** A path with this window has ended. */
  void giveBack(long windowBytes) {
    left.addAndGet(windowBytes);
  }
}
