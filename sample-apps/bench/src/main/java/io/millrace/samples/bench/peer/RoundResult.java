package io.millrace.samples.bench.peer;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The measurements of a client in one round.
 *
 * @param calls calls completed within the time; blocks delivered where bytes go one way
 * @param elapsedNs the time
 * @param p50Ns median round trip, 0 where round trips were not timed
 * @param p99Ns 99th percentile of the round trip, 0 where round trips were not timed
 * @param wrong the number of wrong answers
 * @param bytes bytes delivered one way, 0 where calls are answered
 * @param pieces the parts of a composed figure; empty for any other figure
 */
public record RoundResult(
    long calls,
    long elapsedNs,
    long p50Ns,
    long p99Ns,
    long wrong,
    long bytes,
    List<Piece> pieces) {
  /** Nothing was measured. */
  static final RoundResult NONE = new RoundResult(0, 0, 0, 0, 0);

  private static final int FIELDS = 7;

  /** The figures of a loop of calls. */
  public RoundResult(long calls, long elapsedNs, long p50Ns, long p99Ns, long wrong) {
    this(calls, elapsedNs, p50Ns, p99Ns, wrong, 0, List.of());
  }

  /** Completed calls per second. */
  public double callsPerSecond() {
    return elapsedNs == 0 ? 0 : (double) calls * TimeUnit.SECONDS.toNanos(1) / elapsedNs;
  }

  /** Bytes delivered per second. */
  public double bytesPerSecond() {
    return elapsedNs == 0 ? 0 : (double) bytes * TimeUnit.SECONDS.toNanos(1) / elapsedNs;
  }

  /** Formats the figures as one line of text. */
  public String format() {
    return "%d %d %d %d %d %d %s"
        .formatted(calls, elapsedNs, p50Ns, p99Ns, wrong, bytes, Piece.format(pieces));
  }

  /** Reads a line of {@link #format}. */
  public static RoundResult parse(String line) {
    String[] fields = line.split(" ", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("not the figures of a round: " + line);
    }
    return new RoundResult(
        Long.parseLong(fields[0]),
        Long.parseLong(fields[1]),
        Long.parseLong(fields[2]),
        Long.parseLong(fields[3]),
        Long.parseLong(fields[4]),
        Long.parseLong(fields[5]),
        Piece.parse(fields[6]));
  }
}
