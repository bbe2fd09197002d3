package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.BroadcastWorld.Carriage;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many payloads in one allocation, as the entries of a replicated log. */
@Timeout(120)
class BroadcastBatchTest {
  private static final int ENTRIES = 100;
  private static final int ENTRY_BYTES = 8 << 10;

  private static List<byte[]> entries(int... lengths) {
    List<byte[]> entries = new ArrayList<>();
    for (int length : lengths) {
      entries.add(BodyTest.random(length, entries.size() + 1));
    }
    return entries;
  }

  private static List<byte[]> log() {
    int[] lengths = new int[ENTRIES];
    Arrays.fill(lengths, ENTRY_BYTES);
    return entries(lengths);
  }

  private static List<SealedPayload> seal(BroadcastWorld world, List<byte[]> entries)
      throws Exception {
    return world.nodes.await(
        Raw.sealAll(world.sender(), entries, BroadcastWorld.HEADERS), BroadcastWorld.SECOND_NS);
  }

  private static void deliver(Broadcast broadcast, BroadcastWorld world) throws Exception {
    for (DeliveryOutcome outcome : world.await(broadcast.outcomes())) {
      assertTrue(outcome.isDelivered(), outcome.text());
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldSendEachOfManyPayloadsOfOneAllocationByItself(Carriage carriage) throws Exception {
    LinkSettings link =
        LinkSettings.clean(BroadcastWorld.DELAY_NS).withLoss(LossSettings.random(10_000));
    List<byte[]> entries = log();
    BroadcastWorld.run(
        carriage,
        3,
        3,
        link,
        "",
        world -> {
          List<SealedPayload> sealed = seal(world, entries);
          assertEquals(1, world.memory().allocations());
          assertEquals(ENTRIES, world.memory().recordsSealed());
          assertEquals(ENTRIES, world.seals.sealed);
          List<Broadcast> broadcasts = new ArrayList<>();
          for (SealedPayload payload : sealed) {
            assertEquals(ENTRY_BYTES, payload.payloadBytes());
            broadcasts.add(
                Raw.broadcast(world.sender(), BroadcastWorld.PARCEL, payload, world.all()));
            payload.close();
          }
          for (Broadcast broadcast : broadcasts) {
            deliver(broadcast, world);
          }
          for (int node = 1; node <= 3; node++) {
            assertGotAll(world, node, entries);
          }
          assertEquals(1, world.memory().allocations());
          assertEquals(ENTRIES, world.seals.sealed);
          assertEquals(3 * ENTRIES, world.seals.opened);
          world.assertNothingKept();
        });
  }

  /** Checks that a node got all entries, in any order. */
  private static void assertGotAll(BroadcastWorld world, int node, List<byte[]> entries) {
    TreeMap<byte[], Integer> missing = new TreeMap<>(Arrays::compare);
    entries.forEach(entry -> missing.merge(entry, 1, Integer::sum));
    for (BroadcastWorld.Arrival arrival : world.arrivals.get(node)) {
      assertArrayEquals(BroadcastWorld.HEADERS, arrival.headers());
      assertTrue(arrival.target().end.getNow(false));
      assertEquals(1, missing.remove(arrival.target().bytes.toByteArray()), "node " + node);
    }
    assertEquals(0, missing.size(), "node " + node);
  }

  @Test
  void shouldSendABatchThatIsAuthenticatedOnly() throws Exception {
    List<byte[]> entries = entries(ENTRY_BYTES, 100_000, 1);
    BroadcastWorld.run(
        Carriage.DATAGRAMS,
        2,
        "",
        world -> {
          List<SealedPayload> sealed =
              world.nodes.await(
                  Raw.sealAll(
                      world.sender(), entries, BroadcastWorld.HEADERS, Protection.AUTHENTICATED),
                  BroadcastWorld.SECOND_NS);
          for (SealedPayload payload : sealed) {
            deliver(
                Raw.broadcast(world.sender(), BroadcastWorld.PARCEL, payload, world.all()), world);
            payload.close();
          }
          assertGotAll(world, 1, entries);
          assertEquals(1, world.memory().allocations());
          world.assertNothingKept();
        });
  }

  /** A peer that gets one payload has the key of no other payload. */
  @Test
  void shouldGiveEachPayloadADataKeyOfItsOwn() throws Exception {
    BroadcastWorld.run(
        Carriage.DATAGRAMS,
        2,
        "",
        world -> {
          List<SealedPayload> sealed = seal(world, log());
          assertEquals(ENTRIES, world.seals.sealingKeys.size());
          sealed.forEach(SealedPayload::close);
          world.assertNothingKept();
        });
  }

  @Test
  void shouldHoldTheMemoryUntilTheLastPayloadIsDone() throws Exception {
    List<byte[]> entries = entries(ENTRY_BYTES, 100_000, 0, 1, 300_000);
    BroadcastWorld.run(
        Carriage.DATAGRAMS,
        2,
        "",
        world -> {
          List<SealedPayload> sealed = seal(world, entries);
          long bytes = world.memory().broadcastBytes();
          assertEquals(8L << 16, bytes);
          assertEquals(bytes, world.memory().usedBytes());
          for (int i = 0; i < sealed.size(); i++) {
            SealedPayload payload = sealed.get(i);
            assertEquals(entries.get(i).length, payload.payloadBytes());
            Destination only = world.to(1 + i % 2);
            deliver(
                Raw.broadcast(world.sender(), BroadcastWorld.PARCEL, payload, List.of(only)),
                world);
            assertEquals(1, payload.refCount());
            assertEquals(bytes, world.memory().broadcastBytes());
            payload.close();
            assertEquals(0, payload.refCount());
            assertThrows(
                IllegalStateException.class,
                () -> Raw.broadcast(world.sender(), BroadcastWorld.PARCEL, payload, world.all()));
          }
          for (int i = 0; i < entries.size(); i++) {
            BroadcastWorld.Arrival arrival = world.arrivals.get(1 + i % 2).get(i / 2);
            assertArrayEquals(entries.get(i), arrival.target().bytes.toByteArray());
          }
          world.assertNothingKept();
        });
  }

  @Test
  void shouldSealAllOrNone() throws Exception {
    BroadcastWorld.run(
        Carriage.DATAGRAMS,
        1,
        "millrace.transfers.broadcast-pool = 1 MiB",
        world -> {
          assertFails(CallOutcome.PAYLOAD_TOO_LARGE, world, entries(1 << 20, 1));
          List<SealedPayload> half = seal(world, entries(300_000, 300_000));
          assertFails(CallOutcome.SUBMISSION_FULL, world, entries(300_000, 300_000));
          assertEquals(1, world.memory().allocations());
          half.forEach(SealedPayload::close);
          seal(world, entries(300_000, 300_000)).forEach(SealedPayload::close);
          assertEquals(List.of(), seal(world, List.of()));
          world.assertNothingKept();
        });
  }

  private static void assertFails(CallOutcome wanted, BroadcastWorld world, List<byte[]> entries) {
    ExecutionException e =
        assertThrows(ExecutionException.class, () -> seal(world, entries), wanted.name());
    assertEquals(wanted, assertInstanceOf(CallException.class, e.getCause()).outcome());
  }
}
