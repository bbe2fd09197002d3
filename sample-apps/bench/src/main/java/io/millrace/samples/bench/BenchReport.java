package io.millrace.samples.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.samples.bench.peer.BenchPeer;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/** Prints the measurements of a run, for people and as JSON. */
final class BenchReport {
  private static final double SECOND_NS = 1e9;

  private final BenchOptions options;
  private final CoreMap cores;
  private final BenchTurns.Outcome outcome;
  private final List<Measured> measured;
  private final List<BenchRow> rows;

  BenchReport(BenchOptions options, CoreMap cores, BenchTurns.Outcome outcome) {
    this.options = options;
    this.cores = cores;
    this.outcome = outcome;
    measured = outcome.measured();
    rows = BenchRow.of(measured);
  }

  /**
   * Prints the table of ratios, the resources that each side spent, and the settings of every peer.
   */
  void printTable(PrintStream out) {
    out.printf(
        "server on %s, client on %s%s; medians of %d interleaved rounds of %s s%n%n",
        core(cores.server()),
        core(cores.client()),
        cores.note().isEmpty() ? "" : " (" + cores.note() + ")",
        options.rounds(),
        options.roundSeconds());
    out.printf(
        "%-22s %-11s %-7s %-16s %14s %14s %7s  %s%n",
        "name", "unit", "better", "peer", "value", "millrace", "ratio", "rounds");
    for (BenchRow row : rows) {
      out.printf(
          "%-22s %-11s %-7s %-16s %,14.0f %14s %7s  %s%n",
          row.name(),
          row.metric().unit(),
          row.metric().better(),
          row.peer(),
          row.value(),
          format("%,.0f", row.millrace()),
          format("%.2f", row.ratio()),
          note(row));
    }
    Path baseline = options.baseline();
    if (baseline != null) {
      out.printf(
          "%nbaseline: the build in %s, in two pairs of processes%nitself: how far their medians"
              + " are apart; a ratio as near to 1 shows no difference%n",
          baseline);
    }
    printTime(out);
    printSpent(out);
    printPieces(out);
    for (BenchPeer peer : peers()) {
      out.printf("%n%s: completion %s%n", peer.name(), completion(peer));
      out.printf("  threads: %s%n  settings: %s%n", peer.threads(), peer.settings());
    }
  }

