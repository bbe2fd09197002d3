package io.millrace.samples.bench.burst;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the measurements, for people and as JSON. */
final class BurstReport {
  private static final double MS = 1e6;
  private static final double US = 1e3;
  private static final double PERCENT = 100;

  private final BurstOptions options;
  private final List<BurstRow> rows;

  BurstReport(BurstOptions options, List<BurstRow> rows) {
    this.options = options;
    this.rows = rows;
  }

  void printTable(PrintStream out) {
    LinkModel link = options.link();
    out.printf(
        "%,d transfers, %d peers in %d processes; %.0f Mbit/s, queue %,d B, MTU %d%s%s%s%n",
        options.transfers,
        options.peers,
        options.processes,
        options.rate / 1e6,
        options.queueBytes,
        options.mtu,
        options.cold ? ", cold" : "",
        options.step ? ", rate to a third and back" : "",
        options.lossPercent > 0 ? ", loss " + options.lossPercent + " %" : "");
    out.printf(
        "the link carries %.2f MB/s of payload in full data packets; of %d rounds the median%n%n",
        link.payloadBytesPerSecond() / 1e6, options.rounds);
    out.printf(
        "%-7s %7s  %-17s %7s %7s %6s %8s %8s %8s %6s %6s %6s %9s %9s %8s %-11s %5s %s%n",
        "shape",
        "bytes",
        "peer",
        "goodput",
        "payload",
        "done",
        "drops %",
        "packets",
        "again",
        "p50",
        "p99",
        "max",
        "prio0 p50",
        "p99 ms",
        "us/trans",
        "cores busy",
        "own",
        "bound");
    rows.forEach(row -> print(row, out));
    out.println();
    out.println(
        "goodput: payload by the time of the last transfer, as a share of the link's payload rate;"
            + " payload: as a share of the link's bit rate. p50, p99, max: ends by the ideal"
            + " time.");
    out.println();
    rows.forEach(row -> row.perCall().print(name(row), out));
  }

  private static String name(BurstRow row) {
    return "%s %,d B, %s".formatted(row.shape().label(), row.sizeBytes(), row.peer());
  }

  private static void print(BurstRow row, PrintStream out) {
    out.printf(
        "%-7s %7d  %-17s %7.3f %7.3f %6.4f %8.3f %8d %8d %6.2f %6.2f %6.2f %9.1f %9.1f %8.0f %-11s"
            + " %5.2f %s%s%s%n",
        row.shape().label(),
        row.sizeBytes(),
        row.peer(),
        row.goodputOfLink(),
        row.payloadOfLink(),
        row.done(),
        row.dropFraction() * PERCENT,
        row.median().packets(),
        row.median().retransmissions(),
        row.endOverIdeal(0.5),
        row.endOverIdeal(0.99),
        row.endOverIdeal(1),
        row.probeNs(0.5) / MS,
        row.probeNs(0.99) / MS,
        row.processorNsPerTransfer() / US,
        row.median().coresBusy().stream()
            .map(busy -> "%.2f".formatted(busy))
            .collect(Collectors.joining(" ")),
        row.coresOwn(),
        row.isBoundByProcessor() ? "processor" : "link",
        row.median().end().failed() > 0 ? ", " + row.median().end().failed() + " failed" : "",
        row.gaveUp().isEmpty() ? "" : ", gave up: " + row.gaveUp());
  }

  void printJson(PrintStream out) throws JsonProcessingException {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("transfers", options.transfers);
    root.put("peers", options.peers);
    root.put("processes", options.processes);
    root.put("rate_bits_per_s", options.rate);
    root.put("queue_bytes", options.queueBytes);
    root.put("mtu", options.mtu);
    root.put("loss_percent", options.lossPercent);
    root.put("step", options.step);
    root.put("cold", options.cold);
    root.put("rounds", options.rounds);
    root.put("settings", options.settings);
    root.put("payload_bytes_per_s", options.link().payloadBytesPerSecond());
    root.put("rows", rows.stream().map(BurstRow::toJson).toList());
    out.println(new ObjectMapper().writeValueAsString(root));
  }
}
