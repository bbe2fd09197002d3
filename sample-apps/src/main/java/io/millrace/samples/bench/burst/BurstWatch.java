package io.millrace.samples.bench.burst;

import java.util.concurrent.TimeUnit;

/**
 * Decides when a round is over: when all its calls have ended, when a peer that sends nothing again
 * has been quiet, when nothing makes progress, or at the limit. A call that ends is progress. So
 * are bytes: transfers that share the bottleneck may all end at the very end, so a tenth of what
 * the bottleneck can carry in the patience counts as well. Time and counts come in; one thread.
 */
final class BurstWatch {
  /** Without a call that ends, nothing more comes of a peer that sends nothing again. */
  private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(2);

  private static final int CARRYING_DIVISOR = 10;
  private static final int SHARE_DIVISOR = 20;

  /** More than a peer that waits sends in a second. */
  private static final long PROBES_BYTES = 1 << 10;

  private static final int BYTE_BITS = 8;

  private final BurstOptions options;
  private final int calls;
  private final boolean isLossy;
  private final long startNs;
  private final long enoughBytes;
  private int ended;
  private long endedNs;
  private long progressNs;
  private long progressBytes;

  /**
   * How a round ended.
   *
   * @param failed calls that failed
   * @param overNs when it was over, ns after the start
   * @param gaveUp why it was given up; empty if it was not
   */
  record End(int failed, long overNs, String gaveUp) {
    /** Whether calls may still be under way. */
    boolean isGivenUp() {
      return !gaveUp.isEmpty();
    }
  }

  /**
   * Of a round that begins.
   *
   * @param calls that are to end
   * @param sizeBytes of each, its answer not counted
   * @param isLossy whether what is lost never comes
   * @param carriedBytes what the bottleneck had carried at the start
   */
  BurstWatch(
      BurstOptions options,
      int calls,
      int sizeBytes,
      boolean isLossy,
      long startNs,
      long carriedBytes) {
    this.options = options;
    this.calls = calls;
    this.isLossy = isLossy;
    this.startNs = startNs;
    long carried = options.rate / BYTE_BITS * options.patienceSeconds / CARRYING_DIVISOR;
    // A small burst never fills the patience, and half of it at least is more than probes of peers
    // that wait; with a step the rate falls to a third.
    long burst = (long) calls * sizeBytes;
    long probes = (long) options.patienceSeconds * options.peers * PROBES_BYTES;
    long ofBurst = Math.max(burst / SHARE_DIVISOR, Math.min(burst / 2, probes));
    enoughBytes = Math.min(options.step ? carried / 3 : carried, ofBurst);
    endedNs = startNs;
    progressNs = startNs;
    progressBytes = carriedBytes;
  }

  /** Looks at what has become of the calls, and whether it is over; called every so often. */
  boolean isOver(int endedCalls, long carriedBytes, long nowNs) {
    boolean hasMoreEnded = endedCalls > ended;
    if (hasMoreEnded) {
      ended = endedCalls;
      endedNs = nowNs;
    }
    if (hasMoreEnded || carriedBytes - progressBytes >= enoughBytes) {
      progressNs = nowNs;
      progressBytes = carriedBytes;
    }
    return ended >= calls || isQuiet(nowNs) || !gaveUp(nowNs).isEmpty();
  }

  /** The end of a round that is over. */
  End end(int failed, long nowNs) {
    boolean hasEnded = ended >= calls || isQuiet(nowNs);
    return new End(failed, nowNs - startNs, hasEnded ? "" : gaveUp(nowNs));
  }

  private boolean isQuiet(long nowNs) {
    return isLossy && nowNs - endedNs > QUIET_NS;
  }

  private String gaveUp(long nowNs) {
    if (nowNs - progressNs >= TimeUnit.SECONDS.toNanos(options.patienceSeconds)) {
      return "no progress for " + options.patienceSeconds + " s";
    }
    if (nowNs - startNs > TimeUnit.SECONDS.toNanos(options.limitSeconds)) {
      return "limit of " + options.limitSeconds + " s";
    }
    return "";
  }
}
