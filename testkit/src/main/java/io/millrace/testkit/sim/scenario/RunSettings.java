package io.millrace.testkit.sim.scenario;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Which run it is.
 *
 * @param seed decides everything
 * @param keep what may happen of it
 * @param capture where to write every datagram to as pcapng, or null
 */
public record RunSettings(long seed, Keep keep, @Nullable Path capture) {
  /** A whole run. */
  public static RunSettings of(long seed) {
    return new RunSettings(seed, Keep.ALL, null);
  }

  /** The same with less in it. */
  public RunSettings withKeep(Keep other) {
    return new RunSettings(seed, other, capture);
  }

  /** The same, captured. */
  public RunSettings withCapture(@Nullable Path file) {
    return new RunSettings(seed, keep, file);
  }
}
