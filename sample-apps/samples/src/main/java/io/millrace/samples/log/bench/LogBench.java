package io.millrace.samples.log.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs logs one after another, each alone on the machine, and reports. With several rounds the logs
 * take turns, and a row is the round with the median of commits per second.
 *
 * @param logs in the order of their turns
 * @param replicas numbers of replicas
 * @param outstanding numbers of operations under way at once
 * @param warmUpSeconds the time of load before the first row, so that the code of each log is
 *     compiled
 * @param seconds the time of each row
 * @param directory the place of the replicas' forced files
 */
public record LogBench(
    List<BenchedLog> logs,
    List<Integer> replicas,
    List<Integer> outstanding,
    int valueBytes,
    int warmUpSeconds,
    int seconds,
    int rounds,
    Path directory) {
  private static final int WARM_SECONDS = 3;

  /** The rows of a run, and the number of rows missing because a log did not run. */
  public record Report(LogBench bench, List<LogBenchRow> rows, int missing) {
    /** Prints the table with the terms of each log's commits. */
    public void printTable(PrintStream out) {
      bench.logs.forEach(log -> out.println(log.name() + ": " + log.terms()));
      out.println();
      out.printf(
          "%-8s %8s %11s %12s %12s %12s %12s %8s%n",
          "log",
          "replicas",
          "outstanding",
          "commits/s",
          "p50 us",
          "p99 us",
          "leader us",
          "failures");
      rows.forEach(row -> out.println(row.toLine()));
      out.println();
      out.println("leader us: processor time of the leader's process for each commit");
    }

    /** Returns the content of the run's JSON object. */
    public Map<String, Object> toJson() {
      Map<String, Object> report = new LinkedHashMap<>();
      report.put("value_bytes", bench.valueBytes);
      report.put("seconds", bench.seconds);
      report.put("rounds", bench.rounds);
      Map<String, Object> terms = new LinkedHashMap<>();
      bench.logs.forEach(log -> terms.put(log.name(), log.terms()));
      report.put("terms", terms);
      report.put("rows", rows.stream().map(LogBenchRow::toJson).toList());
      return report;
    }

    /** Returns the rows as comma-separated values, the names of the columns first. */
    public List<String> toCsv() {
      List<String> lines = new ArrayList<>(List.of(LogBenchRow.CSV_HEAD));
      rows.forEach(row -> lines.add(row.toCsv()));
      return lines;
    }
  }

  /** Runs all logs; tells the progress, and the logs that did not run. */
  public Report run(PrintStream progress) throws IOException, InterruptedException {
    List<LogBenchRow> rows = new ArrayList<>();
    for (int count : replicas) {
      List<LogBenchRow> measured = new ArrayList<>();
      for (int round = 1; round <= rounds; round++) {
        for (BenchedLog log : logs) {
          measured.addAll(round(log, count, round, progress));
        }
      }
      for (int sessions : outstanding) {
        for (BenchedLog log : logs) {
          rows.addAll(
              median(
                  measured.stream()
                      .filter(row -> row.log().equals(log.name()))
                      .filter(row -> row.outstanding() == sessions)
                      .toList()));
        }
      }
    }
    int wanted = replicas.size() * outstanding.size() * logs.size();
    return new Report(this, rows, wanted - rows.size());
  }

  /** Returns the middle row by commits per second, if there is a row. */
  static List<LogBenchRow> median(List<LogBenchRow> rounds) {
    return rounds.stream()
        .sorted(Comparator.comparingDouble(LogBenchRow::commitsPerSecond))
        .skip(rounds.size() / 2)
        .limit(1)
        .toList();
  }

  private List<LogBenchRow> round(BenchedLog log, int count, int round, PrintStream progress)
      throws IOException, InterruptedException {
    List<LogBenchRow> rows = new ArrayList<>();
    String what = log.name() + " with " + count + " replicas, round " + round;
    progress.println("log bench: " + what + ": starting");
    Path own = Files.createDirectories(directory.resolve(log.name() + "-" + count + "-" + round));
    try (RunningLog running = log.starter().start(count, own)) {
      if (warmUpSeconds > 0) {
        int most = outstanding.stream().reduce(1, Integer::max);
        new CommitLoad(running, most, valueBytes).run(log.name(), count, 0, warmUpSeconds);
      }
      for (int sessions : outstanding) {
        LogBenchRow row =
            new CommitLoad(running, sessions, valueBytes)
                .run(log.name(), count, WARM_SECONDS, seconds);
        progress.println("log bench: " + row.toCsv());
        rows.add(row);
      }
    } catch (IOException e) {
      progress.println("log bench: " + what + ": " + e.getMessage());
    }
    return rows;
  }
}
