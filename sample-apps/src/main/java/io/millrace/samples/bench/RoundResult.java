package io.millrace.samples.bench;

import java.util.concurrent.TimeUnit;

/**
 * What a client measured in one round.
 *
 * @param calls calls completed within the time
 * @param elapsedNs the time
 * @param p50Ns median round trip, 0 where round trips were not timed
 * @param p99Ns 99th percentile, likewise
 * @param wrong answers that were not what was asked
 */
public record RoundResult(long calls, long elapsedNs, long p50Ns, long p99Ns, long wrong) {
  /** Reads the loop's figures; only once it is done. */
  public static RoundResult of(CallLoop loop) {
    return new RoundResult(
        loop.completed(),
        loop.elapsedNs(),
        loop.roundTripNs(50),
        loop.roundTripNs(99),
        loop.wrong());
  }

  /** Completed calls per second. */
  public double callsPerSecond() {
    return elapsedNs == 0 ? 0 : (double) calls * TimeUnit.SECONDS.toNanos(1) / elapsedNs;
  }

  /** The figures as one line of text. */
  public String format() {
    return calls + " " + elapsedNs + " " + p50Ns + " " + p99Ns + " " + wrong;
  }

  /** Reads a line that {@link #format} wrote. */
  public static RoundResult parse(String line) {
    String[] fields = line.split(" ", -1);
    if (fields.length != 5) {
      throw new IllegalArgumentException("not the figures of a round: " + line);
    }
    return new RoundResult(
        Long.parseLong(fields[0]),
        Long.parseLong(fields[1]),
        Long.parseLong(fields[2]),
        Long.parseLong(fields[3]),
        Long.parseLong(fields[4]));
  }
}
