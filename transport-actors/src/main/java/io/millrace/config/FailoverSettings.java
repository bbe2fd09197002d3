package io.millrace.config;

/**
 * When a path leaves a NIC or driver for another; a part of {@link NicSettings}.
 *
 * @param silenceNs nothing is acknowledged for so long, while something should be
 * @param firstHoldNs how long a failed NIC or driver is left alone at first; the time doubles with
 *     each failure
 * @param longestHoldNs how long at most
 */
public record FailoverSettings(long silenceNs, long firstHoldNs, long longestHoldNs) {
  static FailoverSettings from(Section section) {
    FailoverSettings settings =
        new FailoverSettings(
            section.nanos("silence", 1_000_000L, RecoverySettings.MAX_NS),
            section.nanos("first-hold", 1_000_000L, RecoverySettings.MAX_NS),
            section.nanos("longest-hold", 1_000_000L, RecoverySettings.MAX_NS));
    if (settings.longestHoldNs < settings.firstHoldNs) {
      throw new SettingsException(
          section.key("longest-hold"), "must be at least as long as first-hold");
    }
    return settings;
  }
}
