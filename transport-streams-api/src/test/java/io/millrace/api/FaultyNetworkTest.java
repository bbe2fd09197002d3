package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverProvider;
import io.millrace.testkit.driver.ImpairedDriver;
import io.millrace.testkit.driver.Impairment;
import io.millrace.udp.nio.NioUdpProvider;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real sockets whose receivers lose, double, swap and corrupt datagrams by a seed. */
@Timeout(120)
class FaultyNetworkTest {
  @ParameterizedTest
  @CsvSource({"0,0,0,0", "1,0,0,0", "5,0,0,0", "20,0,0,0", "0,20,20,0", "5,5,5,5"})
  void shouldCompleteEveryCallRightAndExecuteItOnce(
      int loss, int duplication, int reordering, int corruption) throws Exception {
    Impairment impairment = new Impairment(42, loss, duplication, reordering, 8, corruption);
    DriverProvider driver = new ImpairedDriver(new NioUdpProvider(), impairment);
    try (TwoNodes nodes =
        new TwoNodes("", builder -> builder.driver(driver), builder -> builder.driver(driver))) {
      CheckedCalls.make(nodes, impairment.toString());
      assertTrue(loss + corruption == 0 || CheckedCalls.framesSentAgain(nodes) > 0);
      assertTrue(duplication == 0 || duplicates(nodes.client) + duplicates(nodes.server) > 0);
    }
  }

  private static long duplicates(Transport transport) {
    return transport.snapshot().workers().getFirst().packets().duplicatesDropped();
  }
}
