package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.samples.cli.Main;
import io.millrace.samples.process.JavaCommand;
import java.io.BufferedReader;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The figure is the growth of a heap, so the test measures in a process of its own. Memory kept or
 * released by threads of other tests would distort the figure.
 */
@Tag("soak")
@Timeout(120)
final class FootprintSoakTest {
  /** The application's own objects take more than this. */
  private static final long LEAST_BYTES = 50;

  /** So many transfers that the noise of the heap is small for each transfer. */
  private static final int OPEN = 10_000;

  /**
   * A quarter more than docs/performance.md says of the caller, and of the server. A waiting
   * transfer has the payload of its first record at the server.
   */
  private static long mostBytes(OpenKind kind, boolean isServer) {
    long published =
        switch (kind) {
          case UNARY -> isServer ? 192 : 183;
          case TOKENED -> 238;
          case BULK -> isServer ? 467 : 726;
          case BULK_WAITING -> isServer ? 200 : 854;
          case STREAMING_RESPONSE -> isServer ? 3_395 : 3_246;
          case STREAMING_REQUEST -> isServer ? 3_627 : 4_406;
          case BIDIRECTIONAL -> isServer ? 6_207 : 3_742;
        };
    return published * 5 / 4;
  }

  /** Bodies without a region have not come to the server: then this is the noise of the measure. */
  private static long leastBytesAtServer(OpenKind kind) {
    return kind == OpenKind.BULK_WAITING ? -200 : LEAST_BYTES;
  }

  @Test
  void shouldFindWhatBothSidesHold() throws Exception {
    String open = Integer.toString(OPEN);
    List<String> command = JavaCommand.likeThis();
    // The simulator's agent, which this JVM has for other tests, would rewrite classes for nothing.
    command.removeIf(flag -> flag.startsWith("-javaagent:"));
    command.addAll(
        List.of(Main.class.getName(), "footprint", "--json", "--calls", open, "--streams", open));
    command.addAll(List.of("--transfers", open));
    Process measuring =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (BufferedReader out = measuring.inputReader()) {
      JsonNode report = new ObjectMapper().readTree(out.lines().toList().getLast());
      for (OpenKind kind : OpenKind.values()) {
        requirePublished(kind, rowOf(kind, report));
      }
    } finally {
      measuring.destroyForcibly();
    }
  }

  private static JsonNode rowOf(OpenKind kind, JsonNode report) {
    for (JsonNode row : report.path("open")) {
      if (row.path("pattern").asText().equals(kind.text())) {
        return row;
      }
    }
    throw new AssertionError(kind + " is not in " + report);
  }

  private static void requirePublished(OpenKind kind, JsonNode row) {
    long client = row.path("caller_bytes").asLong();
    long server = row.path("server_bytes").asLong();
    assertEquals(OPEN, row.path("open").asInt());
    assertTrue(client > LEAST_BYTES && client < mostBytes(kind, false), row::toString);
    assertTrue(server > leastBytesAtServer(kind) && server < mostBytes(kind, true), row::toString);
  }
}
