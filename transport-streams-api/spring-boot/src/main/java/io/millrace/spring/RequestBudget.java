package io.millrace.spring;

import io.millrace.transfer.OverloadedException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of requests that a method may have in execution at once. A single request may be longer
 * than the budget. Any thread.
 */
final class RequestBudget {
  /** A request counts as much at least, because a thread costs memory, too. */
  static final long LEAST_BYTES = 1_024;

  private final String route;
  private final long limit;
  private final AtomicLong used = new AtomicLong();

  RequestBudget(String route, long limit) {
    this.route = route;
    this.limit = limit;
  }

  /**
   * Takes the bytes of a request.
   *
   * @return the taken bytes, to be given to {@link #release}
   * @throws OverloadedException if the budget is used up
   */
  long acquire(int bytes) throws OverloadedException {
    long wanted = Math.max(bytes, LEAST_BYTES);
    long before = used.getAndAdd(wanted);
    if (before > 0 && before + wanted > limit) {
      used.addAndGet(-wanted);
      throw new OverloadedException(
          "route "
              + route
              + " has requests of "
              + before
              + " bytes in execution, at most "
              + limit);
    }
    return wanted;
  }

  void release(long taken) {
    used.addAndGet(-taken);
  }
}
