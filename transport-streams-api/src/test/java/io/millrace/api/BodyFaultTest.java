package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.driver.ImpairedDriver;
import io.millrace.testkit.internal.driver.Impairment;
import io.millrace.testkit.internal.driver.ImpairmentCounters;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bodies on their way to receivers that lose, double, swap and corrupt datagrams by a seed, on both
 * sides, on sockets and simulated. The last figure corrupts bytes that only the tag of a record
 * protects.
 */
@Timeout(120)
class BodyFaultTest {
  private static Stream<Arguments> worldsAndFaults() {
    List<Impairment> faults =
        List.of(
            percent(0, 0, 0, 0, 0),
            percent(1, 0, 0, 0, 0),
            percent(5, 0, 0, 0, 0),
            percent(20, 0, 0, 0, 0),
            percent(0, 20, 0, 0, 0),
            percent(0, 0, 20, 0, 0),
            percent(0, 0, 0, 0, 1),
            percent(0, 0, 0, 0, 5),
            percent(5, 5, 5, 5, 2));
    return Combinations.dealt(World.values(), faults.toArray());
  }

  private static Impairment percent(
      int loss, int duplication, int reordering, int corruption, int payloadCorruption) {
    return new Impairment(42, loss, duplication, reordering, 8, corruption, payloadCorruption);
  }

  @ParameterizedTest
  @MethodSource("worldsAndFaults")
  void shouldMoveEveryByteRightAndKeepNothing(World world, Impairment faults) throws Exception {
    world.run(faults, (nodes, driver) -> check(world, faults, nodes, driver));
  }

  private static void check(World world, Impairment faults, NodePair nodes, ImpairedDriver driver)
      throws Exception {
    CheckedBodies.make(nodes, world + " " + faults);
    WorkerSnapshot.Records client = CheckedBodies.counted(nodes.client()).records();
    WorkerSnapshot.Records server = CheckedBodies.counted(nodes.server()).records();
    if (faults.lossPercent() > 0) {
      assertTrue(client.chunkBytesRetransmitted() > 0 && server.chunkBytesRetransmitted() > 0);
    }
    boolean isCorrupting = faults.payloadCorruptionPercent() > 0;
    assertEquals(isCorrupting, client.repeated() > 0);
    assertEquals(isCorrupting, server.repeated() > 0);
    assertOnlyRevokedIsRefused(nodes.client());
    assertOnlyRevokedIsRefused(nodes.server());
    nodes.close();
    assertHappened(driver, faults.lossPercent(), each -> each.lost);
    assertHappened(driver, faults.duplicationPercent(), each -> each.duplicated);
    assertHappened(driver, faults.reorderPercent(), each -> each.reordered);
    assertHappened(driver, faults.corruptionPercent(), each -> each.corrupted);
    assertHappened(driver, faults.payloadCorruptionPercent(), each -> each.payloadsCorrupted);
  }

  /** Checks that the wanted impairments happened at each endpoint, and no other impairments. */
  private static void assertHappened(
      ImpairedDriver driver, double percent, ToLongFunction<ImpairmentCounters> counter) {
    List<Long> counts = driver.counters().stream().map(counter::applyAsLong).toList();
    assertFalse(counts.isEmpty());
    assertTrue(counts.stream().allMatch(count -> count > 0 == percent > 0), counts.toString());
  }

  /**
   * Checks that a write was refused only if the node had revoked its token for other peers while
   * the write was under way.
   */
  private static void assertOnlyRevokedIsRefused(Transport transport) {
    var regions = Objects.requireNonNull(transport.pool().port(0).regions()).counters();
    long refused = CheckedBodies.counted(transport).regions().writesRejected();
    assertTrue(refused == 0 || regions.revokedUnderPressure() > 0, "refused " + refused);
  }
}
