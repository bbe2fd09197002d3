package io.millrace.samples.bench.burst;

import java.util.concurrent.TimeUnit;

/**
 * Decides on the end of a round. A round is over when all calls have ended, when a transport
 * without retransmissions has been quiet, when no call or byte makes progress, or at the limit. A
 * call that ends is progress. Carried bytes are progress, too. Transfers that share the bottleneck
 * may all end at the very end, so a tenth of the bytes that the bottleneck can carry in the
 * patience counts as well. The caller passes time and counts in; one thread.
 */
final class BurstWatch {
  /** Quiet time after which a peer without retransmissions has no call left to finish. */
  private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(2);

  private static final int CARRYING_DIVISOR = 10;
  private static final int SHARE_DIVISOR = 20;

  /** More bytes than a waiting peer sends in a second. */
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
   * The end of a round.
   *
   * @param failed the number of failed calls
   * @param overNs the end of the round, ns after the start
   * @param gaveUp the reason for giving up; empty for a finished round
   */
  record End(int failed, long overNs, String gaveUp) {
    /** Whether calls may still be under way. */
    boolean isGivenUp() {
      return !gaveUp.isEmpty();
    }
  }

  /**
   * A watch over a round that begins.
   *
   * @param calls the number of calls to wait for
   * @param sizeBytes bytes of each call, without the answer
   * @param isLossy whether the transport never repairs a loss
   * @param carriedBytes the bytes that the bottleneck had carried at the start
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
    // A small burst never fills the patience, and half of the burst is at least more than the
    // probes of waiting peers. With a step the rate falls to a third.
    long burst = (long) calls * sizeBytes;
    long probes = (long) options.patienceSeconds * options.peers * PROBES_BYTES;
    long ofBurst = Math.max(burst / SHARE_DIVISOR, Math.min(burst / 2, probes));
    enoughBytes = Math.min(options.step ? carried / 3 : carried, ofBurst);
    endedNs = startNs;
    progressNs = startNs;
    progressBytes = carriedBytes;
  }

  /**
   * Looks at the progress of the calls, and returns whether the round is over; called every so
   * often.
   */
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

  /** Returns the end of a finished round. */
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
