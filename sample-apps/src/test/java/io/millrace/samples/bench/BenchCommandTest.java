package io.millrace.samples.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BenchCommandTest {
  private final ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
  private final ByteArrayOutputStream errBytes = new ByteArrayOutputStream();

  private int run(String... args) {
    return BenchCommand.run(
        List.of(args),
        new PrintStream(outBytes, true, StandardCharsets.UTF_8),
        new PrintStream(errBytes, true, StandardCharsets.UTF_8));
  }

  private String out() {
    return outBytes.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return errBytes.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--against pigeon",
        "--against millrace",
        "--against",
        "--workload unary_rate_7B",
        "--rounds 0",
        "--rounds many",
        "--seconds -1",
        "--warmup NaN",
        "--frobnicate",
        "broadcast --peers 0",
        "broadcast --size",
        "broadcast --rounds many",
        "broadcast --crowd --peers 3",
        "broadcast --against grpc"
      })
  void shouldRefuseBadArgumentsInOneLine(String line) {
    assertEquals(2, run(line.split(" ", -1)));
    assertEquals("", out());
    assertEquals(1, err().lines().count(), err());
    assertTrue(err().startsWith("bench: "), err());
    String option = line.replace("broadcast ", "").split(" ", -1)[0];
    assertTrue(err().contains(option), err());
  }

  @Test
  void shouldExplainItself() {
    assertEquals(0, run("--help"));
    assertTrue(out().contains("--against"));
    assertEquals("", err());
  }

  @Test
  void shouldMeasureEveryPeerInProcessesOfItsOwn() throws Exception {
    String workload = Workload.UNARY_RATE_32B_256.label();
    int exitCode =
        run("--workload", workload, "--rounds", "1", "--seconds", "0.1", "--warmup", "0", "--json");

    assertEquals(0, exitCode, err());
    String[] lines = out().split(System.lineSeparator(), -1);
    JsonNode report = new ObjectMapper().readTree(lines[lines.length - 2]);
    List<String> peers = new ArrayList<>();
    for (JsonNode row : report.get("rows")) {
      peers.add(row.get("peer").asText());
      assertEquals(workload, row.get("name").asText());
      assertEquals("ops_per_s", row.get("unit").asText());
      assertEquals("higher", row.get("better").asText());
      assertTrue(row.get("value").asDouble() > 0, row.toString());
      assertTrue(row.has("millrace") && row.has("ratio"), row.toString());
      assertFalse(row.get("client_threads").isEmpty(), row.toString());
      assertFalse(row.get("server_threads").isEmpty(), row.toString());
    }
    assertEquals(
        List.of("aeron", "aeron-mtu1408", "aeron-mtu8k", "grpc", "grpc-plaintext", "rsocket"),
        peers.stream().filter(name -> !name.startsWith("millrace")).toList());
    for (JsonNode peer : report.get("peers")) {
      assertFalse(peer.get("settings").asText().isBlank());
      assertFalse(peer.get("threads").asText().isBlank());
    }
    assertEquals(List.of(), childrenLeft());
  }

  @Test
  void shouldVerifyAndMeasureBulkOfEveryPeer() throws Exception {
    String workloads = Workload.BULK.label() + "," + Workload.BULK_1400B.label();
    int exitCode =
        run(
            "--against",
            "floor,grpc,rsocket,aeron",
            "--workload",
            workloads,
            "--rounds",
            "1",
            "--seconds",
            "0.1",
            "--warmup",
            "0",
            "--json");

    assertEquals(0, exitCode, err());
    String[] lines = out().split(System.lineSeparator(), -1);
    JsonNode report = new ObjectMapper().readTree(lines[lines.length - 2]);
    List<String> rows = new ArrayList<>();
    for (JsonNode row : report.get("rows")) {
      rows.add(row.get("name").asText() + " " + row.get("variant").asText());
      assertEquals("bytes_per_s", row.get("unit").asText());
      assertEquals("higher", row.get("better").asText());
      assertTrue(row.get("value").asDouble() > 0, row.toString());
    }
    for (String name : List.of("floor-pieces", "floor-pipelined", "grpc", "rsocket")) {
      assertTrue(rows.contains("bulk_bytes_per_s " + name), rows.toString());
      assertTrue(rows.contains("bulk_bytes_per_s_1400B " + name), rows.toString());
    }
    assertTrue(rows.contains("bulk_bytes_per_s aeron-mtu8k"), rows.toString());
    assertTrue(rows.contains("bulk_bytes_per_s_1400B aeron-mtu1408"), rows.toString());
  }

  private static List<String> childrenLeft() {
    return ProcessHandle.current()
        .descendants()
        .map(child -> child.info().commandLine().orElse(""))
        .filter(line -> line.contains(ChildMain.class.getName()))
        .toList();
  }
}
