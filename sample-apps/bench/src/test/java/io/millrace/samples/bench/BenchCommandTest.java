package io.millrace.samples.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.samples.bench.peer.Workload;
import io.millrace.samples.cli.Main;
import io.millrace.testkit.Repetitions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
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
        "--baseline",
        "--baseline /nowhere",
        "--workload unary_rate_7B",
        "--rounds 0",
        "--rounds many",
        "--seconds -1",
        "--warmup NaN",
        "--frobnicate",
        "broadcast --peers 0",
        "--handshake tsl",
        "--handshake tls,tls",
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
  void shouldBeACommandOfTheTool() {
    PrintStream out = new PrintStream(outBytes, true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(errBytes, true, StandardCharsets.UTF_8);
    assertEquals(2, Main.run(List.of("bench", "none"), out, err));
    assertEquals("", out());
    assertEquals(
        List.of(
            "bench: unknown command 'none'; commands are: broadcast, burst, faults, start, and none"
                + " to compare with peers; see 'millrace bench --help'"),
        err().lines().toList());
  }

  @Test
  void shouldExplainItself() {
    assertEquals(0, run("--help"));
    assertTrue(out().contains("--against"));
    assertEquals("", err());
  }

  static Stream<Arguments> chosen() {
    return Repetitions.chosen(
        1,
        List.of(
            Arguments.of("aeron-mtu8k", Workload.UNARY_RATE_32B_256, "ops_per_s"),
            Arguments.of("aeron-mtu8k", Workload.BULK, "bytes_per_s"),
            Arguments.of("floor-pieces", Workload.BULK, "bytes_per_s"),
            Arguments.of("floor-rtt", Workload.UNARY_RTT_32B, "ns"),
            Arguments.of("grpc", Workload.UNARY_RATE_32B_256, "ops_per_s"),
            Arguments.of("grpc", Workload.BULK, "bytes_per_s"),
            Arguments.of("rsocket", Workload.UNARY_RATE_32B_256, "ops_per_s"),
            Arguments.of("rsocket", Workload.BULK, "bytes_per_s")));
  }

  /** A single measurement with each commit: every process touches the whole of its heap first. */
  @ParameterizedTest
  @MethodSource("chosen")
  void shouldMeasureAPeerInProcessesOfItsOwn(String peer, Workload workload, String unit)
      throws Exception {
    JsonNode report = measured(List.of(workload), "--against", peer);
    assertEquals(Set.of(peer), peersOf(workload, unit, report));
  }

  @Test
  @Tag("soak")
  void shouldMeasureEveryPeerInProcessesOfItsOwn() throws Exception {
    JsonNode report =
        measured(List.of(Workload.UNARY_RATE_32B_256, Workload.BULK, Workload.BULK_1400B));
    assertEquals(
        Set.of("aeron", "aeron-mtu1408", "aeron-mtu8k", "grpc", "grpc-plaintext", "rsocket"),
        peersOf(Workload.UNARY_RATE_32B_256, "ops_per_s", report));
    Set<String> bulk =
        Set.of("floor", "floor-pieces", "floor-pipelined", "grpc", "grpc-plaintext", "rsocket");
    assertEquals(with(bulk, "aeron-mtu8k"), peersOf(Workload.BULK, "bytes_per_s", report));
    assertEquals(with(bulk, "aeron-mtu1408"), peersOf(Workload.BULK_1400B, "bytes_per_s", report));
  }

  @Test
  @Tag("soak")
  void shouldMeasureHandshakesBesideEachOther() throws Exception {
    JsonNode report =
        measured(
            List.of(Workload.UNARY_RATE_32B_256), "--against", "none", "--handshake", "psk,tls");
    assertEquals(Set.of("millrace-tls"), peersOf(Workload.UNARY_RATE_32B_256, "ops_per_s", report));
    assertTrue(report.at("/peers/0/settings").asText().contains("a handshake by psk"));
    assertTrue(report.at("/peers/1/settings").asText().contains("a handshake by tls"));
  }

  /** Returns the report of a short run, which left no process. */
  private JsonNode measured(List<Workload> workloads, String... more) throws Exception {
    String labels = workloads.stream().map(Workload::label).collect(Collectors.joining(","));
    List<String> args = new ArrayList<>(List.of("--workload", labels));
    args.addAll(List.of("--rounds", "1", "--seconds", "0.1", "--warmup", "0", "--json"));
    args.addAll(List.of(more));

    assertEquals(0, run(args.toArray(String[]::new)), err());

    JsonNode report = new ObjectMapper().readTree(out().lines().toList().getLast());
    for (JsonNode peer : report.get("peers")) {
      assertFalse(peer.get("settings").asText().isBlank());
      assertFalse(peer.get("threads").asText().isBlank());
    }
    assertEquals(List.of(), childrenLeft());
    return report;
  }

  private static Set<String> with(Set<String> peers, String peer) {
    Set<String> all = new HashSet<>(peers);
    all.add(peer);
    return all;
  }

  /** Returns the other peers of a workload and the best of families, each a whole row. */
  private static Set<String> peersOf(Workload workload, String unit, JsonNode report) {
    Set<String> peers = new HashSet<>();
    for (JsonNode row : report.get("rows")) {
      if (row.get("name").asText().equals(workload.label())) {
        peers.add(row.get("peer").asText());
        assertEquals(unit, row.get("unit").asText());
        assertEquals(unit.equals("ns") ? "lower" : "higher", row.get("better").asText());
        assertTrue(row.get("value").asDouble() > 0, row.toString());
        assertTrue(row.has("millrace") && row.has("ratio"), row.toString());
        assertFalse(row.get("client_threads").isEmpty(), row.toString());
        assertFalse(row.get("server_threads").isEmpty(), row.toString());
      }
    }
    return peers;
  }

  private static List<String> childrenLeft() {
    return ProcessHandle.current()
        .descendants()
        .map(child -> child.info().commandLine().orElse(""))
        .filter(line -> line.contains(ChildMain.class.getName()))
        .toList();
  }
}
