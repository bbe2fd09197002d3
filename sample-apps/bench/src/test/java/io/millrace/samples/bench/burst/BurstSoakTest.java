package io.millrace.samples.bench.burst;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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

  @Test
  void shouldBringEveryTransferThroughTheBottleneckAndLeaveNoNamespace() throws Exception {
    String missing = Laboratory.missing();
    assumeTrue(missing.isEmpty(), missing);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    BurstCommand.run(List.of(ARGUMENTS.split(" ")), new PrintStream(said, true, UTF_8), System.err);
    JsonNode rows = new ObjectMapper().readTree(said.toString(UTF_8).lines().toList().getLast());
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
}
