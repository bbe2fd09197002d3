package io.millrace.samples.bench.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.samples.process.Shell;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FaultsCommandTest {
  private final ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
  private final ByteArrayOutputStream errBytes = new ByteArrayOutputStream();

  private int run(String line) throws Exception {
    return FaultsCommand.run(
        List.of(line.split(" ", -1)),
        new PrintStream(outBytes, true, UTF_8),
        new PrintStream(errBytes, true, UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--only kil",
        "--only kill,partitions",
        "--only",
        "--against carrier-pigeon",
        "--against grpc,none",
        "--against millrace",
        "--nothing"
      })
  void shouldRefuseBadArgumentInOneLine(String line) throws Exception {
    assertEquals(2, run(line));
    assertEquals("", outBytes.toString(UTF_8));
    assertEquals(1, errBytes.toString(UTF_8).lines().count(), errBytes.toString(UTF_8));
  }

  @Test
  void shouldRunAllUnlessTold() {
    FaultsOptions all = FaultsOptions.parse(List.of());
    assertEquals(List.of(Fault.values()), all.faults());
    assertEquals(List.of(FaultPeer.values()), all.peers());
    FaultsOptions few =
        FaultsOptions.parse(List.of("--only", "nics,kill", "--against", "none", "--json"));
    assertEquals(List.of(Fault.KILL, Fault.NICS), few.faults());
    assertEquals(List.of(FaultPeer.MILLRACE), few.peers());
    assertFalse(Fault.NICS.fits(FaultPeer.GRPC));
  }

  /** The cheapest row: a server stopped for 100 ms, in processes and namespaces. */
  @Test
  void shouldSeeServerPauseAndLeaveNothing() throws Exception {
    String missing = FaultLaboratory.missing();
    assumeTrue(missing.isEmpty(), missing);
    assertEquals(
        0, run("--only pause-100ms --against none --json"), () -> errBytes.toString(UTF_8));
    List<String> lines = outBytes.toString(UTF_8).lines().toList();
    JsonNode json = new ObjectMapper().readTree(lines.getLast());
    assertEquals(1, json.path("rows").size());
    JsonNode row = json.path("rows").path(0);
    assertEquals("pause-100ms", row.path("fault").asText());
    assertEquals("millrace", row.path("peer").asText());
    assertTrue(row.path("lasted_ms").asDouble() >= 100, row::toString);
    // A call begins every 5 ms, so a call began soon after the stop of the server.
    assertTrue(row.path("longest_ok_ms").asDouble() > 50, row::toString);
    assertTrue(row.path("recovered_ms").isNumber(), row::toString);
    assertTrue(lines.stream().anyMatch(each -> each.startsWith("pause-100ms millrace ")));
    String namespaces = Shell.run("ip netns list");
    assertFalse(namespaces.contains("mrfault" + ProcessHandle.current().pid()), namespaces);
  }
}
