package io.millrace.loop;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import java.util.Arrays;
import java.util.Locale;

/**
 * The settings of a worker dispatcher, read once from its block in the configuration; the keys are
 * explained in {@code reference.conf}.
 *
 * @param id of the dispatcher
 * @param idle the driver of the loop and the behaviour of an idle thread
 * @param core the CPU that the thread is pinned to, or {@link #ANY_CORE}
 * @param limits bounds of the loop
 * @param backoff used by {@link IdleKind#BACKOFF} only
 */
public record LoopSettings(String id, IdleKind idle, int core, LoopLimits limits, Backoff backoff) {
  /** The thread is not pinned. */
  public static final int ANY_CORE = -1;

  /**
   * The backoff of an idle thread.
   *
   * @param spins turns without work before the thread begins to yield
   * @param yields turns without work after the spins before the thread begins to park
   * @param minParkNs the first park; each further park lasts twice as long
   * @param maxParkNs the longest park
   * @param maxWaitNs the longest wait where the system ends the wait on an arrival
   */
  public record Backoff(int spins, int yields, long minParkNs, long maxParkNs, long maxWaitNs) {}

  /**
   * Reads a dispatcher's block.
   *
   * @throws ConfigException naming the missing or wrong key
   */
  public static LoopSettings of(Config block) {
    return new LoopSettings(
        block.getString("id"),
        idle(block),
        integer(block, "core", ANY_CORE, 1 << 16),
        new LoopLimits(
            integer(block, "task-queue-capacity", 2, 1 << 24),
            integer(block, "tasks-per-turn", 1, 1 << 20)),
        backoff(block));
  }

  private static IdleKind idle(Config block) {
    String name = block.getString("idle-strategy");
    try {
      return IdleKind.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      throw bad(block, "idle-strategy", name + " is none of " + Arrays.toString(IdleKind.values()));
    }
  }

  private static Backoff backoff(Config block) {
    long minParkNs = block.getDuration("backoff.min-park").toNanos();
    long maxParkNs = block.getDuration("backoff.max-park").toNanos();
    if (minParkNs < 1) {
      throw bad(block, "backoff.min-park", "must be at least 1 ns");
    }
    if (maxParkNs < minParkNs) {
      throw bad(block, "backoff.max-park", "must not be less than backoff.min-park");
    }
    long maxWaitNs = block.getDuration("backoff.max-wait").toNanos();
    if (maxWaitNs < 1) {
      throw bad(block, "backoff.max-wait", "must be at least 1 ns");
    }
    return new Backoff(
        integer(block, "backoff.spins", 0, Integer.MAX_VALUE),
        integer(block, "backoff.yields", 0, Integer.MAX_VALUE),
        minParkNs,
        maxParkNs,
        maxWaitNs);
  }

  private static int integer(Config block, String key, int least, int most) {
    int value = block.getInt(key);
    if (value < least || value > most) {
      throw bad(block, key, value + " is not in " + least + ".." + most);
    }
    return value;
  }

  private static ConfigException bad(Config block, String key, String reason) {
    return new ConfigException.BadValue(
        block.getValue(key).origin(), key, reason + " (dispatcher " + block.getString("id") + ")");
  }
}
