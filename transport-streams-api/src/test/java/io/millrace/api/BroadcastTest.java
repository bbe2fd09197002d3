package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.BroadcastWorld.Carriage;
import io.millrace.body.ArraySource;
import io.millrace.testkit.sim.DamageSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** One payload, sealed once, to several peers under virtual time: every byte and every record. */
@Timeout(120)
class BroadcastTest {
  private static final int RECORD_BYTES = 65_536;
  private static final List<Integer> LENGTHS =
      List.of(0, 1, 1_000, 65_517, 65_518, 262_144 - 19, 262_144, 1_000_001);

  private static Stream<Arguments> crowds() {
    return Combinations.of(Carriage.values(), new Integer[] {1, 3, 5});
  }

  @ParameterizedTest
  @MethodSource("crowds")
  void shouldSealOnceAndAllocateOnceForAllPeers(Carriage carriage, int peers) throws Exception {
    for (int length : LENGTHS) {
      BroadcastWorld.run(
          carriage,
          peers,
          "",
          world -> {
            byte[] payload = BodyTest.random(length, length);
            int bodyBytes = length + BroadcastWorld.HEADERS.length;
            int records = (bodyBytes + RECORD_BYTES - 1) / RECORD_BYTES;
            Broadcast broadcast =
                Raw.broadcast(
                    world.sender(),
                    BroadcastWorld.PARCEL,
                    new ArraySource(payload, 0, length),
                    BroadcastWorld.HEADERS,
                    world.all());
            List<DeliveryOutcome> outcomes = world.await(broadcast.outcomes());
            assertEquals(peers, outcomes.size());
            for (int node = 1; node <= peers; node++) {
              DeliveryOutcome outcome = outcomes.get(node - 1);
              assertTrue(outcome.isDelivered(), outcome.text());
              assertEquals(length, outcome.bytes());
              assertEquals(world.nodes.peer(0, node), outcome.peer());
              world.assertGot(node, payload);
            }
            assertEquals(records, world.memory().recordsSealed());
            assertEquals(1, world.memory().allocations());
            assertEquals(records, world.seals.sealed);
            assertEquals(peers * records, world.seals.opened);
            assertCarried(world.seals, carriage, peers, records);
            world.assertNothingKept();
          });
    }
  }

  /**
   * Checks that no bytes went another way; one-sided writes read all bytes from the single copy in
   * memory.
   */
  private static void assertCarried(
      BroadcastWorld.Seals wire, Carriage carriage, int peers, int records) {
    boolean hasBytes = records > 0;
    assertEquals(hasBytes && carriage == Carriage.DATAGRAMS, wire.uncovered > 0);
    assertEquals(carriage == Carriage.WRITES ? peers * records : 0, wire.writes);
    assertEquals(carriage == Carriage.WRITES ? records : 0, wire.sources.size());
  }

  @ParameterizedTest
  @EnumSource
  void shouldSendTheSamePayloadAgainWithoutSealing(Carriage carriage) throws Exception {
    byte[] payload = BodyTest.random(300_000, 5);
    BroadcastWorld.run(
        carriage,
        3,
        "",
        world -> {
          SealedPayload sealed = world.seal(payload);
          assertEquals(payload.length, sealed.payloadBytes());
          assertEquals(1, sealed.refCount());
          world.runFor(2 * BroadcastWorld.SECOND_NS);
          for (int node = 1; node <= 3; node++) {
            Broadcast one =
                Raw.broadcast(
                    world.sender(), BroadcastWorld.PARCEL, sealed, List.of(world.to(node)));
            assertEquals(2, sealed.refCount());
            assertTrue(world.await(one.outcomes()).getFirst().isDelivered());
            world.assertGot(node, payload);
          }
          assertEquals(5, world.memory().recordsSealed());
          assertEquals(1, world.memory().allocations());
          assertEquals(1, sealed.refCount());
          sealed.close();
          sealed.close();
          assertEquals(0, sealed.refCount());
          assertThrows(
              IllegalStateException.class,
              () -> Raw.broadcast(world.sender(), BroadcastWorld.PARCEL, sealed, world.all()));
          world.assertNothingKept();
        });
  }

