package io.millrace.samples.bench.burst;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.samples.bench.burst.shape.PlannedShape;
import io.millrace.samples.process.Shell;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("soak")
class BurstSoakTest {
  private static final String ARGUMENTS =
      "--transfers 200 --peers 8 --processes 2 --size 8KiB --against tcp,grpc,udp_naive --json";

  private static final String PAXOS =
      "--preset paxos --peers 8 --processes 2 --fanout 400 --in-flight 16,0 --warm-up 0"
          + " --against none --json";
  private static final String SHAPES =
      "--preset shapes --peers 8 --processes 2 --transfers 200 --json";

  /** Connections exist before the transactions, so a key more would be a key of a call. */
  @Test
  void shouldDecideEverySmallTransactionWithoutAKeyOfACall() throws Exception {
    JsonNode report = run(PAXOS);
    assertEquals(2, report.path("cells").size());
    for (JsonNode cell : report.path("cells")) {
      assertTrue(cell.path("quorum_ms").asDouble() > 0, cell.toString());
      assertEquals(0, cell.path("failed").asInt(), cell.toString());
      assertEquals(0.0, cell.at("/per_call/receiver_keys_derived").asDouble(-1), cell.toString());
      assertEquals(0.0, cell.at("/per_call/senders_keys_derived").asDouble(-1), cell.toString());
    }
  }

  @Test
  void shouldRunEveryShapeInSmall() throws Exception {
    JsonNode rows = run(SHAPES).path("rows");
    assertEquals(PlannedShape.all().size(), rows.size());
    for (JsonNode row : rows) {
      assertEquals(1.0, row.path("done").asDouble(), row.toString());
      assertTrue(row.path("spread").asDouble() >= 1, row.toString());
      assertTrue(row.path("packets_per_transfer").asDouble() >= 1, row.toString());
    }
  }

  @Test
  void shouldBringEveryTransferThroughTheBottleneckAndLeaveNoNamespace() throws Exception {
    JsonNode rows = run(ARGUMENTS);
    assertEquals(8, rows.path("rows").size());
    for (JsonNode row : rows.path("rows")) {
      if (!row.path("peer").asText().equals("udp_naive")) {
        assertEquals(1.0, row.path("done").asDouble(), row.toString());
        assertEquals(0, row.path("failed").asInt(), row.toString());
      }
    }
    String namespaces = Shell.run("ip netns list");
    assertFalse(namespaces.contains("mrburst" + ProcessHandle.current().pid()), namespaces);
  }

  /** The report of a run, which needs a laboratory. */
  private static JsonNode run(String arguments) throws Exception {
    String missing = Laboratory.missing();
    assumeTrue(missing.isEmpty(), missing);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    BurstCommand.run(List.of(arguments.split(" ")), new PrintStream(said, true, UTF_8), System.err);
    return new ObjectMapper().readTree(said.toString(UTF_8).lines().toList().getLast());
  }
}
