package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverProvider;
import io.millrace.event.RecordingEvents;
import io.millrace.udp.linux.LinuxUdpProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real sockets with a kernel that drops a random share of the datagrams to both sides. Linux only.
 */
@Timeout(120)
class ReceiveLossTest {
  private static final String PROPERTY = "millrace.udp.receiveLossPercent";

  private final DriverProvider driver = new LinuxUdpProvider();

  @AfterEach
  void loseNothing() {
    System.clearProperty(PROPERTY);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 20})
  void shouldCompleteEveryCallRightAndExecuteItOnce(int percent) throws Exception {
    if (driver.probe() instanceof DriverAvailability.Unavailable unavailable) {
      skip("the driver of Linux is not usable here: " + unavailable.reason());
    }
    System.setProperty(PROPERTY, String.valueOf(percent));
    // The smallest datagram size gives the largest number of datagrams, so a loss of 1 % surely
    // drops a few.
    try (TwoNodes nodes =
        new TwoNodes(
            "millrace.nic.max-datagram = 1200",
            builder -> builder.driver(driver),
            builder -> builder.driver(driver))) {
      assertFilter(nodes, nodes.serverEvents(), percent);
      assertFilter(nodes, nodes.clientEvents(), percent);
      CheckedCalls.make(nodes, percent + " % lost by the kernel");
      assertEquals("udp", nodes.client.snapshot().driver());
      assertTrue(percent == 0 || CheckedCalls.framesSentAgain(nodes) > 0, "nothing was lost");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void shouldMoveEveryByteOfBodiesRight(int percent) throws Exception {
    if (driver.probe() instanceof DriverAvailability.Unavailable unavailable) {
      skip("the driver of Linux is not usable here: " + unavailable.reason());
    }
    System.setProperty(PROPERTY, String.valueOf(percent));
    try (TwoNodes nodes =
        new TwoNodes("", builder -> builder.driver(driver), builder -> builder.driver(driver))) {
      assertFilter(nodes, nodes.serverEvents(), percent);
      assertFilter(nodes, nodes.clientEvents(), percent);
      CheckedBodies.make(nodes, percent + " % lost by the kernel");
      assertTrue(CheckedBodies.counted(nodes.client).records().chunkBytesRetransmitted() > 0);
      assertTrue(CheckedBodies.counted(nodes.server).records().chunkBytesRetransmitted() > 0);
    }
  }

  private static void assertFilter(TwoNodes nodes, RecordingEvents events, int percent) {
    assertTrue(
        nodes.awaitUntil(
            () ->
                percent == 0
                    || events.lines().stream().anyMatch(line -> line.contains("receive loss"))),
        () -> events.lines().toString());
    String lines = String.join("\n", events.lines());
    if (lines.contains("receive loss not available here")) {
      skip("this kernel takes no filter: " + lines);
    }
    assertEquals(percent > 0, lines.contains("receive loss: " + percent + ".0 %"), lines);
  }

  private static void skip(String reason) {
    System.err.println("SKIPPED ReceiveLossTest: " + reason);
    abort(reason);
  }
}
