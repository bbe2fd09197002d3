package io.millrace.samples.log.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogBenchTest {
  private static final LogBenchRow SEEN = new LogBenchRow("a", 3, 64, 1_234.4, 500, 9_000, 250, 0);
  private static final LogBenchRow LEADERLESS =
      new LogBenchRow("b", 3, 64, 10, 1_500, 2_500, LogBenchRow.UNKNOWN, 2);

  @TempDir private Path directory;

  @Test
  void shouldReportTheSameFiguresInAllForms() throws IOException {
    LogBench.Report report =
        new LogBench.Report(
            bench(List.of(log("a"), log("b")), List.of(64)), List.of(SEEN, LEADERLESS), 0);
    assertEquals(
        List.of(LogBenchRow.CSV_HEAD, "a,3,64,1234,0.5,9.0,0.3,0", "b,3,64,10,1.5,2.5,,2"),
        report.toCsv());
    ObjectMapper mapper = new ObjectMapper();
    JsonNode json = mapper.readTree(mapper.writeValueAsString(report.toJson()));
    assertEquals("forces a", json.path("terms").path("a").asText());
    assertEquals(0.25, json.path("rows").path(0).path("leader_cpu_us_per_commit").asDouble());
    assertTrue(json.path("rows").path(1).path("leader_cpu_us_per_commit").isNull());
    ByteArrayOutputStream table = new ByteArrayOutputStream();
    report.printTable(new PrintStream(table, true, UTF_8));
    List<String> lines = table.toString(UTF_8).lines().toList();
    assertTrue(lines.contains("a: forces a"), lines.toString());
    assertTrue(lines.stream().anyMatch(line -> line.matches("b +3 +64 +10 +2 +3 +- +2")));
  }

  @Test
  void shouldShowTheMiddleRound() {
    List<LogBenchRow> rounds = List.of(SEEN, LEADERLESS, LEADERLESS);
    assertEquals(List.of(LEADERLESS), LogBench.median(rounds));
    assertEquals(List.of(), LogBench.median(List.of()));
  }

  @Test
  void shouldCountWhatDidNotRun() throws Exception {
    BenchedLog broken =
        new BenchedLog(
            "a",
            "forces a",
            (_, _) -> {
              throw new IOException("no disk");
            });
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    LogBench.Report report =
        bench(List.of(broken), List.of(1, 64)).run(new PrintStream(said, true, UTF_8));
    assertEquals(2, report.missing());
    assertTrue(said.toString(UTF_8).contains("no disk"));
  }

  private static BenchedLog log(String name) {
    return new BenchedLog(
        name,
        "forces " + name,
        (_, _) -> {
          throw new IOException("not started here");
        });
  }

  private LogBench bench(List<BenchedLog> logs, List<Integer> outstanding) {
    return new LogBench(logs, List.of(3), outstanding, 32, 0, 1, 1, directory);
  }
}
