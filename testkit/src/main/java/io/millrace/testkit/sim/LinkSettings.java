package io.millrace.testkit.sim;

/**
 * The behaviour of a link towards datagrams, in one direction.
 *
 * @param delay travel times
 * @param rate the bottleneck
 * @param policer the limit of each flow
 * @param loss random loss
 * @param damage duplicates, reordering, corruption, truncation
 * @param mtuBytes longest datagram that passes, bytes
 * @param reportsTooLarge whether the sender is told of the MTU (ICMP); otherwise longer datagrams
 *     vanish
 */
public record LinkSettings(
    DelaySettings delay,
    RateSettings rate,
    PolicerSettings policer,
    LossSettings loss,
    DamageSettings damage,
    int mtuBytes,
    boolean reportsTooLarge) {
  /** Longest datagram of all. */
  public static final int MAX_DATAGRAM_BYTES = 65_507;

  /** Nothing goes wrong, and everything arrives after a fixed time, ns. */
  public static LinkSettings clean(long delayNs) {
    return new LinkSettings(
        DelaySettings.fixed(delayNs),
        RateSettings.UNLIMITED,
        PolicerSettings.NONE,
        LossSettings.NONE,
        DamageSettings.NONE,
        MAX_DATAGRAM_BYTES,
        true);
  }

  /** These settings with another delay. */
  public LinkSettings withDelay(DelaySettings other) {
    return new LinkSettings(other, rate, policer, loss, damage, mtuBytes, reportsTooLarge);
  }

  /** These settings with another bottleneck. */
  public LinkSettings withRate(RateSettings other) {
    return new LinkSettings(delay, other, policer, loss, damage, mtuBytes, reportsTooLarge);
  }

  /** These settings with another policer. */
  public LinkSettings withPolicer(PolicerSettings other) {
    return new LinkSettings(delay, rate, other, loss, damage, mtuBytes, reportsTooLarge);
  }

  /** These settings with other losses. */
  public LinkSettings withLoss(LossSettings other) {
    return new LinkSettings(delay, rate, policer, other, damage, mtuBytes, reportsTooLarge);
  }

  /** These settings with other damage. */
  public LinkSettings withDamage(DamageSettings other) {
    return new LinkSettings(delay, rate, policer, loss, other, mtuBytes, reportsTooLarge);
  }

  /** These settings with another MTU. */
  public LinkSettings withMtu(int bytes, boolean reported) {
    return new LinkSettings(delay, rate, policer, loss, damage, bytes, reported);
  }
}
