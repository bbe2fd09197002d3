package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.driver.Impairment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Receivers that lose, double, swap and corrupt datagrams by a seed, on sockets and simulated: the
 * same faults, the same checks.
 */
@Timeout(120)
class FaultyNetworkTest {
  private static Stream<Arguments> worldsAndFaults() {
    List<Impairment> faults =
        List.of(
            percent(0, 0, 0, 0),
            percent(1, 0, 0, 0),
            percent(5, 0, 0, 0),
            percent(20, 0, 0, 0),
            percent(0, 20, 20, 0),
            percent(5, 5, 5, 5));
    return Combinations.dealt(World.values(), faults.toArray());
  }

  private static Impairment percent(int loss, int duplication, int reordering, int corruption) {
    return new Impairment(42, loss, duplication, reordering, 8, corruption);
  }

  @ParameterizedTest
  @MethodSource("worldsAndFaults")
  void shouldCompleteEveryCallRightAndExecuteItOnce(World world, Impairment faults)
      throws Exception {
    world.run(
        faults,
        (nodes, driver) -> {
          CheckedCalls.make(nodes, world + " " + faults);
          assertTrue(
              faults.lossPercent() + faults.corruptionPercent() == 0
                  || CheckedCalls.framesSentAgain(nodes) > 0);
          assertTrue(
              faults.duplicationPercent() == 0
                  || duplicates(nodes.client()) + duplicates(nodes.server()) > 0);
        });
  }

  private static long duplicates(Transport transport) {
    return transport.snapshot().workers().getFirst().packets().duplicatesDropped();
  }
}
