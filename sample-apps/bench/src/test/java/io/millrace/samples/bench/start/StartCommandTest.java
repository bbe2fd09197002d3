package io.millrace.samples.bench.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StartCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) throws Exception {
    return StartCommand.run(
        List.of(args),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @Test
  void shouldRefuseFewerNodesThanItsMediansLeaveOut() throws Exception {
    assertEquals(2, run("--nodes", "10"));

    assertEquals(1, err.toString(StandardCharsets.UTF_8).lines().count());
    assertEquals(0, out.size());
  }

  @Test
  @Tag("soak")
  void shouldTellWhatNodesTook() throws Exception {
    assertEquals(0, run("--nodes", "12", "--idle", "2", "--load", "1", "--rest", "1", "--json"));

    String last = out.toString(StandardCharsets.UTF_8).lines().reduce("", (_, line) -> line);
    JsonNode told = new ObjectMapper().readTree(last);
    assertEquals(12, told.at("/own/nodes").size());
    assertEquals(12, told.at("/own/systems").size());
    assertEquals(12, told.at("/shared/nodes").size());
    assertEquals(2, told.at("/resting/nodes").size());
    JsonNode loaded = told.at("/loaded/nodes");
    double heapKib = loaded.get(loaded.size() - 1).get("heapKib").asDouble();
    double outsideMib = loaded.get(loaded.size() - 1).get("outsideMib").asDouble();
    assertTrue(heapKib - loaded.get(0).get("heapKib").asDouble() <= 5 << 10, loaded::toString);
    assertTrue(outsideMib - loaded.get(0).get("outsideMib").asDouble() <= 20, loaded::toString);
    for (JsonNode row : told.at("/own/nodes")) {
      assertTrue(row.get("wallMs").asDouble() > 0, row::toString);
      assertTrue(row.get("threads").asInt() > 1, row::toString);
      assertTrue(row.get("heapKib").asLong() > 0, row::toString);
    }
  }
}
