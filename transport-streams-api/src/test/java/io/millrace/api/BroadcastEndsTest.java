package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.BroadcastWorld.Carriage;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Deliveries of one broadcast with an end of their own, early or never, while other deliveries go
 * on.
 */
@Timeout(120)
class BroadcastEndsTest {
  private static final int LENGTH = 900_000;
  private static final byte[] PAYLOAD = BodyTest.random(LENGTH, 4);
  private static final long MS = BroadcastWorld.MS;

  /** A source that yields no bytes at first, and later all requested bytes. */
  private static final class DrySource implements BodySource {
    private Runnable resume = () -> {};
    private boolean isReady;
    private int closes;
    private int at;

    @Override
    public long lengthBytes() {
      return LENGTH;
    }

    @Override
    public void start(Runnable toResume) {
      resume = toResume;
    }

    void fill() {
      isReady = true;
      resume.run();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      if (at == LENGTH) {
        return -1;
      }
      int count = isReady ? Math.min(Math.min(length, 10_000), LENGTH - at) : 0;
      System.arraycopy(PAYLOAD, at, into, offset, count);
      at += count;
      isReady = count > 0 && at % 30_000 != 0;
      return count;
    }

    @Override
    public void close() {
      closes++;
    }
  }

  private static void slow(BroadcastWorld world, int node) {
    LinkSettings link =
        LinkSettings.clean(BroadcastWorld.DELAY_NS)
            .withRate(RateSettings.of(1_000_000, Integer.MAX_VALUE));
    world.nodes.cluster.network().link(0, node).settings(link);
  }

  private static Broadcast begin(BroadcastWorld world, List<Destination> destinations)
      throws Exception {
    SealedPayload sealed = world.seal(PAYLOAD);
    Broadcast broadcast =
        Raw.broadcast(world.sender(), BroadcastWorld.PARCEL, sealed, destinations);
    sealed.close();
    return broadcast;
  }

  private static void assertEnds(BroadcastWorld world, Broadcast broadcast, CallOutcome... outcomes)
      throws Exception {
    List<DeliveryOutcome> ended = world.await(broadcast.outcomes());
    for (int i = 0; i < outcomes.length; i++) {
      assertEquals(outcomes[i], ended.get(i).outcome(), ended.get(i).toString());
      if (outcomes[i] == CallOutcome.OK) {
        world.assertGot(i + 1, PAYLOAD);
      }
    }
    world.assertNothingKept();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "COVERED_ON_FABRIC")
  void shouldCancelOneDeliveryAndNoOther(Carriage carriage) throws Exception {
    BroadcastWorld.run(
        carriage,
        3,
        "",
        world -> {
          slow(world, 2);
          Broadcast broadcast = begin(world, world.all());
          world.runFor(400 * MS);
          Delivery delivery = broadcast.deliveries().get(1);
          assertFalse(delivery.outcome().isDone());
          assertTrue(broadcast.deliveries().getFirst().outcome().isDone());
          delivery.cancel();
          delivery.cancel();
          world.runFor(MS);
          assertTrue(delivery.outcome().isDone());
          assertEnds(world, broadcast, CallOutcome.OK, CallOutcome.CANCELLED, CallOutcome.OK);
          assertEquals(false, world.arrivals.get(2).getFirst().target().end.getNow(true));
          broadcast.cancel();
          assertEquals(CallOutcome.OK, delivery(broadcast, 0).outcome());
        });
  }

  private static DeliveryOutcome delivery(Broadcast broadcast, int index) {
    return broadcast.deliveries().get(index).outcome().join();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "COVERED_ON_FABRIC")
  void shouldEndEachDeliveryAtItsOwnDeadline(Carriage carriage) throws Exception {
    BroadcastWorld.run(
        carriage,
        3,
        "",
        world -> {
          slow(world, 2);
          slow(world, 3);
          long begunNs = world.nodes.simulation.nowNs();
          Broadcast broadcast =
              begin(
                  world,
                  List.of(
                      world.to(1).withDeadline(Duration.ofMillis(300)),
                      world.to(2).withDeadline(Duration.ofMillis(400)),
                      world.to(3)));
          world.await(broadcast.deliveries().get(1).outcome());
          long tookNs = world.nodes.simulation.nowNs() - begunNs;
          assertTrue(tookNs >= 400 * MS && tookNs < 410 * MS, tookNs + " ns");
          assertEnds(world, broadcast, CallOutcome.OK, CallOutcome.EXPIRED, CallOutcome.OK);
        });
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "COVERED_ON_FABRIC")
  void shouldTellTheOutcomeOfEachPeerWhereTwoOfFiveAreDead(Carriage carriage) throws Exception {
    BroadcastWorld.run(
        carriage,
        5,
        "",
        world -> {
          for (int node = 1; node <= 5; node++) {
            world.await(world.nodes.peer(0, node).connect());
          }
          world.nodes.crash(2);
          world.nodes.crash(4);
          List<DeliveryOutcome> ended = world.await(begin(world, world.all()).outcomes());
          for (int node = 1; node <= 5; node++) {
            DeliveryOutcome outcome = ended.get(node - 1);
            boolean isDead = node == 2 || node == 4;
            CallOutcome wanted = isDead ? CallOutcome.PEER_UNRESPONSIVE : CallOutcome.OK;
            assertEquals(wanted, outcome.outcome(), outcome.toString());
            assertEquals(world.nodes.peer(0, node), outcome.peer());
            assertEquals(isDead ? 0 : LENGTH, outcome.bytes());
            if (!isDead) {
              world.assertGot(node, PAYLOAD);
            }
          }
          assertEquals(0, world.memory().usedBytes());
        });
  }

