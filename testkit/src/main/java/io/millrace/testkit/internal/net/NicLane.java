package io.millrace.testkit.internal.net;

import java.util.function.LongSupplier;

/**
 * A rate at an end of an interface, or of a link, for what is held back and never dropped, which is
 * what a fabric does: whoever comes while it is busy waits behind all who came before. Thread of
 * the simulation.
 */
public final class NicLane {
  private static final double SECOND_NS = 1e9;

  private final LongSupplier rate;
  private long freeNs;

  /**
   * A lane that nothing uses.
   *
   * @param rate bytes a second as they are at the time; 0 for no limit
   */
  public NicLane(LongSupplier rate) {
    this.rate = rate;
  }

  /** When so many bytes that are there at {@code nowNs} are through. */
  public long pass(int bytes, long nowNs) {
    long bytesPerSecond = rate.getAsLong();
    if (bytesPerSecond == 0) {
      return nowNs;
    }
    freeNs = Math.max(freeNs, nowNs) + (long) Math.ceil(bytes * SECOND_NS / bytesPerSecond);
    return freeNs;
  }
}