  /** Prints the single line for scripts. */
  void printJson(PrintStream out) throws JsonProcessingException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode root = mapper.createObjectNode();
    ArrayNode rowNodes = root.putArray("rows");
    rows.forEach(row -> addRow(rowNodes.addObject(), row));
    ArrayNode peerNodes = root.putArray("peers");
    for (BenchPeer peer : peers()) {
      peerNodes
          .addObject()
          .put("name", peer.name())
          .put("family", peer.family())
          .put("completion", completion(peer))
          .put("threads", peer.threads())
          .put("settings", peer.settings());
    }
    root.put("announced_seconds", outcome.announcedNs() / SECOND_NS);
    root.put("took_seconds", outcome.tookNs() / SECOND_NS);
    root.put("rounds_planned", outcome.planned()).put("rounds_clean", outcome.clean());
    root.put("rounds_disturbed", outcome.disturbed()).put("rounds_not_run", outcome.notRun());
    root.put("repeats", outcome.repeats()).put("out_of_time", outcome.isOutOfTime());
    root.put("rounds", options.rounds()).put("round_seconds", options.roundSeconds());
    root.put("server_core", cores.server()).put("client_core", cores.client());
    root.put("pinning_note", cores.note());
    Path baseline = options.baseline();
    if (baseline != null) {
      root.put("baseline", baseline.toString());
    }
    out.println(mapper.writeValueAsString(root));
  }

  /**
   * A reader must not take the figures of a disturbed machine for the figures of a quiet machine.
   */
  private void printTime(PrintStream out) {
    out.printf(
        "%ntook %s, announced %s; %d of %d rounds are clean",
        BenchBudget.text(outcome.tookNs()),
        BenchBudget.text(outcome.announcedNs()),
        outcome.clean(),
        outcome.planned());
    out.printf(
        ", %d disturbed, %d not run; %d repeats%s%n",
        outcome.disturbed(),
        outcome.notRun(),
        outcome.repeats(),
        outcome.isOutOfTime() ? ", and no time for more" : "");
    for (Measured m : measured) {
      if (m.clean() < outcome.plannedRounds()) {
        out.printf(
            "  disturbed: %-22s %-16s %d of %d rounds are clean, %d not run%n",
            m.workload().label(),
            m.peer().name(),
            m.clean(),
            outcome.plannedRounds(),
            outcome.plannedRounds() - m.rounds().size());
      }
    }
  }

  private void printSpent(PrintStream out) {
    out.printf(
        "%n%-22s %-16s %21s %21s  %s%n",
        "spent per call, block",
        "peer",
        "cpu ns (cli/srv)",
        "bytes (cli/srv)",
        "busy threads, client | server");
    for (Measured m : measured) {
      Round last = m.rounds().getLast();
      out.printf(
          "%-22s %-16s %,10.0f %,10.0f %,10.0f %,10.0f  %s | %s%n",
          m.workload().label(),
          m.peer().name(),
          m.medianPerCall(round -> round.client().cpuNs()),
          m.medianPerCall(round -> round.server().cpuNs()),
          m.medianPerCall(round -> round.client().allocatedBytes()),
          m.medianPerCall(round -> round.server().allocatedBytes()),
          String.join(" ", last.client().busyThreads()),
          String.join(" ", last.server().busyThreads()));
    }
  }

  private void printPieces(PrintStream out) {
    List<Measured> composed = measured.stream().filter(m -> !m.pieces().isEmpty()).toList();
    if (composed.isEmpty()) {
      return;
    }
    out.printf("%n%-22s %-16s %s%n", "composed of", "peer", "ns per byte of payload");
    for (Measured m : composed) {
      out.printf("%-22s %-16s", m.workload().label(), m.peer().name());
      m.pieces().forEach(piece -> out.printf("  %s %.4f", piece.name(), piece.nsPerByte()));
      out.println();
    }
  }

  private static void addRow(ObjectNode node, BenchRow row) {
    Measured m = row.measured();
    node.put("name", row.name());
    node.put("unit", row.metric().unit());
    node.put("better", row.metric().better());
    node.put("peer", row.peer());
    put(node, "millrace", row.millrace());
    node.put("value", row.value());
    put(node, "ratio", row.ratio());
    if (row.spread().isPresent()) {
      node.put("spread", row.spread().getAsDouble());
    }
    node.put("variant", row.variant());
    node.put("completion", completion(m.peer()));
    ArrayNode values = node.putArray("rounds");
    m.values(row.metric()).forEach(values::add);
    node.put("disturbed_rounds", m.rounds().size() - m.clean());
    node.put("client_cpu_ns_per_call", m.medianPerCall(round -> round.client().cpuNs()));
    node.put("server_cpu_ns_per_call", m.medianPerCall(round -> round.server().cpuNs()));
    node.put(
        "client_alloc_bytes_per_call", m.medianPerCall(round -> round.client().allocatedBytes()));
    node.put(
        "server_alloc_bytes_per_call", m.medianPerCall(round -> round.server().allocatedBytes()));
    if (!m.pieces().isEmpty()) {
      ObjectNode pieces = node.putObject("pieces_ns_per_byte");
      m.pieces().forEach(piece -> pieces.put(piece.name(), piece.nsPerByte()));
    }
    if (m.workload().isBulk()) {
      node.put("max_datagram_bytes", m.workload().datagramBytes());
    }
    ArrayNode clientThreads = node.putArray("client_threads");
    m.rounds().getLast().client().busyThreads().forEach(clientThreads::add);
    ArrayNode serverThreads = node.putArray("server_threads");
    m.rounds().getLast().server().busyThreads().forEach(serverThreads::add);
  }

  private static void put(ObjectNode node, String name, OptionalDouble value) {
    if (value.isPresent()) {
      node.put(name, value.getAsDouble());
    } else {
      node.putNull(name);
    }
  }

  private static String note(BenchRow row) {
    if (row.spread().isPresent()) {
      return "itself %.1f %%, %s".formatted(row.spread().getAsDouble() * 100, range(row));
    }
    boolean isBest = !row.peer().equals(row.variant());
    return isBest ? "best: " + row.variant() : range(row);
  }

  private static String range(BenchRow row) {
    List<Double> values = row.measured().values(row.metric());
    double least = values.stream().mapToDouble(Double::doubleValue).min().orElse(0);
    double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    long disturbed = values.size() - row.measured().clean();
    String note = disturbed == 0 ? "" : ", %d disturbed".formatted(disturbed);
    return "%,.0f to %,.0f%s".formatted(least, most, note);
  }

  private static String format(String format, OptionalDouble value) {
    return value.isPresent() ? format.formatted(value.getAsDouble()) : "-";
  }

  private static String core(int core) {
    return core < 0 ? "no fixed core" : "core " + core;
  }

  private static String completion(BenchPeer peer) {
    return peer.completion() == BenchPeer.Completion.INLINE ? "inline" : "executor";
  }

  private List<BenchPeer> peers() {
    return measured.stream().map(Measured::peer).distinct().toList();
  }
}
