package io.millrace.config;

/**
 * What becomes of regions that were taken back.
 *
 * @param isTold whether senders are told of tokens that became void and that they did not use
 * @param quarantineNs how long a region whose key was revoked rests before it is granted again
 */
public record RevocationSettings(boolean isTold, long quarantineNs) {
  private static final long LONGEST_NS = 60_000_000_000L;

  static RevocationSettings from(Section section) {
    return new RevocationSettings(
        section.flag("send-revoke"), section.nanos("quarantine", 0, LONGEST_NS));
  }
}
