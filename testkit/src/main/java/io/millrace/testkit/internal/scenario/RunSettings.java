package io.millrace.testkit.internal.scenario;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a single run.
 *
 * @param seed decides everything
 * @param keep the parts that may happen
 * @param capture file for all datagrams as pcapng, or null
 * @param last receives the datagrams, or null
 * @param order decides the order of events that may happen in any order; 0 is the order of the seed
 */
public record RunSettings(
    long seed, Keep keep, @Nullable Path capture, @Nullable LastDatagrams last, long order) {
  /** A whole run. */
  public static RunSettings of(long seed) {
    return new RunSettings(seed, Keep.ALL, null, null, 0);
  }

  /** These settings with fewer parts. */
  public RunSettings withKeep(Keep other) {
    return new RunSettings(seed, other, capture, last, order);
  }

  /** These settings with a capture. */
  public RunSettings withCapture(@Nullable Path file) {
    return new RunSettings(seed, keep, file, last, order);
  }

  /** These settings with a recorder of the last datagrams. */
  public RunSettings withLast(LastDatagrams other) {
    return new RunSettings(seed, keep, capture, other, order);
  }

  /** These settings with another order of the events that may happen in any order. */
  public RunSettings withOrder(long other) {
    return new RunSettings(seed, keep, capture, last, other);
  }
}
