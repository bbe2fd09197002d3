package io.millrace.testkit.internal.net;

import java.util.function.LongSupplier;

/**
 * A rate at an end of an interface, or of a link, for traffic that is held back and never dropped,
 * as on a fabric. Arrivals at a busy lane wait behind all earlier arrivals. Thread of the
 * simulation.
 */
public final class NicLane {
  private static final double SECOND_NS = 1e9;

  private final LongSupplier rate;
  private long freeNs;

  /**
   * Creates an idle lane.
   *
   * @param rate present bytes per second; 0 for no limit
   */
  public NicLane(LongSupplier rate) {
    this.rate = rate;
  }

  /** Returns when {@code bytes} that arrive at {@code nowNs} are through. */
  public long pass(int bytes, long nowNs) {
    long bytesPerSecond = rate.getAsLong();
    if (bytesPerSecond == 0) {
      return nowNs;
    }
    freeNs = Math.max(freeNs, nowNs) + (long) Math.ceil(bytes * SECOND_NS / bytesPerSecond);
    return freeNs;
  }
}
