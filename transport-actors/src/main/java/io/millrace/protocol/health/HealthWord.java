package io.millrace.protocol.health;

import io.millrace.transfer.PeerHealth;

/**
 * The health of a peer in 64 bits, and the changes that follow from observations: pure functions,
 * from which {@link SharedPeerHealth} makes atomic steps. Does not allocate.
 *
 * <pre>
 *  bits  0 to 1   state
 *  bits  2 to 17  failure rate, 65,535 being all
 *  bits 18 to 21  probes answered in a row
 *  bits 22 to 63  when the state was entered, in ticks of 65,536 ns since the word's beginning
 * </pre>
 *
 * Time is of one clock, from the word's beginning on; 42 bits of ticks last for 9 years.
 */
public final class HealthWord {
  /** A healthy peer without any observation. */
  public static final long INITIAL = 0;

  /** All fails. */
  static final int ALL = 0xFFFF;

  private static final PeerHealth[] STATES = PeerHealth.values();
  private static final int STATE_MASK = 3;
  private static final int RATE_SHIFT = 2;
  private static final int ANSWERED_SHIFT = 18;
  private static final int ANSWERED_MASK = 0xF;
  private static final int SINCE_SHIFT = 22;
  private static final int TICK_SHIFT = 16;
  private static final long MOST_TICKS = (1L << 42) - 1;
  private static final int PERCENT = 100;

  private HealthWord() {}

  /** The state. */
  public static PeerHealth state(long word) {
    return STATES[(int) word & STATE_MASK];
  }

  /** The part of the packets to the peer that failed, 0 to 1, the newest weighing most. */
  public static double failureRate(long word) {
    return (double) rate(word) / ALL;
  }

  /** When the state was entered, ns since the word's beginning, rounded down to a tick. */
  public static long sinceNs(long word) {
    return (word >>> SINCE_SHIFT) << TICK_SHIFT;
  }

  /** Probes that were answered in a row while the peer is probed. */
  public static int answeredProbes(long word) {
    return (int) (word >>> ANSWERED_SHIFT) & ANSWERED_MASK;
  }

  /**
   * Packets were acknowledged, and packets failed: were lost, or made a probe timeout pass.
   *
   * @param nowNs since the word's beginning
   */
  public static long onOutcomes(
      long word, long succeeded, long failed, long nowNs, HealthSettings settings) {
    long all = succeeded + failed;
    if (all == 0) {
      return word;
    }
    long weight = settings.outcomes();
    long rate = (rate(word) * weight + ALL * failed) / (weight + all);
    long rated = word & ~((long) ALL << RATE_SHIFT) | rate << RATE_SHIFT;
    if (rate * PERCENT >= (long) ALL * settings.degradePercent()) {
      // Without a failure now, the failures may be as old as the last packet sent.
      boolean isOn = failed > 0 && nowNs - sinceNs(word) >= settings.degradedTimeoutNs();
      return on(rated, isOn ? HealthObservation.FAILING_ON : HealthObservation.FAILING, nowNs);
    }
    return succeeded > 0 && rate * PERCENT <= (long) ALL * settings.recoverPercent()
        ? on(rated, HealthObservation.SUCCEEDING, nowNs)
        : rated;
  }

  /**
   * The peer answered a probe, or a handshake. A single answer is enough for a given-up peer to be
   * probed on a path; then the peer needs several answers in a row.
   */
  public static long onProbeAnswered(long word, long nowNs, HealthSettings settings) {
    if (state(word) != PeerHealth.PROBING) {
      return on(word, HealthObservation.ANSWERED, nowNs);
    }
    int answered = answeredProbes(word) + 1;
    return answered >= settings.answeredProbes()
        ? on(word, HealthObservation.ANSWERED, nowNs)
        : withAnswered(word, answered);
  }

  /** Applies an observation; an observation from before the last change changes nothing. */
  public static long on(long word, HealthObservation observation, long nowNs) {
    PeerHealth from = state(word);
    PeerHealth to = HealthTransitions.next(from, observation);
    if (nowNs >>> TICK_SHIFT < word >>> SINCE_SHIFT) {
      return word;
    }
    if (to == from) {
      boolean endsRow = observation == HealthObservation.UNANSWERED;
      return endsRow ? withAnswered(word, 0) : word;
    }
    long ticks = Math.min(nowNs >>> TICK_SHIFT, MOST_TICKS);
    return ticks << SINCE_SHIFT | rate(word) << RATE_SHIFT | to.ordinal();
  }

  private static long withAnswered(long word, int answered) {
    return word & ~((long) ANSWERED_MASK << ANSWERED_SHIFT) | (long) answered << ANSWERED_SHIFT;
  }

  private static long rate(long word) {
    return word >>> RATE_SHIFT & ALL;
  }
}
