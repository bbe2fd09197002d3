package io.millrace.samples.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.api.TransportSnapshot;
import io.millrace.config.HandshakeSettings;
import io.millrace.samples.cli.AnswerCheck.Verified;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.IntStream;

/** Reports the demo's results, as a table or as JSON. */
final class DemoReport {
  private final DemoOutcome outcome;
  private final HandshakeSettings handshake;
  private final List<String> patterns;

  /** The report of a demo that has run these patterns after such a handshake. */
  DemoReport(DemoOutcome outcome, HandshakeSettings handshake, List<String> patterns) {
    this.outcome = outcome;
    this.handshake = handshake;
    this.patterns = List.copyOf(patterns);
  }

  /** Returns the report of a demo that failed after these patterns. */
  static Map<String, Object> ofFailure(String sentence, List<String> patterns) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("verified", false);
    report.put("patterns", patterns);
    report.put("drivers", List.of());
    report.put("bytes", 0);
    report.put("seconds", 0);
    report.put("error", sentence);
    return report;
  }

  Map<String, Object> json() {
    Verified flow = outcome.flow();
    Verified futures = outcome.futures();
    CopiedFile bulk = outcome.bulk();
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("verified", true);
    report.put("patterns", patterns);
    report.put("drivers", List.of(outcome.client().driver()));
    StreamedFile streams = outcome.streams();
    report.put("bytes", movedBytes());
    report.put("seconds", elapsedNs() / 1e9);
    report.put("processes", List.of(ProcessHandle.current().pid(), outcome.serverPid()));
    report.put("file", outcome.file().path().toString());
    report.put("handshake", handshake.provider());
    report.put("handshake_ns", outcome.handshakeNs());
    report.put(
        "passes",
        List.of(
            pass("executor", "flow", flow),
            pass("worker", "futures", futures),
            pass("bulk", "write", bulk.bytes(), bulk.thereNs()),
            pass("bulk", "read", bulk.bytes(), bulk.backNs()),
            pass("streaming-request", "disk", streams.bytes(), streams.thereNs()),
            pass("streaming-response", "disk", streams.bytes(), streams.backNs()),
            pass(
                "bidirectional",
                "stream",
                payloadBytes(streams.bothWays()),
                streams.bothWays().elapsedNs()),
            broadcastPass(),
            chainPass()));
    report.put("frames_retransmitted", retransmitted());
    report.put("chunk_bytes_retransmitted", chunkBytesRetransmitted());
    report.put("client", NodeFacts.report(outcome.client()));
    report.put("server", server());
    return report;
  }

  private long movedBytes() {
    return payloadBytes(outcome.flow())
        + payloadBytes(outcome.futures())
        + outcome.bulk().movedBytes()
        + outcome.streams().movedBytes()
        + outcome.broadcast().movedBytes();
  }

  private long elapsedNs() {
    return outcome.flow().elapsedNs()
        + outcome.futures().elapsedNs()
        + outcome.bulk().elapsedNs()
        + outcome.streams().elapsedNs()
        + outcome.broadcast().elapsedNs()
        + outcome.chain().elapsedNs();
  }

  void print(PrintStream out) {
    builtTable().print(out);
    out.println();
    processTable().print(out);
    out.println();
    out.println(handshakeLine());
    out.println(
        "verified: every byte of "
            + Figures.count(outcome.flow().calls() + outcome.futures().calls())
            + " answers ("
            + outcome.file().path().getFileName()
            + ", twice, "
            + (outcome.file().isText()
                ? "by line"
                : "in blocks of " + RecordFile.RECORD_BYTES + " B")
            + "), of the same records streamed there, back and both ways, of the file that went"
            + " to the other's disk and came back, and of "
            + (outcome.broadcast().isWhole() ? "its" : "the first part's")
            + " copies at "
            + outcome.broadcast().peers()
            + " nodes; and the order of "
            + outcome.chain().calls()
            + " dependent calls over "
            + outcome.chain().nodes());
  }

  /** Returns a line with the means of authentication. */
  private String handshakeLine() {
    return switch (handshake.provider()) {
      case "psk" -> "handshake: by a pre-shared key";
      case "tls" -> "handshake: TLS 1.3 with the certificate in " + handshake.tls().certificate();
      default ->
          "handshake: "
              + handshake.provider()
              + " with the certificate in "
              + handshake.tls().certificate();
    };
  }

  private TextTable builtTable() {
    TextTable table = new TextTable();
    table.row("built so far", "verified", "bytes", "time", "rate", "p50", "p99");
    table.row("handshake", "1", "", Figures.time(outcome.handshakeNs()), "", "", "");
    pass(table, "unary: flow, handler on executor", outcome.flow());
    pass(table, "unary: futures, handler on worker", outcome.futures());
    pass(table, "bulk: file to file, there", outcome.bulk().bytes(), outcome.bulk().thereNs());
    pass(table, "bulk: file to file, back", outcome.bulk().bytes(), outcome.bulk().backNs());
    StreamedFile streams = outcome.streams();
    stream(table, "streaming request: to the other's disk", streams, streams.thereNs());
    stream(table, "streaming response: from there", streams, streams.backNs());
    pass(table, "bidirectional: there, and back changed", streams.bothWays());
    broadcast(table, outcome.broadcast());
    chain(table, outcome.chain());
    table.row("priorities 0 to 7", perPriority(), "", "", "", "", "");
    long calls = outcome.flow().calls() + outcome.futures().calls();
    int headerBytes = Transformation.headers(0, 0).encodedBytes();
    table.row("headers, both ways", Figures.count(calls), headerBytes + " B each", "", "", "", "");
    return table;
  }

  /** Returns the number of calls of each priority: the records take the priorities in turn. */
  private String perPriority() {
    List<Long> flow = outcome.flow().perPriority();
    List<Long> futures = outcome.futures().perPriority();
    LongSummaryStatistics calls =
        IntStream.range(0, flow.size())
            .mapToLong(priority -> flow.get(priority) + futures.get(priority))
            .summaryStatistics();
    String least = Figures.count(calls.getMin());
    return calls.getMin() == calls.getMax()
        ? least + " each"
        : least + " to " + Figures.count(calls.getMax());
  }

  private TextTable processTable() {
    TransportSnapshot client = outcome.client();
    JsonNode server = server();
    TextTable table = new TextTable().row("process", "client", "server");
    table.row("pid", ProcessHandle.current().pid(), outcome.serverPid());
    table.row("driver", client.driver(), server.path("driver").asText());
    table.row("aead", client.aead(), server.path("aead").asText());
    table.row("workers", NodeFacts.threads(client), threads(server));
    table.row(
        "packets sent",
        Figures.count(NodeFacts.sum(client, worker -> worker.packets().sent())),
        Figures.count(sum(server, "packets_sent")));
    table.row(
        "frames sent again",
        Figures.count(NodeFacts.sum(client, worker -> worker.transfers().framesRetransmitted())),
        Figures.count(sum(server, "frames_retransmitted")));
    table.row(
        "chunk bytes sent again",
        Figures.count(NodeFacts.sum(client, NodeFacts::chunkBytesRetransmitted)),
        Figures.count(sum(server, "chunk_bytes_retransmitted")));
    return table;
  }

  private static void pass(TextTable table, String name, Verified pass) {
    table.row(
        name,
        Figures.count(pass.calls()),
        Figures.bytes(payloadBytes(pass)),
        Figures.seconds(pass.elapsedNs()),
        Figures.count(Math.round(pass.calls() * 1e9 / pass.elapsedNs())) + "/s",
        Figures.time(pass.latencies().getValueAtPercentile(50)),
        Figures.time(pass.latencies().getValueAtPercentile(99)));
  }

  private static void pass(TextTable table, String name, long bytes, long elapsedNs) {
    String rate = Figures.bytes(Math.round(bytes * 1e9 / elapsedNs)) + "/s";
    table.row(name, "1", Figures.bytes(bytes), Figures.seconds(elapsedNs), rate, "", "");
  }

  private static void broadcast(TextTable table, BroadcastFile sent) {
    String what = sent.isWhole() ? "" : "first " + Figures.bytes(sent.bytes()) + " ";
    table.row(
        "broadcast: " + what + "to " + sent.peers() + " nodes' disks",
        sent.peers(),
        Figures.bytes(sent.movedBytes()),
        Figures.seconds(sent.elapsedNs()),
        Figures.bytes(Math.round(sent.movedBytes() * 1e9 / sent.elapsedNs())) + "/s",
        "",
        "");
    table.row(
        "records sealed for all of them",
        Figures.count(sent.recordsSealed()),
        Figures.bytes(sent.bytes()),
        "",
        "",
        "",
        "");
  }

  private static void chain(TextTable table, DemoChain.DependentCalls chain) {
    table.row(
        "dependencies: a chain over " + chain.nodes() + " nodes, in order",
        Figures.count(chain.calls()),
        "",
        Figures.seconds(chain.elapsedNs()),
        Figures.count(Math.round(chain.calls() * 1e9 / chain.elapsedNs())) + "/s",
        "",
        "");
  }

  private Map<String, Object> chainPass() {
    DemoChain.DependentCalls chain = outcome.chain();
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("pattern", "causality");
    report.put("through", "tokens");
    report.put("nodes", chain.nodes());
    report.put("calls", chain.calls());
    report.put("seconds", chain.elapsedNs() / 1e9);
    return report;
  }

  private Map<String, Object> broadcastPass() {
    BroadcastFile sent = outcome.broadcast();
    Map<String, Object> report = pass("broadcast", "disk", sent.movedBytes(), sent.elapsedNs());
    report.put("peers", sent.peers());
    report.put("payload_bytes", sent.bytes());
    report.put("whole_file", sent.isWhole());
    report.put("records_sealed", sent.recordsSealed());
    report.put("allocations", sent.allocations());
    return report;
  }

  private static void stream(TextTable table, String name, StreamedFile streams, long elapsedNs) {
    table.row(
        name,
        Figures.count(streams.records()),
        Figures.bytes(streams.bytes()),
        Figures.seconds(elapsedNs),
        Figures.count(Math.round(streams.records() * 1e9 / elapsedNs)) + "/s",
        "",
        "");
  }

  private static Map<String, Object> pass(
      String pattern, String through, long bytes, long elapsedNs) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("pattern", pattern);
    report.put("through", through);
    report.put("bytes", bytes);
    report.put("seconds", elapsedNs / 1e9);
    report.put("bytes_per_s", bytes * 1e9 / elapsedNs);
    return report;
  }

  private static Map<String, Object> pass(String handler, String through, Verified pass) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("pattern", "unary");
    report.put("handler", handler);
    report.put("through", through);
    report.put("calls", pass.calls());
    report.put("record_bytes", pass.recordBytes());
    report.put("answer_bytes", pass.answerBytes());
    report.put("seconds", pass.elapsedNs() / 1e9);
    report.put("calls_per_priority", pass.perPriority());
    report.put("p50_ns", pass.latencies().getValueAtPercentile(50));
    report.put("p99_ns", pass.latencies().getValueAtPercentile(99));
    return report;
  }

  private static long payloadBytes(Verified pass) {
    return pass.recordBytes() + pass.answerBytes();
  }

  private long retransmitted() {
    return NodeFacts.sum(outcome.client(), worker -> worker.transfers().framesRetransmitted())
        + sum(server(), "frames_retransmitted");
  }

  private long chunkBytesRetransmitted() {
    return NodeFacts.sum(outcome.client(), NodeFacts::chunkBytesRetransmitted)
        + sum(server(), "chunk_bytes_retransmitted");
  }

  private JsonNode server() {
    try {
      return new ObjectMapper().readTree(outcome.server());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the second process' report is not JSON", e);
    }
  }

  private static long sum(JsonNode node, String counter) {
    long sum = 0;
    for (JsonNode worker : node.path("workers")) {
      sum += worker.path(counter).asLong();
    }
    return sum;
  }

  private static String threads(JsonNode node) {
    List<String> threads = new ArrayList<>();
    for (JsonNode worker : node.path("workers")) {
      int core = worker.path("core").asInt(-1);
      threads.add(worker.path("thread").asText() + (core < 0 ? " unpinned" : " on core " + core));
    }
    return String.join("; ", threads);
  }
}
