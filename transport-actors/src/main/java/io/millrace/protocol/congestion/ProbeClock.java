package io.millrace.protocol.congestion;

import io.millrace.protocol.schedule.Jitter;

/**
 * Decides when to look for more bandwidth again: after 2 to 3 s, or as many round trips as NewReno
 * would take to fill the path, 63 at most. draft-ietf-ccwg-bbr-06, "Time Scale for Bandwidth
 * Probing". Owned by a {@link Bbr}; times are passed in.
 */
final class ProbeClock {
  private static final long LEAST_WAIT_NS = 2_000_000_000L;
  private static final long SPREAD_NS = 1_000_000_000L;
  private static final int MAX_ROUNDS = 63;

  private final Jitter jitter;
  private long startNs;
  private long waitNs;
  private long rounds;

  /** The waits of this seed. */
  ProbeClock(long seed) {
    jitter = new Jitter(seed);
  }

  /** A wait begins. */
  void start(long nowNs) {
    startNs = nowNs;
    rounds = jitter.upTo(1);
    waitNs = LEAST_WAIT_NS + jitter.upTo(SPREAD_NS);
  }

  /** A round trip ended. */
  void onRound() {
    rounds++;
  }

  /** Whether the wait is over, if the path should have this number of packets in flight. */
  boolean isOver(long targetPackets, long nowNs) {
    return nowNs - startNs > waitNs || rounds >= Math.min(targetPackets, MAX_ROUNDS);
  }
}
