package io.millrace.samples.bench;

import java.util.List;

/**
 * The resources that a side used in a round.
 *
 * @param wallNs the duration of the round
 * @param cpuNs CPU time of the whole process
 * @param javaCpuNs CPU time of the process's Java threads; compilers and collector took the rest
 * @param waitedNs the time for which threads of the process waited for a core, behind each other or
 *     behind other programs
 * @param allocatedBytes garbage of all Java threads
 * @param busyThreads Java threads that used at least 1 % of a core, as {@code name:share}, the
 *     busiest first
 */
public record Usage(
    long wallNs,
    long cpuNs,
    long javaCpuNs,
    long waitedNs,
    long allocatedBytes,
    List<String> busyThreads) {

  private static final int NUMBERS = 5;

  /** The share of a core that the JVM's own threads, compilers and collector, took. */
  public double jvmShare() {
    return (double) Math.max(0, cpuNs - javaCpuNs) / Math.max(1, wallNs);
  }

  /** The share of the round for which threads waited for a core. */
  public double waitedShare() {
    return (double) waitedNs / Math.max(1, wallNs);
  }

  /** Formats the figures as one line of text. */
  public String format() {
    return "%d %d %d %d %d %s"
        .formatted(
            wallNs, cpuNs, javaCpuNs, waitedNs, allocatedBytes, String.join(",", busyThreads));
  }

  /** Reads a line of {@link #format}. */
  public static Usage parse(String line) {
    String[] fields = line.split(" ", -1);
    if (fields.length != NUMBERS + 1) {
      throw new IllegalArgumentException("not the usage of a process: " + line);
    }
    String threads = fields[NUMBERS];
    return new Usage(
        Long.parseLong(fields[0]),
        Long.parseLong(fields[1]),
        Long.parseLong(fields[2]),
        Long.parseLong(fields[3]),
        Long.parseLong(fields[4]),
        threads.isEmpty() ? List.of() : List.of(threads.split(",", -1)));
  }
}
