package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.samples.served.RepeatedBlock;
import io.millrace.samples.served.ServedChains;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PerfCommandTest {
  private static final List<String> FIGURES =
      List.of(
          "ops_per_s",
          "bytes_per_s",
          "errors",
          "goodput_payload",
          "goodput_packets",
          "cpu_ns_per_op",
          "alloc_bytes_per_op",
          "worker_alloc_bytes_per_op");

  /** Long enough for operations of every pattern in a young JVM. */
  private static final String SECONDS = "0.5";

  @TempDir static Path shared;
  private static NodeInThread node;

  @TempDir Path folder;
  private List<String> known = List.of();

  @BeforeAll
  static void startNode() throws IOException {
    node = NodeInThread.start("--certs", LocalCertificates.in(shared).path());
  }

  @AfterAll
  static void endNode() {
    node.close();
  }

  @BeforeEach
  void knowCertificates() {
    known = List.of("--certs", LocalCertificates.in(shared).path());
  }

  @ParameterizedTest
  @ValueSource(strings = {"inline", "executor"})
  void shouldReportEveryFigureOfTheContract(String completion) throws Exception {
    CommandRun run = perf(node, "--completion", completion, "--size", "100");

    assertEquals(0, run.exitCode(), run.err().toString());
    assertEquals(1, run.out().size());
    JsonNode report = run.json();
    FIGURES.forEach(name -> assertTrue(report.path(name).isNumber(), name + " in " + report));
    assertEquals(completion, report.path("completion").asText());
    assertEquals(0, report.path("errors").asLong());
    assertEquals(
        1.0,
        report.path("bytes_per_s").asDouble() / report.path("ops_per_s").asDouble() / 100,
        1e-9);
    assertTrue(report.path("ops_per_s").asDouble() > 0);
    assertOrdered(report.path("latency_ns"), List.of("p50", "p90", "p99", "p999", "max"));
  }

  @Test
  void shouldMeasureThePeersWhoseHostsAreKnown() throws Exception {
    List<String> args = new ArrayList<>(List.of("perf", "no.such.invalid:1," + node.address()));
    args.addAll(List.of("--duration", "0.1", "--warm-up", "0", "--json"));
    args.addAll(known);
    CommandRun run = CommandRun.of(args);
    assertEquals(0, run.exitCode(), run.err().toString());
    assertEquals("[\"" + node.address() + "\"]", run.json().path("peers").toString());
  }

  @Test
  void shouldReportEveryFigureOfTheContractForBulk() throws Exception {
    CommandRun run = perf(node, "--pattern", "bulk", "--size", "300001", "--concurrency", "2");

    assertEquals(0, run.exitCode(), run.err().toString());
    JsonNode report = run.json();
    FIGURES.forEach(name -> assertTrue(report.path(name).isNumber(), name + " in " + report));
    assertEquals("bulk", report.path("pattern").asText());
    assertEquals("bulk-sink", report.path("route").asText());
    assertEquals("executor", report.path("completion").asText());
    assertEquals(0, report.path("errors").asLong());
    double moved = report.path("bytes_per_s").asDouble() * report.path("seconds").asDouble();
    double whole = report.path("ops").asDouble() * 300_001;
    long beyond = Math.round(Math.abs(moved - whole));
    assertTrue(whole > 0 && beyond <= 2 * 300_001, report.toString());
    assertOrdered(report.path("latency_ns"), List.of("p50", "p90", "p99", "p999", "max"));
  }

  @Test
  void shouldReportEveryFigureOfTheContractForBroadcast() throws Exception {
    try (NodeInThread second = start()) {
      String peers = node.address() + "," + second.address();
      CommandRun run =
          CommandRun.of(
              argsFor(
                  SECONDS,
                  peers,
                  "--pattern",
                  "broadcast",
                  "--size",
                  "70001",
                  "--concurrency",
                  "2"));

      assertEquals(0, run.exitCode(), run.err().toString());
      JsonNode report = run.json();
      FIGURES.forEach(name -> assertTrue(report.path(name).isNumber(), name + " in " + report));
      assertEquals("broadcast", report.path("pattern").asText());
      assertEquals("bulk-sink", report.path("route").asText());
      assertEquals("executor", report.path("completion").asText());
      assertEquals(2, report.path("peers").size());
      assertEquals(0, report.path("errors").asLong());
      double moved = report.path("bytes_per_s").asDouble() * report.path("seconds").asDouble();
      double whole = report.path("ops").asDouble() * 2 * 70_001;
      // Of the two broadcasts under way at each end of the window a peer may have all bytes.
      long beyond = Math.round(Math.abs(moved - whole));
      assertTrue(whole > 0 && beyond <= 2 * 2 * 70_001, report.toString());
      assertOrdered(report.path("latency_ns"), List.of("p50", "p90", "p99", "p999", "max"));
    }
  }

  @Test
  void shouldCountEachDeliveryOfABroadcastThatFails() throws Exception {
    AtomicInteger refused = new AtomicInteger();
    TransportSettings settings = LocalCertificates.in(shared).settings();
    try (Transport bad = Transport.start(settings)) {
      AtomicBoolean isFirst = new AtomicBoolean(true);
      bad.serveBulkWrites(
          Route.bytes("bulk-sink"),
          offer -> {
            if (isFirst.getAndSet(false)) {
              return CompletableFuture.completedFuture(RepeatedBlock.sampled());
            }
            refused.incrementAndGet();
            throw new IOException("no room");
          });
      String peers = node.address() + "," + bad.address();
      CommandRun run = CommandRun.of(args(peers, "--pattern", "broadcast", "--size", "70000"));

      assertEquals(1, run.exitCode());
      JsonNode report = run.json();
      assertEquals(refused.get(), report.path("errors").asInt());
      assertTrue(refused.get() > 0);
      assertEquals(0, report.path("ops").asInt());
      assertTrue(report.path("bytes_per_s").asDouble() > 0, report.toString());
      String error = report.path("first_error").asText();
      assertTrue(error.startsWith(bad.address() + ": "), error);
      assertTrue(run.err().getLast().contains(" deliveries failed, 0 did not end; "), error);
    }
  }

  @Test
  void shouldTellOfARouteThatTakesNoBroadcast() throws Exception {
    assertOneErrorLine(perf(node, "--pattern", "broadcast", "--route", "nothing"), "UNKNOWN_ROUTE");
  }

  @Test
  void shouldKeepBroadcastsThatFillAllThatTheNodeHolds() throws Exception {
    CommandRun run =
        perf(
            node,
            List.of("--pattern", "broadcast", "--size", "524288", "--concurrency", "2"),
            "--set",
            "millrace.transfers.broadcast-pool=1MiB");

    assertEquals(0, run.exitCode(), run.err().toString());
    assertTrue(run.json().path("ops").asLong() > 0, run.json().toString());
  }

  @ParameterizedTest
  @CsvSource({
    "streaming-response, stream-source, 1000",
    "streaming-request, stream-sink, 1000",
    "bidirectional, stream-echo, 1000",
    "streaming-response, stream-source, 5",
    "streaming-request, stream-sink, 20000",
    "bidirectional, stream-echo, 20000"
  })
  void shouldReportEveryFigureOfTheContractForStreams(String pattern, String route, int size)
      throws Exception {
    CommandRun run =
        perf(
            node,
            List.of("--pattern", pattern, "--size", String.valueOf(size)),
            "--elements",
            "20",
            "--concurrency",
            "3");

    assertEquals(0, run.exitCode(), run.err().toString());
    JsonNode report = run.json();
    FIGURES.forEach(name -> assertTrue(report.path(name).isNumber(), name + " in " + report));
    assertEquals(pattern, report.path("pattern").asText());
    assertEquals(route, report.path("route").asText());
    assertEquals("executor", report.path("completion").asText());
    assertEquals(0, report.path("errors").asLong());
    assertEquals(20, report.path("elements").asLong());
    assertEquals(0, report.path("chunk_bytes_retransmitted").asLong(-1));
    double moved = report.path("bytes_per_s").asDouble() * report.path("seconds").asDouble();
    double whole = report.path("ops").asDouble() * 20 * size;
    assertTrue(whole > 0 && Math.abs(moved - whole) <= 3 * 20 * size, report.toString());
    assertEquals(
        report.path("bytes_per_s").asDouble() / size,
        report.path("elements_per_s").asDouble(),
        1e-6);
    assertOrdered(report.path("latency_ns"), List.of("p50", "p90", "p99", "p999", "max"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"streaming-response", "streaming-request", "bidirectional"})
  void shouldTellOfARouteThatServesNoSuchStream(String pattern) throws Exception {
    assertOneErrorLine(
        perf(node, List.of("--pattern", pattern), "--route", "nothing"), "UNKNOWN_ROUTE");
  }

  @Test
  void shouldTellOfElementsOverTheLimitInOneLine() throws Exception {
    CommandRun run =
        perf(
            node,
            List.of("--pattern", "bidirectional", "--size", "1000000"),
            "--set",
            "millrace.transfers.message=512KiB");

    assertOneErrorLine(run, "PAYLOAD_TOO_LARGE");
  }

  @Test
  void shouldReportChainsThatWereSentAtOnceAndOneByOne() throws Exception {
    CommandRun run =
        CommandRun.of(argsFor("0.1", node.address(), "--pattern", "chain", "--elements", "50"));

    assertEquals(0, run.exitCode(), run.err().toString());
    JsonNode report = run.json();
    assertEquals("chain", report.path("pattern").asText());
    assertEquals("chain", report.path("route").asText());
    assertEquals("executor", report.path("completion").asText());
    assertEquals(50, report.path("elements").asInt());
    assertEquals(0, report.path("errors").asLong(-1));
    assertTrue(report.path("factor").asDouble() > 0, report.toString());
    for (String kind : List.of("pipelined", "awaited")) {
      JsonNode chains = report.path(kind);
      assertTrue(chains.path("chains").asLong() > 0, report.toString());
      assertTrue(chains.path("calls_per_s").asDouble() > 0, report.toString());
      assertOrdered(chains, List.of("min_ns", "p50_ns", "max_ns"));
    }
  }

  @Test
  void shouldTellOfChainsSideBySide() throws Exception {
    List<String> args = argsFor("0.1", node.address(), "--pattern", "chain", "--elements", "2000");
    args.remove("--json");
    CommandRun run = CommandRun.of(args);

    assertEquals(0, run.exitCode(), run.err().toString());
    assertTrue(
        run.out().getFirst().matches("chain of 2,000 calls +pipelined +each awaited"),
        run.out().toString());
    assertTrue(
        run.out().stream().anyMatch(line -> line.matches("factor +[\\d.]+")), run.out().toString());
  }

  /** A peer at which call 7 comes too early in every long enough chain. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldReportDisorderInAChainAsAFailure(boolean isPipelined) throws Exception {
    TransportSettings settings = LocalCertificates.in(shared).settings();
    AtomicInteger calls = new AtomicInteger();
    int wrong = 2 + 7 + (isPipelined ? 0 : 20);
    try (Transport bad = Transport.start(settings)) {
      ServedChains chains = new ServedChains();
      bad.serve(
          ServedChains.CHAIN,
          request -> {
            if (calls.getAndIncrement() == wrong) {
              return CompletableFuture.completedFuture(
                  chains.answer("peer", ServedChains.request(0, 7, 20, 32)));
            }
            return CompletableFuture.completedFuture(chains.answer("peer", request));
          });
      CommandRun run =
          CommandRun.of(argsFor("0.1", bad.address(), "--pattern", "chain", "--elements", "20"));

      assertEquals(1, run.exitCode());
      JsonNode report = run.json();
      assertEquals(13, report.path("errors").asInt(), report.toString());
      String error = report.path("first_error").asText();
      assertTrue(error.contains("call 7 of a chain came when call 0 was due"), error);
      assertEquals(
          "millrace perf: 13 of 20 calls of a chain failed; " + error, run.err().getLast());
    }
  }

  @Test
  void shouldTellOfARouteThatServesNoChain() throws Exception {
    assertOneErrorLine(perf(node, "--pattern", "chain", "--route", "nothing"), "UNKNOWN_ROUTE");
    assertOneErrorLine(
        perf(node, "--pattern", "chain", "--route", "echo"), "got the answer of another call");
  }

  @Test
  void shouldTellOfARouteThatTakesNoBulk() throws Exception {
    assertOneErrorLine(perf(node, "--pattern", "bulk", "--route", "nothing"), "UNKNOWN_ROUTE");
  }

  @Test
  void shouldSpreadLoadOverSeveralPeers() throws Exception {
    try (NodeInThread first = start("--json");
        NodeInThread second = start("--json")) {
      CommandRun run =
          CommandRun.of(args(first.address() + "," + second.address(), "--concurrency", "8"));

      assertEquals(0, run.exitCode(), run.err().toString());
      assertEquals(2, run.json().path("peers").size());
      assertTrue(served(first) > 4);
      assertTrue(served(second) > 4);
    }
  }

  @Test
  void shouldTellOfAWrongKeyInOneLine() throws Exception {
    known = List.of("--psk-file", key("psk"));
    try (NodeInThread keyed = start()) {
      assertEquals(0, perf(keyed).exitCode());
      known = List.of("--psk-file", key("other"));

      CommandRun run = perf(keyed, "--set", "millrace.handshake.timeout=500ms");

      assertOneErrorLine(run, "HANDSHAKE_FAILED");
    }
  }

  @Test
  void shouldTellOfAnotherAuthorityInOneLine() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    known = List.of("--certs", LocalCertificates.in(other).path());

    CommandRun run = perf(node);

    assertOneErrorLine(run, "HANDSHAKE_FAILED");
    assertTrue(run.err().getFirst().contains("vouches"), run.err()::toString);
  }

  @Test
  void shouldTellOfAPeerThatDoesNotAnswerInOneLine() {
    CommandRun run =
        CommandRun.of(args("127.0.0.1:9", "--set", "millrace.handshake.timeout=500ms"));

    assertOneErrorLine(run, "HANDSHAKE_FAILED");
  }

  @Test
  void shouldTellOfAPayloadOverTheLimitInOneLine() throws Exception {
    CommandRun run = perf(node, "--size", "1000000", "--set", "millrace.transfers.message=512KiB");

    assertOneErrorLine(run, "more than millrace.transfers.message = 524288");
  }

  @Test
  void shouldTellOfAnUnknownRouteInOneLine() throws Exception {
    assertOneErrorLine(perf(node, "--route", "nothing"), "UNKNOWN_ROUTE");
  }

  @Test
  void shouldTellOfARouteThatIsNoEcho() throws Exception {
    assertOneErrorLine(perf(node, "--route", "sink"), "the route 'sink' of " + node.address());
  }

  @Test
  void shouldTellOfAPortInUseInOneLine() throws Exception {
    CommandRun run =
        CommandRun.of(
            "serve", "--listen", node.address(), known.getFirst(), known.getLast(), "--json");

    assertOneErrorLine(run, "in use");
  }

  private CommandRun perf(NodeInThread peer, String... options) {
    return perf(peer, List.of(), options);
  }

  private CommandRun perf(NodeInThread peer, List<String> pattern, String... options) {
    List<String> args = args(peer.address(), options);
    args.addAll(pattern);
    return CommandRun.of(args);
  }

  private List<String> args(String peers, String... options) {
    return argsFor(SECONDS, peers, options);
  }

  private List<String> argsFor(String seconds, String peers, String... options) {
    List<String> args = new ArrayList<>(List.of("perf", peers, "--json"));
    args.addAll(known);
    args.addAll(List.of("--duration", seconds, "--warm-up", "0.1"));
    args.addAll(List.of(options));
    return args;
  }

  private NodeInThread start(String... options) throws IOException {
    List<String> all = new ArrayList<>(known);
    all.addAll(List.of(options));
    return NodeInThread.start(all.toArray(String[]::new));
  }

  private String key(String name) throws IOException {
    return Files.writeString(folder.resolve(name), KeySource.random()).toString();
  }

  private static long served(NodeInThread node) throws Exception {
    List<String> rest = node.end();
    JsonNode report = new ObjectMapper().readTree(rest.getLast());
    return report.at("/workers/0/requests_served").asLong();
  }

  private static void assertOrdered(JsonNode latencies, List<String> names) {
    long before = 1;
    for (String name : names) {
      long value = latencies.path(name).asLong();
      assertTrue(value >= before, name + " in " + latencies);
      before = value;
    }
  }

  private static void assertOneErrorLine(CommandRun run, String part) {
    assertEquals(1, run.exitCode());
    assertEquals(1, run.err().size(), run.err().toString());
    String line = run.err().getFirst();
    assertTrue(line.contains(part), line);
    assertEquals(line.substring(line.indexOf(": ") + 2), run.json().path("error").asText());
  }
}
