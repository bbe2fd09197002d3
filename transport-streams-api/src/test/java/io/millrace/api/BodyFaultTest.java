package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.actor.peer.PathCounters;
import io.millrace.testkit.driver.ImpairedDriver;
import io.millrace.testkit.driver.Impairment;
import io.millrace.udp.nio.NioUdpProvider;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bodies over sockets whose receivers lose, double, swap and corrupt datagrams by a seed, on both
 * sides; the last column corrupts what only the tag of a record tells.
 */
@Timeout(120)
class BodyFaultTest {
  @ParameterizedTest
  @CsvSource({
    "0,0,0,0,0",
    "1,0,0,0,0",
    "5,0,0,0,0",
    "20,0,0,0,0",
    "0,20,0,0,0",
    "0,0,20,0,0",
    "0,0,0,0,1",
    "0,0,0,0,5",
    "5,5,5,5,2"
  })
  void shouldMoveEveryByteRightAndKeepNothing(
      int loss, int duplication, int reordering, int corruption, int payloadCorruption)
      throws Exception {
    Impairment impairment =
        new Impairment(42, loss, duplication, reordering, 8, corruption, payloadCorruption);
    ImpairedDriver driver = new ImpairedDriver(new NioUdpProvider(), impairment);
    try (TwoNodes nodes =
        new TwoNodes("", builder -> builder.driver(driver), builder -> builder.driver(driver))) {
      CheckedBodies.make(nodes, impairment.toString());
      PathCounters client = CheckedBodies.counters(nodes.client);
      PathCounters server = CheckedBodies.counters(nodes.server);
      if (loss > 0) {
        assertTrue(client.chunkBytesRetransmitted > 0 && server.chunkBytesRetransmitted > 0);
      }
      assertEquals(payloadCorruption > 0, client.recordsRepeated > 0);
      assertEquals(payloadCorruption > 0, server.recordsRepeated > 0);
      if (payloadCorruption == 0) {
        // Else tokens are revoked for repairs, and what was on its way under them is refused.
        assertEquals(0, client.writesRejected + server.writesRejected);
      }
    }
    assertEquals(
        payloadCorruption > 0,
        driver.counters().stream().anyMatch(each -> each.payloadsCorrupted > 0));
  }
}
