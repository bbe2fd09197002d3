package io.millrace.protocol.congestion;

/**
 * The least round trip of the last 10 s. If no sample was as low for so long, the path must be
 * emptied ({@link BbrState#PROBE_RTT}) before a larger value is believed. draft-ietf-ccwg-bbr,
 * "ProbeRTT Logic". Owned by a {@link Bbr}; times are passed in.
 *
 * <p>The draft waits for a lower sample. Here a sample within 1/64 of the least will do: a path
 * without a queue shows its least round trip all the time, and emptying the path would find nothing
 * new. Such a sample does not change the value, so that the value cannot creep up.
 */
final class MinRtt {
  /** No sample yet. */
  static final long UNKNOWN = Long.MAX_VALUE;

  static final long FILTER_NS = 10_000_000_000L;

  /** Samples that differ by less than this part are the same. */
  private static final int SAME_SHIFT = 6;

  private long leastNs = UNKNOWN;
  private long seenNs;

  /** Whether no sample was as low for too long. */
  boolean isExpired(long nowNs) {
    return leastNs != UNKNOWN && nowNs - seenNs > FILTER_NS;
  }

  /** Takes a sample. */
  void onSample(long rttNs, long nowNs) {
    if (rttNs < leastNs || isExpired(nowNs)) {
      leastNs = rttNs;
      seenNs = nowNs;
    } else if (rttNs - leastNs <= leastNs >> SAME_SHIFT) {
      seenNs = nowNs;
    }
  }

  /** The path was emptied: the samples seen then hold from now on. */
  void onProbed(long nowNs) {
    seenNs = nowNs;
  }

  /** The least round trip, ns, or {@link #UNKNOWN}. */
  long ns() {
    return leastNs;
  }
}
