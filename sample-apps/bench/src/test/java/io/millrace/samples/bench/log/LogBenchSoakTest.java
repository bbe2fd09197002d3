package io.millrace.samples.bench.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.samples.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All three logs with their processes. */
@Tag("soak")
@Timeout(600)
class LogBenchSoakTest {
  private static final String ARGUMENTS =
      "log bench --replicas 3 --outstanding 16 --warm-up 1 --duration 1 --json --dir ";

  @TempDir private Path directory;

  @Test
  void shouldCommitWithEveryLogAndLeaveNothing() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        Main.run(
            List.of((ARGUMENTS + directory).split(" ")),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8));
    assertEquals(0, exitCode, err.toString(UTF_8));
    String report = out.toString(UTF_8).lines().toList().getLast();
    JsonNode rows = new ObjectMapper().readTree(report).path("rows");
    assertEquals(3, rows.size());
    for (JsonNode row : rows) {
      assertTrue(row.path("commits_per_s").asInt() > 0, row.toString());
      assertEquals(0, row.path("failures").asInt(), row.toString());
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(List.of(), left.toList());
    }
  }
}
