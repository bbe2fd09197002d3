package io.millrace.samples.bench.reference;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.samples.bench.reference.ReferenceCase.Published;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the rows of simulated incasts, the published figures below each row. */
final class ReferenceReport {
  private static final double US = 1e3;

  private ReferenceReport() {}

  static void printHead(PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%-14s %8s %7s %9s %8s %10s %7s %10s %10s %7s %8s %8s%n",
        "incast",
        "use",
        "drops",
        "rexmit",
        "spread",
        "mean us",
        "p99/id",
        "last us",
        "ideal us",
        "packets",
        "p50 us",
        "p99 us");
  }

  static void print(ReferenceRow row, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%-14s %8.4f %7d %9.5f %8.2f %10.1f %7.3f %10.1f %10.1f %7.1f %8.1f %8.1f%n",
        row.incast().name(),
        row.use(),
        row.link().lost,
        row.retransmissionsPerNew(),
        row.spread(),
        row.meanNs() / US,
        row.p99OverIdeal(),
        row.allNs() / US,
        row.incast().idealNs() / US,
        row.packetsPerTransfer(),
        row.smallNs(0.5) / US,
        row.smallNs(0.99) / US);
    Published published = row.incast().published();
    if (published != null) {
      out.printf(
          Locale.ROOT,
          "%-14s %8.4f %7s %9s %8s%n",
          "  published",
          published.use(),
          "-",
          published.retransmissions() > 0 ? published.retransmissions() : "-",
          published.leastSpread() + "-" + published.mostSpread());
    }
  }

  /** Prints how the time of the link that carried no payload was spent. */
  static void printLosses(List<ReferenceRow> rows, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%n%-14s %10s %10s %10s %10s %10s %10s %12s%n",
        "% of the time",
        "payload",
        "first wait",
        "idle",
        "extra",
        "answers",
        "spurious",
        "processor s");
    for (ReferenceRow row : rows) {
      out.printf(
          Locale.ROOT,
          "%-14s %10.2f %10.2f %10.2f %10.2f %10d %10d %12.1f%n",
          row.incast().name(),
          row.use() * 100,
          row.idleBefore() * 100,
          row.idleBetween() * 100,
          row.extra() * 100,
          row.link().answered,
          row.spurious(),
          row.processorNs() / 1e9);
    }
  }

  static void writeCsv(List<ReferenceRow> rows, Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    for (ReferenceRow row : rows) {
      Map<String, Object> figures = figures(row);
      if (lines.isEmpty()) {
        lines.add(String.join(",", figures.keySet()));
      }
      lines.add(figures.values().stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
    Files.write(file, lines, UTF_8);
  }

  /** The figures by name, in the order of the CSV's columns. */
  static Map<String, Object> figures(ReferenceRow row) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("incast", row.incast().name());
    figures.put("use", row.use());
    Published published = row.incast().published();
    figures.put("published_use", published == null ? "" : published.use());
    figures.put("drops", row.link().lost);
    figures.put("retransmissions_per_new", row.retransmissionsPerNew());
    figures.put("spread", row.spread());
    figures.put("mean_us", row.meanNs() / US);
    figures.put("p99_over_ideal", row.p99OverIdeal());
    figures.put("all_us", row.allNs() / US);
    figures.put("ideal_us", row.incast().idealNs() / US);
    figures.put("packets_per_transfer", row.packetsPerTransfer());
    figures.put("small_p50_us", row.smallNs(0.5) / US);
    figures.put("small_p99_us", row.smallNs(0.99) / US);
    figures.put("first_wait", row.idleBefore());
    figures.put("idle", row.idleBetween());
    figures.put("extra", row.extra());
    figures.put("processor_s", row.processorNs() / 1e9);
    return figures;
  }
}
