package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code --metrics} and {@code top}, with a node under calls. */
@Timeout(60)
class TopCommandTest {
  @TempDir private static Path folder;

  @BeforeAll
  static void tickOften() {
    System.setProperty("kamon.metric.tick-interval", "50ms");
    ConfigFactory.invalidateCaches();
  }

  /** Returns an address that was free a moment ago. */
  private static String freeAddress() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + socket.getLocalPort();
    }
  }

  @Test
  void shouldShowTheNodeThatIsCalledAndTheOneThatIsNot() throws Exception {
    String metrics = freeAddress();
    String nobody = freeAddress();
    String[] certs = {"--certs", LocalCertificates.in(folder).path()};
    try (NodeInThread node = NodeInThread.start("--metrics", metrics, certs[0], certs[1])) {
      Thread load =
          Thread.ofPlatform()
              .start(
                  () ->
                      CommandRun.of(
                          "perf", node.address(), "--duration", "60", certs[0], certs[1]));
      JsonNode served;
      try {
        do { // until all rates show the load, each by its own interval; the test has a time limit
          CommandRun run = CommandRun.of("top", metrics, "--once", "--json");
          assertEquals(0, run.exitCode(), run.err()::toString);
          served = run.json().at("/nodes/0");
        } while (served.at("/served_per_s").asDouble() == 0
            || served.at("/workers/0/packets_received_per_s").asDouble() == 0
            || served.at("/nics/0/sent_bytes_per_s").asDouble() == 0);
      } finally {
        load.interrupt();
      }
      assertEquals(metrics, served.at("/node").asText());

      CommandRun both = CommandRun.of("top", nobody + "," + metrics, "--once");
      assertEquals(1, both.exitCode());
      String down = nobody + " ".repeat(22 - nobody.length()) + " DOWN: connection refused, for ";
      assertTrue(both.out().get(1).startsWith(down), both.out()::toString);
      assertTrue(both.out().get(2).startsWith(metrics), both.out()::toString);

      CommandRun second = CommandRun.of("serve", "--listen", "127.0.0.1:0", "--metrics", metrics);
      assertEquals(2, second.exitCode());
      assertEquals(
          "millrace serve: --metrics: cannot listen at " + metrics + ": Address already in use",
          second.err().getLast());
      load.join();
    }
  }

  @Test
  void shouldGoOnThoughTheHostOfANodeIsUnknown() {
    CommandRun run = CommandRun.of("top", "--once", "--json", "no.such.invalid:1");
    JsonNode node = run.json().get("nodes").get(0);
    assertEquals("its host is unknown", node.get("reason").asText());
    assertEquals(1, run.exitCode(), "it did not answer");
  }
}
