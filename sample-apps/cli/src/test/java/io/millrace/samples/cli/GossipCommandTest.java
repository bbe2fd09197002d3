package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.samples.gossip.LatencyClass;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The sample with all its validators in this process, on addresses that only Linux has. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux has all of 127.0.0.0/8")
class GossipCommandTest {
  private static final int PEERS = 40;
  private static final int ROUNDS = 5;

  @TempDir Path folder;

  @Test
  void shouldCountTheVotesOfFortyValidatorsOfFourClasses() throws Exception {
    Path pins =
        Files.writeString(
            folder.resolve("pins.conf"),
            """
            millrace.peers = [
              { address = "127.1.0.0/16", drivers = [udp-nio, udp], fall-back = on }
              { address = "127.4.0.0/16", drivers = [udp-nio] }
            ]
            """);
    CommandRun run =
        CommandRun.of(
            "gossip",
            "run",
            "--json",
            "--driver",
            "udp-nio",
            "--rounds",
            "" + ROUNDS,
            "--requests",
            "3",
            "--block-bytes",
            "20000",
            "--config",
            pins.toString(),
            "--handshake",
            "psk");

    assertEquals(0, run.exitCode(), run.err().toString());
    JsonNode report = run.json();
    assertEquals(PEERS, report.path("peers").asInt());
    assertEquals(27, report.path("quorum").asInt());
    assertEquals(PEERS * ROUNDS, report.path("votes").asInt());
    assertEquals(ROUNDS, report.at("/aggregation_ns/count").asInt());
    assertEquals(ROUNDS, report.at("/quorum_ns/count").asInt());
    // A validator of the class world waits 40 ms before its vote; the first 27 votes need no such
    // validator.
    assertTrue(report.at("/aggregation_ns/p50").asLong() >= 40_000_000, report.toString());
    int[] mix = {5, 20, 5, 10};
    for (int i = 0; i < mix.length; i++) {
      JsonNode each = report.path("classes").path(i);
      assertEquals(mix[i], each.path("peers").asInt());
      assertEquals(mix[i] * ROUNDS, each.at("/vote_ns/count").asInt());
      assertEquals(mix[i] * 3, each.at("/block_ns/count").asInt());
    }
    checkPicksAndVerbs(report);
  }

  private static void checkPicksAndVerbs(JsonNode report) {
    assertEquals(PEERS, report.path("picks").size());
    JsonNode rack = report.path("picks").path(0);
    assertEquals("[\"udp-nio\",\"udp\"]", rack.path("order").toString());
    assertTrue(rack.path("pinned").asBoolean());
    assertEquals("udp-nio", rack.path("driver").asText());
    // A block too large for a packet is written into the leader's memory: by chunks, over UDP.
    assertTrue(report.at("/verbs/votes/messages_sent").asLong() >= 2 * PEERS * ROUNDS, "votes");
    assertTrue(report.at("/verbs/blocks/messages_sent").asLong() >= 3 * PEERS * 3, "blocks");
    assertEquals(0, report.at("/verbs/blocks/one_sided_writes").asLong());
    JsonNode center = report.path("picks").path(6);
    assertEquals("center", center.path("class").asText());
    assertEquals("[\"udp-nio\"]", center.path("order").toString());
    assertTrue(!center.path("pinned").asBoolean());
  }

  @Test
  void shouldShareDriversByDistance() {
    List<String> all = List.of("shm", "tcp", "udp");
    assertEquals(all, LatencyClass.RACK.share(all));
    assertEquals(List.of("tcp", "udp"), LatencyClass.CENTER.share(all));
    assertEquals(List.of("tcp", "udp"), LatencyClass.CENTER.share(List.of("tcp", "udp")));
    assertEquals(List.of("udp"), LatencyClass.CENTER.share(List.of("udp")));
    assertEquals(List.of("udp"), LatencyClass.CONTINENT.share(all));
    assertEquals(List.of("udp"), LatencyClass.WORLD.share(all));
  }

  /** Validator 0 is in the rack, 1 to 4 in the data center, 5 on the continent, 6 and 7 beyond. */
  @Test
  void shouldPickADriverForEachPeerByWhatBothHaveAndWhatIsPinned() throws Exception {
    Path pins =
        Files.writeString(
            folder.resolve("pins.conf"),
            """
            millrace.peers = [
              { address = "127.2.0.2", drivers = ["udp-nio", "fabric:none"] }
              { address = "127.2.0.3", drivers = ["fabric:none", "udp-nio"] }
              { address = "127.2.0.4", drivers = ["fabric:none"], fall-back = on }
              { address = "127.2.0.5", drivers = ["fabric:none"] }
            ]
            """);
    CommandRun run =
        CommandRun.of(
            "gossip",
            "locality",
            "--json",
            "--peers",
            "8",
            "--drivers",
            "udp,udp-nio",
            "--config",
            pins.toString(),
            "--handshake",
            "psk");

    // A validator has a pin that leads nowhere: this validator is not reached, and the others are.
    assertEquals(1, run.exitCode(), run.err().toString());
    JsonNode report = run.json();
    assertEquals(7, report.path("votes").asInt(), report.toString());
    assertEquals(1, report.path("not_reached").size());
    JsonNode picks = report.path("picks");
    String[] wanted = {
      "udp the best that both have",
      "udp-nio pinned",
      "udp-nio pinned; not there: fabric:none",
      "udp fell back: no pinned driver leads there",
      " not reached",
      "udp the best that both have",
      "udp the best that both have",
      "udp the best that both have"
    };
    for (int i = 0; i < wanted.length; i++) {
      JsonNode pick = picks.path(i);
      assertEquals(wanted[i], pick.path("driver").asText() + " " + pick.path("why").asText());
    }
    String lost = picks.path(4).path("validator").asText();
    String why = report.path("not_reached").path(lost).asText();
    assertTrue(why.contains("share no driver"), why);
  }

  @Test
  void shouldSayWhatIsWrongWithAClass() {
    CommandRun run = CommandRun.of("gossip", "run", "--validators", "127.0.0.1:1=moon");

    assertEquals(2, run.exitCode());
    assertTrue(run.err().getFirst().contains("not 'moon'"), run.err().toString());
  }
}
