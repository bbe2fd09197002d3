package io.millrace.config;

/**
 * The treatment of revoked regions.
 *
 * @param isTold whether senders are told of unused tokens that became void
 * @param quarantineNs how long a region with a revoked key rests before the region is granted again
 */
public record RevocationSettings(boolean isTold, long quarantineNs) {
  private static final long LONGEST_NS = 60_000_000_000L;

  static RevocationSettings from(Section section) {
    return new RevocationSettings(
        section.flag("send-revoke"), section.nanos("quarantine", 0, LONGEST_NS));
  }
}