  @ParameterizedTest
  @EnumSource
  void shouldDeliverEveryByteOverLinksThatLose(Carriage carriage) throws Exception {
    byte[] payload = BodyTest.random(2_000_001, 6);
    LinkSettings link =
        LinkSettings.clean(BroadcastWorld.DELAY_NS).withLoss(LossSettings.random(30_000));
    for (int seed = 1; seed <= 3; seed++) {
      BroadcastWorld.run(
          carriage,
          seed,
          5,
          link,
          "",
          world -> {
            SealedPayload sealed = world.seal(payload);
            Broadcast broadcast =
                Raw.broadcast(world.sender(), BroadcastWorld.PARCEL, sealed, world.all());
            sealed.close();
            for (DeliveryOutcome outcome : world.await(broadcast.outcomes())) {
              assertTrue(outcome.isDelivered(), outcome.text());
            }
            for (int node = 1; node <= 5; node++) {
              world.assertGot(node, payload);
            }
            assertEquals(31, world.memory().recordsSealed());
            world.assertNothingKept();
          });
    }
  }

  /** A source that fails in the middle of its second record. */
  private static final class TornSource implements BodySource {
    private int left = 70_000;

    @Override
    public long lengthBytes() {
      return 100_000;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (left == 0) {
        throw new IOException("torn");
      }
      int count = Math.min(left, length);
      left -= count;
      return count;
    }

    @Override
    public void close() {
      // The source has no memory to release.
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"DATAGRAMS", "WRITES"})
  void shouldRepeatTheSameCiphertextWhereBytesWereSpoilt(Carriage carriage) throws Exception {
    byte[] payload = BodyTest.random(1_500_001, 8);
    LinkSettings link =
        LinkSettings.clean(BroadcastWorld.DELAY_NS)
            .withDamage(new DamageSettings(0, 0, 0, 10_000, 0));
    BroadcastWorld.run(
        carriage,
        5,
        4,
        link,
        "",
        world -> {
          SealedPayload sealed = world.seal(payload);
          Broadcast broadcast =
              Raw.broadcast(world.sender(), BroadcastWorld.PARCEL, sealed, world.all());
          sealed.close();
          for (DeliveryOutcome outcome : world.await(broadcast.outcomes())) {
            assertTrue(outcome.isDelivered(), outcome.text());
          }
          for (int node = 1; node <= 4; node++) {
            world.assertGot(node, payload);
          }
          var counters = world.sender().pool().port(0).counters();
          assertTrue(counters.recordsRepeated > 0 || carriage == Carriage.WRITES);
          assertEquals(23, world.seals.sealed);
          assertEquals(4 * 23, world.seals.opened);
          world.assertNothingKept();
        });
  }

  @Test
  void shouldFailEveryDeliveryWhereThePayloadCannotBeSealed() throws Exception {
    BroadcastWorld.run(
        Carriage.DATAGRAMS,
        2,
        "millrace.transfers.broadcast-pool = 1 MiB",
        world -> {
          assertOutcomes(
              CallOutcome.PAYLOAD_TOO_LARGE, world, new ArraySource(new byte[1 << 20], 0, 1 << 20));
          assertOutcomes(CallOutcome.SOURCE_FAILED, world, new TornSource());
          SealedPayload half = world.seal(new byte[600_000]);
          assertOutcomes(
              CallOutcome.SUBMISSION_FULL, world, new ArraySource(new byte[600_000], 0, 600_000));
          assertThrows(ExecutionException.class, () -> world.seal(new byte[600_000]));
          half.close();
          assertOutcomes(CallOutcome.OK, world, new ArraySource(new byte[600_000], 0, 600_000));
          world.assertNothingKept();
        });
  }

  private static void assertOutcomes(CallOutcome wanted, BroadcastWorld world, BodySource source)
      throws Exception {
    Broadcast broadcast =
        Raw.broadcast(
            world.sender(), BroadcastWorld.PARCEL, source, BroadcastWorld.HEADERS, world.all());
    for (DeliveryOutcome outcome : world.await(broadcast.outcomes())) {
      assertEquals(wanted, outcome.outcome(), outcome.text());
    }
  }

  @Test
  void shouldRefuseAPeerOfAnotherTransport() throws Exception {
    BroadcastWorld.run(
        Carriage.DATAGRAMS,
        2,
        "",
        world -> {
          SealedPayload sealed = world.seal(new byte[10]);
          List<Destination> foreign = List.of(Destination.of(world.nodes.peer(1, 2)));
          assertThrows(
              IllegalArgumentException.class,
              () -> Raw.broadcast(world.sender(), BroadcastWorld.PARCEL, sealed, foreign));
          assertEquals(1, sealed.refCount());
          sealed.close();
        });
  }
}
