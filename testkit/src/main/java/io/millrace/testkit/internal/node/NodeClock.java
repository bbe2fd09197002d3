package io.millrace.testkit.internal.node;

import io.millrace.testkit.sim.VirtualTime;

/**
 * The clock of a node: off by a skew, and faster or slower than virtual time. A backward step by
 * hand moves wall time only; the monotonic clock never goes back. Simulation thread only; ns.
 */
public final class NodeClock {
  private static final long PPM = 1_000_000;
  private static final long EPOCH_MS = 1_700_000_000_000L;
  private static final long NS_PER_MS = 1_000_000;
  private static final long MAX_DRIFT_PPM = 100_000;

  private final VirtualTime time;
  private long fromVirtualNs;
  private long fromNodeNs;
  private long driftPpm;
  private long wallSkewNs;

  /**
   * Creates a clock.
   *
   * @param skewNs reading at the start of the run
   * @param driftPpm by how much the clock is faster than virtual time, a negative number if slower
   */
  NodeClock(VirtualTime time, long skewNs, long driftPpm) {
    this.time = time;
    fromNodeNs = skewNs;
    drift(driftPpm);
  }

  /** The node's monotonic time. */
  public long nowNs() {
    long elapsedNs = time.nowNs() - fromVirtualNs;
    return fromNodeNs + elapsedNs + scaled(elapsedNs, driftPpm);
  }

  /** The node's wall time, ms since 1970. */
  public long wallMs() {
    return EPOCH_MS + Math.floorDiv(nowNs() + wallSkewNs, NS_PER_MS);
  }

  /** Changes how fast the clock runs from now on. */
  public void drift(long ppm) {
    if (Math.abs(ppm) > MAX_DRIFT_PPM) {
      throw new IllegalArgumentException("a clock cannot drift by " + ppm + " ppm");
    }
    fromNodeNs = nowNs();
    fromVirtualNs = time.nowNs();
    driftPpm = ppm;
  }

  /** Sets wall time forward, or back where negative, as an operator or a time service does. */
  public void step(long wallNs) {
    wallSkewNs += wallNs;
  }

  /** When, in virtual time, the node's monotonic clock has reached {@code nodeNs}. */
  public long virtualNs(long nodeNs) {
    long aheadNs = nodeNs - nowNs();
    return aheadNs <= 0 ? time.nowNs() : time.nowNs() + virtualDurationNs(aheadNs);
  }

  /** The least virtual duration in which the node's clock advances by {@code nodeDurationNs}. */
  public long virtualDurationNs(long nodeDurationNs) {
    long rate = PPM + driftPpm;
    long rest = nodeDurationNs % rate * PPM;
    return nodeDurationNs / rate * PPM + (rest + rate - 1) / rate;
  }

  private static long scaled(long durationNs, long ppm) {
    return durationNs / PPM * ppm + durationNs % PPM * ppm / PPM;
  }
}
