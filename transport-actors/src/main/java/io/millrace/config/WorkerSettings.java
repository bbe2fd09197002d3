package io.millrace.config;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The workers.
 *
 * @param count workers, each with a thread and an endpoint
 * @param cores the CPUs that workers are pinned to
 * @param numa where the memory of a pinned worker should lie
 * @param idleStrategy the behaviour of a worker without work
 * @param receiveLimit most datagrams that a turn takes
 * @param submissionLimit most submissions that a turn takes
 * @param submissionDepth calls that fit each ring; each worker has a ring for each priority
 * @param wheelTickNs a tick of the timing wheel, ns; a power of two below 1 ms
 * @param wheelSlots slots of the timing wheel; a power of two
 * @param watch after how long without progress a worker hangs, and how often somebody looks
 */
public record WorkerSettings(
    int count,
    CoreSettings cores,
    NumaPolicy numa,
    IdleStrategyKind idleStrategy,
    int receiveLimit,
    int submissionLimit,
    int submissionDepth,
    long wheelTickNs,
    int wheelSlots,
    WatchSettings watch) {
  private static final int MAX_WORKERS = 255;
  private static final long MAX_TICK_NS = 999_999L;

  /**
   * Reads the block.
   *
   * @param nics entries of NICs, if present, set the number of workers, and their cores
   */
  static WorkerSettings from(Section section, List<NicEntry> nics) {
    int count = section.integer("count", 1, MAX_WORKERS);
    if (!nics.isEmpty()) {
      count = nics.stream().mapToInt(NicEntry::workers).sum();
    }
    CoreSettings cores = CoreSettings.from(section, count, nics);
    WorkerSettings settings =
        new WorkerSettings(
            count,
            cores,
            section.choice("numa", NumaPolicy.class),
            section.choice("idle-strategy", IdleStrategyKind.class),
            section.integer("receive-limit", 1, 1 << 16),
            section.integer("submission-limit", 1, 1 << 16),
            section.integer("submission-depth", 2, 1 << 20),
            section.nanos("wheel-tick", 1_024L, MAX_TICK_NS),
            section.integer("wheel-slots", 64, 1 << 20),
            WatchSettings.from(section));
    settings.check(section);
    return settings;
  }

  private void check(Section section) {
    if (Long.bitCount(wheelTickNs) != 1) {
      throw new SettingsException(
          section.key("wheel-tick"),
          "must be a power of two in nanoseconds, such as 32768 ns, not "
              + HoconText.duration(wheelTickNs));
    }
    if (Integer.bitCount(wheelSlots) != 1) {
      throw new SettingsException(
          section.key("wheel-slots"), "must be a power of two, not " + wheelSlots);
    }
  }

  /**
   * The settings of the watch on workers.
   *
   * @param hangAfterNs time without progress, after which a worker hangs; 0 when nobody watches
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
            "must be 0, or from 1 ms to a quarter of hang-after, not "
                + HoconText.duration(everyNs));
      }
    }
  }
}
