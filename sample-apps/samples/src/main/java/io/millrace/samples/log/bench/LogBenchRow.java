package io.millrace.samples.log.bench;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The result of one log with these numbers of replicas and operations under way.
 *
 * @param log the name of the log
 * @param commitsPerSecond the answered operations per second
 * @param p50Ns the median time from sending an operation to its answer, in the client
 * @param p99Ns the same time, of the slowest hundredth
 * @param leaderNs processor time of the leader's process for each commit; {@link #UNKNOWN} if
 *     another replica led in the end
 * @param failures the number of failed operations; a session ends after a failed operation
 */
record LogBenchRow(
    String log,
    int replicas,
    int outstanding,
    double commitsPerSecond,
    long p50Ns,
    long p99Ns,
    long leaderNs,
    long failures) {
  static final long UNKNOWN = -1;
  static final String CSV_HEAD =
      "log,replicas,outstanding,commits_per_s,p50_us,p99_us,leader_cpu_us_per_commit,failures";

  private static final double NS_PER_US = 1_000;

  Map<String, Object> toJson() {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("log", log);
    row.put("replicas", replicas);
    row.put("outstanding", outstanding);
    row.put("commits_per_s", Math.round(commitsPerSecond));
    row.put("p50_us", p50Ns / NS_PER_US);
    row.put("p99_us", p99Ns / NS_PER_US);
    row.put("leader_cpu_us_per_commit", leaderNs == UNKNOWN ? null : leaderNs / NS_PER_US);
    row.put("failures", failures);
    return row;
  }

  String toCsv() {
    return String.format(
        Locale.ROOT,
        "%s,%d,%d,%.0f,%.1f,%.1f,%s,%d",
        log,
        replicas,
        outstanding,
        commitsPerSecond,
        p50Ns / NS_PER_US,
        p99Ns / NS_PER_US,
        leaderNs == UNKNOWN ? "" : String.format(Locale.ROOT, "%.1f", leaderNs / NS_PER_US),
        failures);
  }

  String toLine() {
    return String.format(
        Locale.ROOT,
        "%-8s %8d %11d %,12.0f %,12.0f %,12.0f %12s %8d",
        log,
        replicas,
        outstanding,
        commitsPerSecond,
        p50Ns / NS_PER_US,
        p99Ns / NS_PER_US,
        leaderNs == UNKNOWN ? "-" : String.format(Locale.ROOT, "%,.1f", leaderNs / NS_PER_US),
        failures);
  }
}
