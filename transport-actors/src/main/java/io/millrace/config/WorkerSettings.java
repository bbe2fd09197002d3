package io.millrace.config;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The workers.
 *
 * @param count workers, each with one thread and one endpoint
 * @param cores the CPUs that workers are pinned to
 * @param numa where the memory of a pinned worker should lie
 * @param idleStrategy what a worker does when it finds nothing to do
 * @param receiveLimit datagrams that one turn takes at most
 * @param submissionLimit submissions that one turn takes at most
 * @param submissionDepth calls that fit each ring, one ring a priority and worker
 * @param wheelTickNs a tick of the timing wheel, ns; a power of two below 1 ms
 * @param wheelSlots slots of the timing wheel; a power of two
 * @param hangAfterNs without progress, after which a worker hangs; 0 when nobody watches
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
    long hangAfterNs) {
  private static final int MAX_WORKERS = 255;
  private static final long MAX_TICK_NS = 999_999L;
  private static final long MIN_HANG_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long MAX_HANG_NS = TimeUnit.DAYS.toNanos(1);

  /**
   * Reads the block.
   *
   * @param nics if there are any, they say how many workers there are, and on which cores
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
            section.nanos("hang-after", 0, MAX_HANG_NS));
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
    if (hangAfterNs > 0 && hangAfterNs < MIN_HANG_NS) {
      throw new SettingsException(
          section.key("hang-after"),
          "must be 0, or at least 100 ms, not " + HoconText.duration(hangAfterNs));
    }
    if (Integer.bitCount(wheelSlots) != 1) {
      throw new SettingsException(
          section.key("wheel-slots"), "must be a power of two, not " + wheelSlots);
    }
  }
}
