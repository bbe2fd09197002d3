package io.millrace.config;

import java.util.concurrent.TimeUnit;

/**
 * How workers are watched.
 *
 * @param hangAfterNs without progress, after which a worker hangs; 0 when nobody watches
 * @param everyNs between two looks at the workers; 0: a twentieth of {@code hangAfterNs}
 */
public record WatchSettings(long hangAfterNs, long everyNs) {
  private static final long MIN_HANG_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long MAX_HANG_NS = TimeUnit.DAYS.toNanos(1);
  private static final long MIN_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Fewer looks than these would take a short pause of the process for a hang. */
  private static final int FEWEST_LOOKS = 4;

  /** Reads the keys of the section of workers. */
  static WatchSettings from(Section section) {
    WatchSettings settings =
        new WatchSettings(
            section.nanos("hang-after", 0, MAX_HANG_NS),
            section.nanos("hang-look-every", 0, MAX_HANG_NS));
    settings.check(section);
    return settings;
  }

  private void check(Section section) {
    if (hangAfterNs > 0 && hangAfterNs < MIN_HANG_NS) {
      throw new SettingsException(
          section.key("hang-after"),
          "must be 0, or at least 100 ms, not " + HoconText.duration(hangAfterNs));
    }
    boolean isInRange = everyNs >= MIN_EVERY_NS && everyNs <= hangAfterNs / FEWEST_LOOKS;
    if (hangAfterNs > 0 && everyNs > 0 && !isInRange) {
      throw new SettingsException(
          section.key("hang-look-every"),
          "must be 0, or from 1 ms to a quarter of hang-after, not " + HoconText.duration(everyNs));
    }
  }
}
