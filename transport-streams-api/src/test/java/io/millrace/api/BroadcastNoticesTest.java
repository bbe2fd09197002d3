package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.BroadcastWorld.Carriage;
import io.millrace.body.ArraySource;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A broadcast into many regions of each receiver: the number of notifications to the receivers. */
@Timeout(120)
class BroadcastNoticesTest {
  private static final int RANGE_BYTES = 262_144;
  private static final int RANGES = 8;
  private static final long PAUSE_NS = 20 * BroadcastWorld.MS;
  private static final int RECORDS = 4 * RANGES;
  private static final int PACKETS = 100;
  private static final int LENGTH = RANGES * RANGE_BYTES - BroadcastWorld.HEADERS.length;

  private static Stream<Arguments> regions() {
    // The window is too small for two regions of 256 KiB in one turn as chunks.
    return Stream.of(
        Arguments.of(Carriage.DATAGRAMS, 64),
        Arguments.of(Carriage.WRITES, 64),
        Arguments.of(Carriage.WRITES, 256));
  }

  /** A single notification reports all regions filled in one turn of the sender. */
  @ParameterizedTest
  @MethodSource("regions")
  void shouldNotifyEachReceiverLessOftenThanItsRegionsAreFilled(Carriage carriage, int sizeKiB)
      throws Exception {
    int regions = RANGES * (RANGE_BYTES >> 10) / sizeKiB;
    for (int peers : new int[] {1, 3, 5}) {
      BroadcastWorld.run(
          carriage,
          peers,
          "millrace.regions { sizes = [%d KiB], counts = [64], grant-budget = 4 MiB, per-peer = 4 MiB }"
              .formatted(sizeKiB),
          world -> {
            long notifications = notifications(world);
            assertEquals(peers * RECORDS, world.seals.opened);
            long fills = 0;
            for (int node = 1; node <= peers; node++) {
              var counters = world.nodes.transport(node).pool().port(0).counters();
              assertTrue(counters.fillsConsumed >= regions, counters.fillsConsumed + " fills");
              fills += counters.fillsConsumed;
            }
            assertTrue(notifications < fills, notifications + " for " + fills + " fills");
          });
    }
  }

  private static long notifications(BroadcastWorld world) throws Exception {
    byte[] payload = BodyTest.random(LENGTH, 3);
    BroadcastWorld.Seals wire = world.seals;
    Broadcast broadcast =
        Raw.broadcast(
            world.sender(),
            BroadcastWorld.PARCEL,
            new ArraySource(payload, 0, LENGTH),
            BroadcastWorld.HEADERS,
            world.all());
    // The sender sees all events of the meantime, acknowledgements or completions, in one turn.
    world.nodes.simulation.runUntil(
        () -> wire.writes >= RECORDS / 2 || wire.uncovered >= PACKETS, BroadcastWorld.SECOND_NS);
    world.nodes.cluster.node(0).pause(PAUSE_NS);
    for (DeliveryOutcome outcome : world.await(broadcast.outcomes())) {
      assertTrue(outcome.isDelivered(), outcome.text());
    }
    return world.sender().pool().port(0).counters().notificationsSent;
  }
}
