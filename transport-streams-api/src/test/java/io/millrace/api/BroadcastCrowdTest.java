package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.BroadcastWorld.Carriage;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.transfer.CallOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Sixty-four peers: one peer is dead from the start, one peer dies on the way, and one peer is
 * slow.
 */
@Timeout(240)
class BroadcastCrowdTest {
  private static final int PEERS = 64;
  private static final int DEAD = 7;
  private static final int DYING = 20;
  private static final int SLOW = 33;
  private static final int LENGTH = 700_000;
  private static final int RECORDS = 11;
  private static final long SLOW_BYTES_PER_S = 200_000;

  /** One-sided writes fill the slow link for 3.5 s, and probes wait behind them. */
  private static final String PATIENT = "millrace.recovery.fail-after = 5 s\n";

  private static final byte[] PAYLOAD = BodyTest.random(LENGTH, 9);
  private static final Set<Integer> ODD = new TreeSet<>(List.of(DEAD, DYING, SLOW));

  private static LinkSettings link(long bytesPerSecond) {
    return LinkSettings.clean(BroadcastWorld.DELAY_NS)
        .withRate(RateSettings.of(bytesPerSecond, Integer.MAX_VALUE));
  }

  private static void connectAll(BroadcastWorld world) throws Exception {
    for (int node = 1; node <= PEERS; node++) {
      world.await(world.nodes.peer(0, node).connect());
    }
  }

  private static List<Destination> fast(BroadcastWorld world) {
    List<Destination> fast = new ArrayList<>();
    for (int node = 1; node <= PEERS; node++) {
      if (!ODD.contains(node)) {
        fast.add(world.to(node));
      }
    }
    return fast;
  }

  /**
   * Returns the time at which the last fast peer had all bytes, in ns after the begin of the
   * broadcast.
   */
  private static long fastNs(BroadcastWorld world, long begunNs) {
    long last = 0;
    for (int node = 1; node <= PEERS; node++) {
      if (!ODD.contains(node)) {
        world.assertGot(node, PAYLOAD);
        last = Math.max(last, world.arrivals.get(node).getFirst().endNs()[0] - begunNs);
      }
    }
    return last;
  }

  /** Returns the duration of a broadcast to the fast peers alone. */
  private static long alone(Carriage carriage) throws Exception {
    long[] ns = new long[1];
    BroadcastWorld.run(
        carriage,
        1,
        PEERS,
        link(100_000_000),
        "",
        world -> {
          connectAll(world);
          SealedPayload sealed = world.seal(PAYLOAD);
          long begunNs = world.nodes.simulation.nowNs();
          world.await(
              Raw.broadcast(world.sender(), BroadcastWorld.PARCEL, sealed, fast(world)).outcomes());
          sealed.close();
          ns[0] = fastNs(world, begunNs);
        });
    return ns[0];
  }

  @ParameterizedTest
  @EnumSource(names = {"DATAGRAMS", "WRITES"})
  void shouldServeTheFastOnesWhateverTheOthersDo(Carriage carriage) throws Exception {
    long aloneNs = alone(carriage);
    BroadcastWorld.run(
        carriage,
        1,
        PEERS,
        link(100_000_000),
        PATIENT,
        world -> broadcast(world, carriage, aloneNs));
  }

  private static void broadcast(BroadcastWorld world, Carriage carriage, long aloneNs)
      throws Exception {
    connectAll(world);
    world.nodes.cluster.network().link(0, SLOW).settings(link(SLOW_BYTES_PER_S));
    world.nodes.crash(DEAD);
    SealedPayload sealed = world.seal(PAYLOAD);
    long begunNs = world.nodes.simulation.nowNs();
    Broadcast broadcast = Raw.broadcast(world.sender(), BroadcastWorld.PARCEL, sealed, world.all());
    assertEquals(PEERS + 1, sealed.refCount());
    sealed.close();
    assertEquals(PEERS, sealed.refCount());
    world.runFor(aloneNs / 4);
    world.nodes.crash(DYING);
    List<Delivery> deliveries = broadcast.deliveries();
    assertTrue(
        world.nodes.simulation.runUntil(
            () -> deliveries.stream().filter(each -> each.outcome().isDone()).count() >= 61,
            world.nodes.simulation.nowNs() + BroadcastWorld.SECOND_NS));
    long othersNs = fastNs(world, begunNs);
    assertTrue(othersNs <= aloneNs * 11 / 10, othersNs + " ns against " + aloneNs);
    assertFalse(deliveries.get(SLOW - 1).outcome().isDone());
    assertRangesGoBack(world, sealed, deliveries);

    List<DeliveryOutcome> outcomes = world.await(broadcast.outcomes());
    for (int node = 1; node <= PEERS; node++) {
      DeliveryOutcome outcome = outcomes.get(node - 1);
      CallOutcome wanted =
          node == DEAD || node == DYING ? CallOutcome.PEER_UNRESPONSIVE : CallOutcome.OK;
      assertEquals(wanted, outcome.outcome(), "node " + node + ": " + outcome.text());
    }
    world.assertGot(SLOW, PAYLOAD);
    long slowNs = world.arrivals.get(SLOW).getFirst().endNs()[0] - begunNs;
    assertTrue(slowNs > LENGTH * BroadcastWorld.SECOND_NS / SLOW_BYTES_PER_S, slowNs + " ns");
    assertEquals(RECORDS, world.seals.sealed);
    assertEquals(RECORDS, world.memory().recordsSealed());
    assertEquals(1, world.memory().allocations());
    assertEquals(0, sealed.refCount());
    assertEquals(0, world.memory().usedBytes());
    System.out.println(
        carriage
            + ": 61 peers in "
            + othersNs
            + " ns, alone in "
            + aloneNs
            + " ns, the slow one in "
            + slowNs
            + " ns");
  }

  /**
   * Checks that ranges taken by the slow peer are free long before the end of its transfer, and the
   * rest at the end.
   */
  private static void assertRangesGoBack(
      BroadcastWorld world, SealedPayload sealed, List<Delivery> deliveries) {
    TreeSet<Long> held = new TreeSet<>();
    boolean isOver =
        world.nodes.simulation.runUntil(
            () -> {
              held.add(sealed.heldBytes());
              return sealed.refCount() == 0;
            },
            world.nodes.simulation.nowNs() + 60 * BroadcastWorld.SECOND_NS);
    assertTrue(isOver, "never free: " + sealed.refCount());
    assertTrue(held.size() >= 3, "steps: " + held);
    // The slow peer was the last peer then, and its answer is on its way.
    long freeNs = world.nodes.simulation.nowNs();
    assertTrue(
        world.nodes.simulation.runUntil(
            () -> deliveries.get(SLOW - 1).outcome().isDone(), freeNs + 20 * BroadcastWorld.MS));
  }
}
