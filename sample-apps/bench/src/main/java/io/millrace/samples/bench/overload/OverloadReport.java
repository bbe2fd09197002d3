package io.millrace.samples.bench.overload;

import io.millrace.samples.overload.OverloadPlan.Bottleneck;
import io.millrace.samples.overload.OverloadResult;
import io.millrace.transfer.CallOutcome;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The overload curves as a table, and as comma-separated values. */
final class OverloadReport {
  private static final String HEAD =
      "bottleneck,factor,offered_per_s,completed_per_s,of_best,peak_calls,peak_bytes,priority,"
          + "level_offered,level_completed,submission_full,overloaded,expired,retry_after,"
          + "p50_us,p99_us";
  private static final double US_NS = 1e3;

  private final List<Curve> curves;

  /**
   * The runs with one bottleneck.
   *
   * @param bottleneck the bottleneck
   * @param results the runs, by their factor
   */
  record Curve(Bottleneck bottleneck, List<OverloadResult> results) {
    /** Completed calls in a second of the best run. */
    double bestPerS() {
      return results.stream().mapToDouble(OverloadResult::completedPerS).max().orElse(1);
    }
  }

  OverloadReport(List<Curve> curves) {
    this.curves = curves;
  }

  void print(PrintStream out) {
    for (Curve curve : curves) {
      out.println("bottleneck: " + curve.bottleneck().name().toLowerCase(Locale.ROOT));
      for (OverloadResult result : curve.results()) {
        out.printf(
            Locale.ROOT,
            "  %4.1f x  offered %,8.0f/s  completed %,8.0f/s  %.3f of the best  at most %,d calls"
                + " and %,d B under way%n",
            result.factor(),
            result.offeredPerS(),
            result.completedPerS(),
            result.completedPerS() / curve.bestPerS(),
            result.peakCalls(),
            result.peakBytes());
        result.levels().forEach(level -> print(out, level));
      }
    }
  }

  private static void print(PrintStream out, OverloadResult.Level level) {
    out.printf(
        Locale.ROOT,
        "          %d  offered %,7d  completed %,7d  p50 %,9.0f us  p99 %,9.0f us  failed %s,"
            + " %,d with a time%n",
        level.priority(),
        level.offered(),
        level.completed(),
        level.p50Ns() / US_NS,
        level.p99Ns() / US_NS,
        level.failed(),
        level.retryAfter());
  }

  void writeCsv(Path file) throws IOException {
    List<String> lines = new ArrayList<>(List.of(HEAD));
    for (Curve curve : curves) {
      for (OverloadResult result : curve.results()) {
        result.levels().forEach(level -> lines.add(line(curve, result, level)));
      }
    }
    Files.write(file, lines);
  }

  private static String line(Curve curve, OverloadResult result, OverloadResult.Level level) {
    return String.format(
        Locale.ROOT,
        "%s,%.1f,%.0f,%.0f,%.3f,%d,%d,%d,%d,%d,%d,%d,%d,%d,%.0f,%.0f",
        curve.bottleneck().name().toLowerCase(Locale.ROOT),
        result.factor(),
        result.offeredPerS(),
        result.completedPerS(),
        result.completedPerS() / curve.bestPerS(),
        result.peakCalls(),
        result.peakBytes(),
        level.priority(),
        level.offered(),
        level.completed(),
        failed(level, CallOutcome.SUBMISSION_FULL),
        failed(level, CallOutcome.OVERLOADED),
        failed(level, CallOutcome.EXPIRED),
        level.retryAfter(),
        level.p50Ns() / US_NS,
        level.p99Ns() / US_NS);
  }

  private static int failed(OverloadResult.Level level, CallOutcome outcome) {
    return level.failed().getOrDefault(outcome, 0);
  }
}
