package io.millrace.samples.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.samples.bench.peer.BaselineBuild;
import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.Piece;
import io.millrace.samples.bench.peer.RoundResult;
import io.millrace.samples.bench.peer.Workload;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BenchReportTest {
  private static final BenchPeer MILLRACE = new FakePeer(BenchPeer.MILLRACE, "millrace");
  private static final BenchPeer SMALL = new FakePeer("bird-small", "bird");
  private static final BenchPeer LARGE = new FakePeer("bird-large", "bird");
  private static final BenchPeer OTHER = new FakePeer("other", "other");

  private static Measured rates(BenchPeer peer, long... callsPerSecond) {
    List<Round> rounds = new ArrayList<>();
    for (long calls : callsPerSecond) {
      Usage usage = new Usage(1_000, calls * 10, calls * 10, 0, calls * 3, List.of("t:99%"));
      rounds.add(new Round(new RoundResult(calls, 1_000_000_000, 0, 0, 0), usage, usage));
    }
    return new Measured(peer, Workload.UNARY_RATE_32B_256, rounds);
  }

  private static Measured bulk(BenchPeer peer, Workload workload, long bytes, Piece... pieces) {
    Usage usage = new Usage(1_000, 10, 10, 0, 3, List.of("t:99%"));
    RoundResult result = new RoundResult(1, 1_000_000_000, 0, 0, 0, bytes, List.of(pieces));
    return new Measured(peer, workload, List.of(new Round(result, usage, usage)));
  }

  private static Measured roundTrip(BenchPeer peer, long p50Ns, long p99Ns) {
    Usage usage = new Usage(1_000, 10, 10, 900, 3, List.of("t:99%"));
    Round round = new Round(new RoundResult(100, 1_000, p50Ns, p99Ns, 0), usage, usage);
    return new Measured(peer, Workload.UNARY_RTT_32B, List.of(round));
  }

  private static BenchTurns.Outcome of(int rounds, List<Measured> measured) {
    return new BenchTurns.Outcome(
        measured, rounds, 5, 150_000_000_000L, 299_000_000_000L, rounds > 2);
  }

  private static String describe(BenchRow row) {
    return "%s %s(%s) %.0f %s"
        .formatted(
            row.name(),
            row.peer(),
            row.variant(),
            row.value(),
            row.ratio().isPresent() ? "%.2f".formatted(row.ratio().getAsDouble()) : "-");
  }

  @Test
  void shouldTakeTheMedianOfTheRounds() {
    assertEquals(30, rates(OTHER, 90, 10, 30).median(Workload.Metric.RATE));
    assertEquals(25, rates(OTHER, 90, 10, 30, 20).median(Workload.Metric.RATE));
    assertEquals(10, rates(OTHER, 90, 10, 30).medianPerCall(round -> round.client().cpuNs()));
  }

  @Test
  void shouldCompareWithTheBestVariantOfEachFamily() {
    List<BenchRow> rows =
        BenchRow.of(
            List.of(
                roundTrip(MILLRACE, 50, 90),
                roundTrip(SMALL, 40, 200),
                roundTrip(LARGE, 41, 100),
                roundTrip(OTHER, 500, 900),
                rates(MILLRACE, 500),
                rates(SMALL, 1_000),
                rates(LARGE, 2_000),
                rates(OTHER, 100)));
    assertEquals(
        List.of(
            "unary_rtt_p50_32B bird(bird-small) 40 1.25",
            "unary_rtt_p50_32B bird-small(bird-small) 40 1.25",
            "unary_rtt_p50_32B bird-large(bird-large) 41 1.22",
            "unary_rtt_p50_32B other(other) 500 0.10",
            "unary_rtt_p99_32B bird(bird-large) 100 0.90",
            "unary_rtt_p99_32B bird-small(bird-small) 200 0.45",
            "unary_rtt_p99_32B bird-large(bird-large) 100 0.90",
            "unary_rtt_p99_32B other(other) 900 0.10",
            "unary_rate_32B_256 bird(bird-large) 2000 0.25",
            "unary_rate_32B_256 bird-small(bird-small) 1000 0.50",
            "unary_rate_32B_256 bird-large(bird-large) 2000 0.25",
            "unary_rate_32B_256 other(other) 100 5.00"),
        rows.stream().map(BenchReportTest::describe).toList());
  }

  /** The baseline ran twice: a single row, with the distance of the two medians as its spread. */
  @Test
  void shouldCompareWithBothTimesOfABaseline() {
    BaselineBuild build = new BaselineBuild(Path.of("/old"), "classes");
    BenchPeer small = new FakePeer("millrace-small", "millrace");
    List<BenchPeer> peers = build.around(List.of(MILLRACE, small));
    assertEquals(
        List.of(
            "baseline",
            "millrace",
            "baseline-again",
            "baseline-small",
            "millrace-small",
            "baseline-small-again"),
        peers.stream().map(BenchPeer::name).toList());
    assertEquals("millrace", peers.getFirst().nameInProcess());
    List<BenchRow> rows =
        BenchRow.of(
            List.of(
                rates(peers.get(0), 100, 90, 1_000),
                rates(peers.get(1), 200, 190, 210),
                rates(peers.get(2), 125, 1, 130),
                rates(OTHER, 400)));
    assertEquals(
        List.of(
            "unary_rate_32B_256 baseline(baseline) 113 1.78",
            "unary_rate_32B_256 other(other) 400 0.50"),
        rows.stream().map(BenchReportTest::describe).toList());
    assertEquals(0.25, rows.getFirst().spread().orElseThrow(), 1e-9);
    assertTrue(rows.getLast().spread().isEmpty());
  }

  @Test
  void shouldCompareWithTheVariantOfMillraceThatTookPart() {
    BenchPeer small = new FakePeer("millrace-small", "millrace");
    List<BenchRow> rows =
        BenchRow.of(
            List.of(
                bulk(MILLRACE, Workload.BULK, 30),
                bulk(OTHER, Workload.BULK, 10),
                bulk(small, Workload.BULK_1400B, 20),
                bulk(OTHER, Workload.BULK_1400B, 10)));
    assertEquals(
        List.of(
            "bulk_bytes_per_s other(other) 10 3.00", "bulk_bytes_per_s_1400B other(other) 10 2.00"),
        rows.stream().map(BenchReportTest::describe).toList());
  }

  @Test
  void shouldPrintWhatAFigureIsComposedOf() throws Exception {
    BenchOptions options = BenchOptions.parse(List.of());
    List<Measured> measured =
        List.of(bulk(OTHER, Workload.BULK, 10, new Piece("seal", 0.5), new Piece("open", 0.25)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    BenchReport report = new BenchReport(options, new CoreMap(0, 1, ""), of(1, measured));
    report.printTable(out);
    String table = bytes.toString(StandardCharsets.UTF_8);
    assertTrue(table.contains("seal 0.5000  open 0.2500"), table);

    bytes.reset();
    report.printJson(out);
    JsonNode row = new ObjectMapper().readTree(bytes.toByteArray()).get("rows").get(0);
    assertEquals(0.25, row.at("/pieces_ns_per_byte/open").asDouble());
    assertEquals(8_972, row.get("max_datagram_bytes").asInt());
  }

  @Test
  void shouldPrintOneLineOfJson() throws Exception {
    BenchOptions options = BenchOptions.parse(List.of("--rounds", "2"));
    CoreMap cores = new CoreMap(0, 1, "");
    List<Measured> measured = List.of(rates(MILLRACE, 500, 500), rates(OTHER, 100, 300));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    new BenchReport(options, cores, of(2, measured)).printJson(out);

    String json = bytes.toString(StandardCharsets.UTF_8);
    assertEquals(1, json.lines().count());
    JsonNode row = new ObjectMapper().readTree(json).get("rows").get(0);
    assertEquals("unary_rate_32B_256", row.get("name").asText());
    assertEquals("ops_per_s", row.get("unit").asText());
    assertEquals("higher", row.get("better").asText());
    assertEquals("other", row.get("peer").asText());
    assertEquals(500, row.get("millrace").asDouble());
    assertEquals(200, row.get("value").asDouble());
    assertEquals(2.5, row.get("ratio").asDouble());
    assertEquals("executor", row.get("completion").asText());
  }

  @Test
  void shouldLeaveMillraceEmptyWhereItDidNotTakePart() throws Exception {
    BenchOptions options = BenchOptions.parse(List.of());
    List<Measured> measured = List.of(roundTrip(OTHER, 40, 90));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    BenchReport report =
        new BenchReport(options, new CoreMap(-1, -1, "no taskset"), of(3, measured));
    report.printTable(out);
    String table = bytes.toString(StandardCharsets.UTF_8);
    assertTrue(table.contains("no taskset"), table);
    assertTrue(table.contains("1 disturbed"), table);
    assertTrue(
        table.contains(
            "took 4 min 59 s, announced 2 min 30 s; 0 of 3 rounds are clean, 1 disturbed, 2 not"
                + " run; 5 repeats, and no time for more"),
        table);
    assertTrue(table.contains("other            0 of 3 rounds are clean, 2 not run"), table);
    assertTrue(table.contains("settings of other"), table);

    bytes.reset();
    report.printJson(out);
    JsonNode root = new ObjectMapper().readTree(bytes.toByteArray());
    assertEquals(0, root.get("rounds_clean").asInt());
    assertEquals(1, root.get("rounds_disturbed").asInt());
    assertEquals(2, root.get("rounds_not_run").asInt());
    assertEquals(299, root.get("took_seconds").asDouble());
    assertTrue(root.get("out_of_time").asBoolean());
    JsonNode row = root.get("rows").get(0);
    assertTrue(row.get("millrace").isNull());
    assertTrue(row.get("ratio").isNull());
    assertEquals(1, row.get("disturbed_rounds").asInt());
  }
}
