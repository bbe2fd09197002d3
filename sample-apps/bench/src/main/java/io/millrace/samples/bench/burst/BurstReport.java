package io.millrace.samples.bench.burst;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.samples.bench.burst.link.LinkModel;
import io.millrace.samples.bench.burst.link.LinkUse;
import io.millrace.samples.bench.burst.simulated.SimulatedBurst;
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
        "%s; %.0f Mbit/s, queue %,d B, MTU %d%s%s%s%n",
        options.isShapes()
            ? "preset shapes"
            : "%,d transfers, %d peers in %d processes"
                .formatted(options.transfers, options.peers, options.processes),
        options.rate / 1e6,
        options.queueBytes,
        options.mtu,
        options.cold ? ", cold" : "",
        options.step ? ", rate to a third and back" : "",
        options.lossPercent > 0 ? ", loss " + options.lossPercent + " %" : "");
    out.printf(
        "the link carries %.2f MB/s of payload in full data packets; of %d rounds the median%n%n",
        link.payloadBytesPerSecond() / 1e6, options.rounds);
    printResults(out);
    printCosts(out);
    rows.forEach(row -> row.perCall().print(name(row), out));
  }

  private void printResults(PrintStream out) {
    out.printf(
        "%-24s %7s  %-17s %7s %6s %6s %6s %6s %6s %6s %6s %8s %8s %8s  %s%n",
        "shape",
        "bytes",
        "peer",
        "goodput",
        "asked",
        "simul.",
        "done",
        "p50",
        "p99",
        "max",
        "spread",
        "prio0 p50",
        "p99 ms",
        "drain ms",
        "use before, meanwhile, after a change");
    rows.forEach(row -> printResult(row, out));
    out.println();
    out.println(
        "goodput: payload by the time of the last transfer, as a share of the link's payload rate."
            + " p50, p99, max: ends by the ideal time. spread: end of the last peer by the end of"
            + " the first. drain: of a full queue. simul.: goodput of the same burst in the"
            + " simulator, for a row bound by the processor.");
    out.println();
  }

  private static void printResult(BurstRow row, PrintStream out) {
    SimulatedBurst.Result simulated = row.simulated();
    out.printf(
        "%-24s %7d  %-17s %7.3f %6s %6s %6.4f %6.2f %6.2f %6.2f %6.2f %8.1f %8.1f %8.1f  %s%s%s%n",
        row.name(),
        row.sizeBytes(),
        row.peer(),
        row.goodputOfLink(),
        row.asked().isEmpty() ? "" : "%.2f".formatted(row.asked().getAsDouble()),
        simulated == null ? "" : "%.3f".formatted(simulated.goodput()),
        row.done(),
        row.endOverIdeal(0.5),
        row.endOverIdeal(0.99),
        row.endOverIdeal(1),
        row.spread(),
        row.probeNs(0.5) / MS,
        row.probeNs(0.99) / MS,
        row.queueDrainNs() / MS,
        row.use().map(BurstReport::text).orElse(""),
        row.median().end().failed() > 0 ? ", " + row.median().end().failed() + " failed" : "",
        row.gaveUp().isEmpty() ? "" : ", gave up: " + row.gaveUp());
  }

  private static String text(LinkUse use) {
    return "%.2f %.2f %.2f, full %s"
        .formatted(
            use.before(),
            use.meanwhile(),
            use.after(),
            use.backNs() < 0 ? "never again" : "again after %.0f ms".formatted(use.backNs() / MS));
  }

  private void printCosts(PrintStream out) {
    out.printf(
        "%-24s %-17s %7s %8s %9s %8s %8s %8s %8s  %-11s %5s %s%n",
        "shape",
        "peer",
        "drops %",
        "packets",
        "/transfer",
        "again",
        "by new",
        "receiver",
        "peers us",
        "cores busy",
        "own",
        "bound");
    rows.forEach(row -> printCost(row, out));
    out.println();
    out.println(
        "packets: at the bottleneck. again: retransmitted packets, and these by all others. us:"
            + " processor time for each transfer. own: cores taken by the burst. bound: the"
            + " processor if all cores were busy and the goodput is below 0.97.");
    out.println();
  }

  private static void printCost(BurstRow row, PrintStream out) {
    out.printf(
        "%-24s %-17s %7.3f %8d %9.2f %8d %8.4f %8.0f %8.0f  %-11s %5.2f %s%n",
        row.name(),
        row.peer(),
        row.dropFraction() * PERCENT,
        row.median().packets(),
        row.packetsPerTransfer(),
        row.median().retransmissions(),
        row.retransmissionsPerNewPacket(),
        row.receiverNsPerTransfer() / US,
        row.peersNsPerTransfer() / US,
        row.median().processor().coresBusy().stream()
            .map(busy -> "%.2f".formatted(busy))
            .collect(Collectors.joining(" ")),
        row.coresOwn(),
        row.isBoundByProcessor() ? "processor" : "link");
  }

  private static String name(BurstRow row) {
    return "%s %,d B, %s".formatted(row.name(), row.sizeBytes(), row.peer());
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
    root.put("step_loss_percent", options.stepLossPercent);
    root.put("cold", options.cold);
    root.put("rounds", options.rounds);
    root.put("settings", options.settings);
    root.put("payload_bytes_per_s", options.link().payloadBytesPerSecond());
    root.put("rows", rows.stream().map(BurstRow::toJson).toList());
    out.println(new ObjectMapper().writeValueAsString(root));
  }
}
