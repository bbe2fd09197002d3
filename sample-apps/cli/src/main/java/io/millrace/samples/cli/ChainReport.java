package io.millrace.samples.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Reports the times of chains of calls, as a table or as JSON. */
final class ChainReport {
  private final String address;
  private final LoadPlan plan;
  private final ChainResult result;

  ChainReport(String address, LoadPlan plan, ChainResult result) {
    this.address = address;
    this.plan = plan;
    this.result = result;
  }

  Map<String, Object> json() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("pattern", plan.pattern().label());
    report.put("peers", List.of(address));
    report.put("route", plan.route().name());
    report.put("size", plan.sizeBytes());
    report.put("elements", plan.elements());
    report.put("priority", plan.priority());
    report.put("completion", "executor");
    report.put("warm_up_s", plan.warmUpNs() / 1e9);
    report.put("pipelined", json(result.pipelined()));
    report.put("awaited", json(result.awaited()));
    report.put("factor", result.factor());
    report.put("errors", result.failed());
    if (result.failed() > 0) {
      report.put("first_error", result.firstFailure());
    }
    report.put("node", NodeFacts.report(result.node()));
    return report;
  }

  private Map<String, Object> json(Histogram chains) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("chains", chains.getTotalCount());
    report.put("calls_per_s", callsPerSecond(chains));
    report.put("min_ns", chains.getTotalCount() == 0 ? 0 : chains.getMinValue());
    report.put("p50_ns", chains.getValueAtPercentile(50));
    report.put("max_ns", chains.getMaxValue());
    return report;
  }

  TextTable table() {
    TextTable table =
        new TextTable()
            .row(
                "chain of " + Figures.count(plan.elements()) + " calls",
                "pipelined",
                "each awaited");
    table.row(
        "chains",
        Figures.count(result.pipelined().getTotalCount()),
        Figures.count(result.awaited().getTotalCount()));
    table.row("time p50", time(result.pipelined(), 50), time(result.awaited(), 50));
    table.row("time max", time(result.pipelined(), 100), time(result.awaited(), 100));
    table.row("calls/s", rate(result.pipelined()), rate(result.awaited()));
    table.row("factor", String.format(Locale.ROOT, "%.1f", result.factor()));
    table.row("errors", Figures.count(result.failed()));
    table.row("completion", "executor, route " + plan.route().name());
    table.row("driver, aead", result.node().driver() + ", " + result.node().aead());
    return table;
  }

  /** Returns a line about the failures. */
  String errorLine() {
    return Figures.count(result.failed())
        + " of "
        + Figures.count(plan.elements())
        + " calls of a chain failed; "
        + result.firstFailure();
  }

  private static String time(Histogram chains, double percentile) {
    return Figures.time(chains.getValueAtPercentile(percentile));
  }

  private String rate(Histogram chains) {
    return Figures.count(Math.round(callsPerSecond(chains)));
  }

  private double callsPerSecond(Histogram chains) {
    long medianNs = chains.getValueAtPercentile(50);
    return medianNs == 0 ? 0 : plan.elements() * 1e9 / medianNs;
  }
}