  @Test
  void shouldCancelWhatWaitsForItsHandshake() throws Exception {
    BroadcastWorld.run(
        Carriage.DATAGRAMS,
        2,
        "",
        world -> {
          world.nodes.cluster.network().cut(2, 0);
          Broadcast broadcast = begin(world, world.all());
          world.await(broadcast.deliveries().getFirst().outcome());
          assertTrue(world.memory().usedBytes() > 0);
          broadcast.cancel();
          world.runFor(MS);
          assertEquals(CallOutcome.CANCELLED, delivery(broadcast, 1).outcome());
          assertEquals(CallOutcome.OK, delivery(broadcast, 0).outcome());
          assertEquals(0, world.memory().usedBytes());
        });
  }

  @Test
  void shouldWaitForADrySourceAndLetGoOfItWhenNobodyWaits() throws Exception {
    BroadcastWorld.run(
        Carriage.DATAGRAMS,
        2,
        "",
        world -> {
          DrySource read = new DrySource();
          DrySource unread = new DrySource();
          Broadcast first =
              Raw.broadcast(
                  world.sender(), BroadcastWorld.PARCEL, read, BroadcastWorld.HEADERS, world.all());
          Broadcast second =
              Raw.broadcast(
                  world.sender(),
                  BroadcastWorld.PARCEL,
                  unread,
                  BroadcastWorld.HEADERS,
                  world.all());
          world.runFor(10 * MS);
          assertTrue(world.memory().usedBytes() >= 2 * LENGTH);
          second.cancel();
          world.runFor(MS);
          assertEquals(1, unread.closes);
          assertEquals(CallOutcome.CANCELLED, delivery(second, 0).outcome());
          assertTrue(world.memory().usedBytes() < 2 * LENGTH);
          while (read.closes == 0) {
            read.fill();
            world.runFor(MS);
          }
          assertEnds(world, first, CallOutcome.OK, CallOutcome.OK);
          assertEquals(1, read.closes);
        });
  }

  @Test
  void shouldEndWhatIsBeingSealedWhenTheSenderCloses() throws Exception {
    BroadcastWorld.run(
        Carriage.DATAGRAMS,
        2,
        "",
        world -> {
          DrySource dry = new DrySource();
          Broadcast broadcast =
              Raw.broadcast(
                  world.sender(), BroadcastWorld.PARCEL, dry, BroadcastWorld.HEADERS, world.all());
          world.runFor(MS);
          world.sender().close();
          for (DeliveryOutcome outcome : world.await(broadcast.outcomes())) {
            assertEquals(CallOutcome.CLOSED, outcome.outcome(), outcome.text());
          }
          assertEquals(1, dry.closes);
          assertEquals(0, world.sender().pool().buffers().usedBytes());
          DrySource late = new DrySource();
          var sealed = Raw.seal(world.sender(), late, BroadcastWorld.HEADERS);
          world.runFor(MS);
          assertTrue(sealed.isCompletedExceptionally());
          assertEquals(1, late.closes);
        });
  }

  @Test
  void shouldGiveEachDestinationItsPriority() throws Exception {
    BroadcastWorld.run(
        Carriage.DATAGRAMS,
        3,
        "",
        world -> {
          RouteId route = RouteId.of("priorities");
          List<Destination> destinations = new ArrayList<>();
          int[] seen = {-1, -1, -1, -1};
          for (int node = 1; node <= 3; node++) {
            int at = node;
            Raw.serveBulkWrites(
                world.nodes.transport(node),
                route,
                offer -> {
                  seen[at] = offer.priority();
                  return CompletableFuture.completedFuture(new BodyTest.Collector());
                });
            destinations.add(world.to(node).withPriority(2 * node));
          }
          SealedPayload sealed = world.seal(PAYLOAD);
          Broadcast broadcast = Raw.broadcast(world.sender(), route, sealed, destinations);
          sealed.close();
          world.await(broadcast.outcomes());
          assertEquals(List.of(2, 4, 6), List.of(seen[1], seen[2], seen[3]));
        });
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "COVERED_ON_FABRIC")
  void shouldEndAllWhenTheSenderCloses(Carriage carriage) throws Exception {
    BroadcastWorld.run(
        carriage,
        3,
        "",
        world -> {
          slow(world, 1);
          slow(world, 2);
          Broadcast broadcast = begin(world, world.all());
          world.runFor(100 * MS);
          world.sender().close();
          List<DeliveryOutcome> ended = world.await(broadcast.outcomes());
          assertEquals(CallOutcome.CLOSED, ended.getFirst().outcome());
          assertEquals(CallOutcome.CLOSED, ended.get(1).outcome());
          assertEquals(CallOutcome.OK, ended.getLast().outcome());
          assertEquals(0, world.sender().pool().buffers().usedBytes());
        });
  }
}
