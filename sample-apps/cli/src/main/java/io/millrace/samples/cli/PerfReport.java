package io.millrace.samples.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reports the measurements of a run of load, as a table or as JSON. */
final class PerfReport {
  private static final List<String> PLAIN_FIGURES =
      List.of(
          "goodput_payload",
          "goodput_packets",
          "cpu_ns_per_op",
          "alloc_bytes_per_op",
          "worker_alloc_bytes_per_op");

  private final List<String> addresses;
  private final LoadPlan plan;
  private final LoadResult result;

  PerfReport(List<String> addresses, LoadPlan plan, LoadResult result) {
    this.addresses = addresses;
    this.plan = plan;
    this.result = result;
  }

  Map<String, Object> json() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("pattern", plan.pattern().label());
    report.put("peers", addresses);
    report.put("route", plan.route().name());
    report.put("size", plan.sizeBytes());
    report.put("concurrency", plan.concurrency());
    report.put("priority", plan.priority());
    report.put("completion", completion());
    report.put("warm_up_s", plan.warmUpNs() / 1e9);
    report.putAll(result.report());
    if (plan.pattern().isStream()) {
      report.put("elements", plan.elements());
      report.put("elements_per_s", elementsPerSecond());
    }
    if (!result.firstFailure().isEmpty()) {
      report.put("first_error", result.firstFailure());
    }
    report.put("node", NodeFacts.report(result.last().node()));
    return report;
  }

  TextTable table() {
    Map<String, Object> figures = result.report();
    TextTable table = new TextTable().row("measured", "");
    table.row(plan.pattern().callsLabel() + "/s", callsPerSecond());
    if (plan.pattern().isStream()) {
      table.row("elements/s, one way", Figures.count(Math.round(elementsPerSecond())));
    }
    table.row(bytesLabel(), Figures.bytes(Math.round(result.bytesPerSecond())) + "/s");
    table.row("latency p50", latency(50));
    table.row("latency p99", latency(99));
    table.row("latency p99.9", latency(99.9));
    table.row("latency max", latency(100));
    table.row("errors", Figures.count(result.errors()));
    for (String name : PLAIN_FIGURES) {
      table.row(name, figure(figures, name));
    }
    table.row("frames sent again", String.valueOf(figures.get("frames_retransmitted")));
    table.row("chunk bytes sent again", String.valueOf(figures.get("chunk_bytes_retransmitted")));
    table.row("completion", completion() + ", route " + plan.route().name());
    table.row("warm-up left out", Figures.time(plan.warmUpNs()));
    table.row("driver, aead", result.last().node().driver() + ", " + result.last().node().aead());
    table.row("threads", NodeFacts.threads(result.last().node()));
    return table;
  }

  /** Returns a line about the failures. */
  String errorLine() {
    String line =
        Figures.count(result.failed())
            + " "
            + plan.pattern().failuresLabel()
            + " failed, "
            + Figures.count(result.unfinished())
            + " did not end";
    return result.firstFailure().isEmpty() ? line : line + "; " + result.firstFailure();
  }

  private String bytesLabel() {
    return plan.pattern() == LoadPattern.BROADCAST
        ? "payload/s, all " + addresses.size() + " peers together"
        : "payload/s, one way";
  }

  private static String figure(Map<String, Object> figures, String name) {
    return figures.get(name) instanceof Double value
        ? String.format(Locale.ROOT, "%.3f", value)
        : "?";
  }

  /** A large transfer takes seconds. */
  private String callsPerSecond() {
    double rate = result.callsPerSecond();
    return rate < 100 ? String.format(Locale.ROOT, "%.2f", rate) : Figures.count(Math.round(rate));
  }

  /** Returns the rate over the elements of streams that ended, and of streams under way. */
  private double elementsPerSecond() {
    return plan.sizeBytes() == 0
        ? result.callsPerSecond() * plan.elements()
        : result.bytesPerSecond() / plan.sizeBytes();
  }

  private String completion() {
    return plan.isInline() ? "inline" : "executor";
  }

  private String latency(double percentile) {
    return Figures.time(result.latencies().getValueAtPercentile(percentile));
  }
}
