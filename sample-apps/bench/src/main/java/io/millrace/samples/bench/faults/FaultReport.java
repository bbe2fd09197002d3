package io.millrace.samples.bench.faults;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints the observations, for people and as JSON. */
final class FaultReport {
  private static final int MOST_EVENTS = 12;
  private static final int ERROR_WIDTH = 90;

  private final FaultsOptions options;
  private final List<FaultRow> rows;
  private final List<Skipped> skipped;

  /** A skipped row, and the reason. */
  record Skipped(Fault fault, FaultPeer peer, String reason) {
    Map<String, Object> toJson() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("fault", fault.label());
      json.put("peer", peer.label());
      json.put("reason", reason);
      return json;
    }
  }

  FaultReport(FaultsOptions options, List<FaultRow> rows, List<Skipped> skipped) {
    this.options = options;
    this.rows = rows;
    this.skipped = skipped;
  }

  void printTable(PrintStream out) {
    options.peers().forEach(peer -> out.println(peer.label() + ": " + peer.settings()));
    out.printf(
        "%d calls a second of %d B, whatever the fate of earlier calls; deadline %d s; not"
            + " idempotent; the fault comes after 2 s%n%n",
        FaultTopology.ONE.callsPerSecond(),
        FaultTopology.ONE.bytes(),
        FaultClient.DEADLINE_SECONDS);
    out.printf(
        "%-11s %-8s %6s %7s %12s %14s %9s %13s  %s%n",
        "fault",
        "peer",
        "calls",
        "failed",
        "1st error ms",
        "longest ok ms",
        "stall ms",
        "recovered ms",
        "first error");
    rows.forEach(row -> print(row, out));
    skipped.forEach(
        row ->
            out.printf(
                "%-11s %-8s skipped: %s%n", row.fault().label(), row.peer().label(), row.reason()));
    out.println();
    out.println(
        "1st error, stall: from the fault. longest ok: of calls that ended after the fault. stall:"
            + " the longest time without a success. recovered: from the end of the fault until"
            + " calls succeed for good.");
    out.println();
    rows.forEach(row -> printMore(row, out));
  }

  private static void print(FaultRow row, PrintStream out) {
    out.printf(
        "%-11s %-8s %6d %7d %12s %14s %9s %13s  %s%n",
        row.fault().label(),
        row.peer().label(),
        row.calls(),
        row.failed(),
        ms(row.firstErrorMs()),
        ms(row.longestOkMs()),
        ms(row.longestStallMs()),
        row.fault().heals() ? ms(row.recoveredMs()) : "-",
        cut(row.error()));
  }

  private static String ms(@Nullable Double value) {
    return value == null ? "-" : "%,.0f".formatted(value);
  }

  private static String cut(String text) {
    return text.length() <= ERROR_WIDTH ? text : text.substring(0, ERROR_WIDTH) + "...";
  }

  private static void printMore(FaultRow row, PrintStream out) {
    out.printf(
        "%s, %s: %s; %s%s%n",
        row.fault().label(),
        row.peer().label(),
        row.fault().what(),
        row.how(),
        row.fault().heals() ? "; lasted %,.0f ms".formatted(row.lastedMs()) : "");
    if (row.failed() > 0) {
      out.println(
          "  failed: "
              + row.errors().entrySet().stream()
                  .map(each -> each.getValue() + " " + each.getKey())
                  .collect(Collectors.joining(", ")));
    }
    if (!row.carriage().isEmpty()) {
      row.carriage()
          .sent(row.times().faultNs(), row.times().healedNs())
          .forEach(
              (name, sent) ->
                  out.printf(
                      "  %s sent %,d B before, %,d B during, %,d B after%n",
                      name, sent.get(0), sent.get(1), sent.get(2)));
      out.println("  all carry again after " + ms(row.carryAgainMs()) + " ms");
    }
    List<String> events = row.events();
    events.stream().limit(MOST_EVENTS).forEach(each -> out.println("  " + each));
    if (events.size() > MOST_EVENTS) {
      out.println("  and " + (events.size() - MOST_EVENTS) + " more events");
    }
  }

  void printJson(PrintStream out) throws JsonProcessingException {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("calls_per_second", FaultTopology.ONE.callsPerSecond());
    root.put("bytes", FaultTopology.ONE.bytes());
    root.put("deadline_ms", FaultClient.DEADLINE_SECONDS * 1_000);
    root.put("settings", options.settings);
    Map<String, String> peers = new LinkedHashMap<>();
    options.peers().forEach(peer -> peers.put(peer.label(), peer.settings()));
    root.put("peers", peers);
    root.put("rows", rows.stream().map(FaultRow::toJson).toList());
    root.put("skipped", skipped.stream().map(Skipped::toJson).toList());
    out.println(new ObjectMapper().writeValueAsString(root));
  }
}
