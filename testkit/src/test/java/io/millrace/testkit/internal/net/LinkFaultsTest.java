package io.millrace.testkit.internal.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.testkit.internal.driver.Node;
import io.millrace.testkit.sim.DamageSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Faults come as often as settings say, by the seed, and each fault can be left out. */
class LinkFaultsTest {
  private static final int MANY = 5_000;
  private static final DamageSettings EVERYTHING =
      new DamageSettings(20_000, 20_000, 500_000, 20_000, 20_000);

  private static TestNetwork run(TestNetwork net) throws DriverException {
    try (net) {
      Node sender = net.open(1);
      Node receiver = net.open(2);
      for (int i = 0; i < MANY / 50; i++) {
        net.send(sender, receiver, 50, 64);
        net.time.runUntil(net.time.nowNs() + 10_000);
        receiver.turn();
      }
      net.settle(receiver);
      return net;
    }
  }

  private static TestNetwork run(DamageSettings damage, LossSettings loss) throws DriverException {
    return run(TestNetwork.of(3, damage, loss));
  }

  @Test
  void shouldLoseAsManyAsAsked() throws DriverException {
    NetworkCounters counters =
        run(DamageSettings.NONE, LossSettings.random(100_000)).network.counters();
    assertEquals(MANY / 10.0, (double) counters.lost(LossReason.RANDOM), MANY / 50.0);
    assertEquals(MANY, counters.delivered() + counters.lost());
    assertEquals(0, counters.inFlight());
  }

  @Test
  void shouldLoseInBursts() throws DriverException {
    TestNetwork net = run(DamageSettings.NONE, new LossSettings(0, 5_000, 20));
    List<Long> lost = net.network.firedFaults().stream().map(FiredFault::ordinal).toList();
    long bursts = lost.stream().filter(ordinal -> !lost.contains(ordinal - 1)).count();
    assertTrue(bursts > 10 && bursts < 50, "bursts " + bursts);
    assertTrue(lost.size() > 5 * bursts, lost.size() + " lost in " + bursts + " bursts");
    assertEquals(lost.size(), net.network.counters().lost(LossReason.BURST));
  }

  @Test
  void shouldDuplicateAndReorder() throws DriverException {
    TestNetwork doubled = run(new DamageSettings(50_000, 0, 500_000, 0, 0), LossSettings.NONE);
    assertEquals(MANY / 20.0, (double) doubled.network.counters().duplicated(), MANY / 50.0);
    assertEquals(
        MANY + doubled.network.counters().duplicated(), doubled.network.counters().delivered());
    TestNetwork swapped = run(new DamageSettings(0, 50_000, 500_000, 0, 0), LossSettings.NONE);
    assertEquals(MANY, swapped.network.counters().delivered());
    assertFalse(SimLinkTest.outOfOrder(swapped).isEmpty());
    assertTrue(SimLinkTest.outOfOrder(run(DamageSettings.NONE, LossSettings.NONE)).isEmpty());
  }

  @Test
  void shouldFlipOneToThreeBits() throws DriverException {
    int[] flips = new int[5];
    try (TestNetwork net =
        TestNetwork.of(5, new DamageSettings(0, 0, 0, 1_000_000, 0), LossSettings.NONE)) {
      Node sender = net.open(1);
      Node receiver = net.open(2);
      int destination = sender.resolve(receiver);
      for (int i = 0; i < 300; i++) {
        sender.post(destination, 1, 64, 64, 1);
        net.settle(sender, receiver);
      }
      byte[] sent = sent(sender, net);
      for (byte[] arrived : receiver.record().datagrams()) {
        int bits = 0;
        for (int i = 0; i < sent.length; i++) {
          bits += Integer.bitCount((sent[i] ^ arrived[i]) & 0xFF);
        }
        flips[bits]++;
      }
    }
    assertEquals(0, flips[0] + flips[4], Arrays.toString(flips));
    assertTrue(flips[1] > 50 && flips[2] > 50 && flips[3] > 50, Arrays.toString(flips));
  }

  private static byte[] sent(Node sender, TestNetwork net) throws DriverException {
    net.network.links(LinkSettings.clean(1));
    Node undamaged = net.open(3);
    sender.post(sender.resolve(undamaged), 1, 64, 64, 1);
    net.settle(sender, undamaged);
    return undamaged.record().datagrams().getFirst();
  }

  @Test
  void shouldTruncate() throws DriverException {
    TestNetwork net = run(new DamageSettings(0, 0, 0, 0, 100_000), LossSettings.NONE);
    NetworkCounters counters = net.network.counters();
    assertEquals(MANY / 10.0, (double) counters.damaged(), MANY / 50.0);
    assertTrue(counters.deliveredBytes() < counters.sentBytes());
    assertEquals(MANY, counters.delivered());
  }

  @Test
  void shouldDoTheSameAgainByTheSameSeed() throws DriverException {
    LossSettings loss = new LossSettings(20_000, 1_000, 10);
    List<String> seen = run(TestNetwork.of(11, EVERYTHING, loss)).seen;
    assertEquals(seen, run(TestNetwork.of(11, EVERYTHING, loss)).seen);
    assertNotEquals(seen, run(TestNetwork.of(12, EVERYTHING, loss)).seen);
  }

  @Test
  void shouldLetOnlyChosenFaultsHappen() throws DriverException {
    LossSettings loss = new LossSettings(20_000, 1_000, 10);
    List<FiredFault> all = run(TestNetwork.of(11, EVERYTHING, loss)).network.firedFaults();
    for (FaultKind kind :
        List.of(
            FaultKind.LOSS,
            FaultKind.BURST_LOSS,
            FaultKind.DUPLICATE,
            FaultKind.REORDER,
            FaultKind.CORRUPT,
            FaultKind.TRUNCATE)) {
      List<FiredFault> chosen =
          all.stream().filter(fault -> fault.kind() == kind && fault.ordinal() % 2 == 0).toList();
      assertFalse(chosen.isEmpty(), kind::name);
      TestNetwork again = TestNetwork.of(11, EVERYTHING, loss);
      again.network.faults(FaultFilter.only(chosen));
      assertEquals(chosen, run(again).network.firedFaults(), kind::name);
    }
  }

  @Test
  void shouldHaveNoFaultsWhereNoneAreAllowed() throws DriverException {
    TestNetwork net = TestNetwork.of(11, EVERYTHING, new LossSettings(20_000, 1_000, 10));
    net.network.faults(FaultFilter.only(List.of()));
    NetworkCounters counters = run(net).network.counters();
    assertEquals(MANY, counters.delivered());
    assertEquals(0, counters.lost() + counters.damaged() + counters.duplicated());
  }
}
