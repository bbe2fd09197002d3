package io.millrace.testkit.sim.net;

/**
 * A rate at an end of an interface for what is held back and never dropped, which is what a fabric
 * does: whoever comes while it is busy waits behind all who came before. Thread of the simulation.
 */
public final class NicLane {
  private static final double SECOND_NS = 1e9;

  private final RateQueue queue;
  private long freeNs;

  NicLane(RateQueue queue) {
    this.queue = queue;
  }

  /** When so many bytes that are there at {@code nowNs} are through. */
  public long pass(int bytes, long nowNs) {
    if (queue.isUnlimited()) {
      return nowNs;
    }
    freeNs = Math.max(freeNs, nowNs) + (long) Math.ceil(bytes * SECOND_NS / queue.bytesPerSecond());
    return freeNs;
  }
}
