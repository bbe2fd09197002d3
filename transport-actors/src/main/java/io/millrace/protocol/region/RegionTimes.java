package io.millrace.protocol.region;

/**
 * How long the receiver of a {@link RegionPool} waits for its senders.
 *
 * @param idleRevokeNs how long a token lies unused before other waiting holders may have its region
 * @param idleTimeoutNs how long a token lies unused before the token is revoked in any case
 * @param stallTimeoutNs how long a begun fill may make no progress before its region is revoked
 * @param quarantineNs how long a revoked region rests before a new grant
 */
public record RegionTimes(
    long idleRevokeNs, long idleTimeoutNs, long stallTimeoutNs, long quarantineNs) {
  private static final long MOST_GRACE_NS = 1_000_000_000L;
  private static final int GRACE_PART = 4;

  /** Checks the values. */
  public RegionTimes {
    check(idleRevokeNs > 0, "idleRevokeNs must be positive", idleRevokeNs);
    check(
        idleTimeoutNs >= idleRevokeNs,
        "idleTimeoutNs must not be below idleRevokeNs",
        idleTimeoutNs);
    check(stallTimeoutNs > 0, "stallTimeoutNs must be positive", stallTimeoutNs);
    check(quarantineNs >= 0, "quarantineNs must not be negative", quarantineNs);
  }

  private static void check(boolean holds, String rule, long value) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ": " + value);
    }
  }

  /**
   * How long a sender may keep an unused token, ns: less than {@link #idleTimeoutNs} by the
   * possible time until the sender hears of the grant and until the sender's last write arrives.
   */
  long lifetimeNs() {
    return idleTimeoutNs - Math.min(idleTimeoutNs / GRACE_PART, MOST_GRACE_NS);
  }
}
