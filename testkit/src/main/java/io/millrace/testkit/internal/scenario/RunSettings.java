package io.millrace.testkit.internal.scenario;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Which run it is.
 *
 * @param seed decides everything
 * @param keep what may happen of it
 * @param capture where to write every datagram to as pcapng, or null
 * @param last is shown the datagrams, or null
 * @param order in which order happens what may happen in any; 0 is that of the seed
 */
public record RunSettings(
    long seed, Keep keep, @Nullable Path capture, @Nullable LastDatagrams last, long order) {
  /** A whole run. */
  public static RunSettings of(long seed) {
    return new RunSettings(seed, Keep.ALL, null, null, 0);
  }

  /** The same with less in it. */
  public RunSettings withKeep(Keep other) {
    return new RunSettings(seed, other, capture, last, order);
  }

  /** The same, captured. */
  public RunSettings withCapture(@Nullable Path file) {
    return new RunSettings(seed, keep, file, last, order);
  }

  /** The same, whose last datagrams somebody wants to see. */
  public RunSettings withLast(LastDatagrams other) {
    return new RunSettings(seed, keep, capture, other, order);
  }

  /** The same, but what may happen in any order happens in another one. */
  public RunSettings withOrder(long other) {
    return new RunSettings(seed, keep, capture, last, other);
  }
}
