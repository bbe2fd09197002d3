package io.millrace.testkit.internal.net;

import static io.millrace.testkit.internal.net.TestNetwork.DELAY_NS;
import static io.millrace.testkit.internal.net.TestNetwork.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.driver.Node;
import io.millrace.testkit.sim.DelaySettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.NicSettings;
import io.millrace.testkit.sim.PolicerSettings;
import io.millrace.testkit.sim.RateSettings;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Delay, rate, queues, policers, cuts and clogs: the times of arrivals, and the lost datagrams. */
class SimLinkTest {
  private static final long RATE = 1_000_000;

  private final TestNetwork net = TestNetwork.clean();
  private final SimNetwork network = net.network;
  private final TestTime time = net.time;

  @AfterEach
  void close() {
    network.close();
  }

  private SimLink link() {
    return network.link(1, 2);
  }

  private void settings(LinkSettings settings) {
    link().settings(settings);
  }

  private long lost(LossReason reason) {
    return network.counters().lost(reason);
  }

  @Test
  void shouldDeliverAfterTheDelayAndNotBefore() throws DriverException {
    Node sender = net.open(1);
    Node receiver = net.open(2);
    net.send(sender, receiver, 1, 100);
    time.runUntil(DELAY_NS - 1);
    assertEquals(0, receiver.turn());
    time.runUntil(DELAY_NS);
    assertEquals(1, receiver.turn());
    assertTrue(net.wakes > 0, "the receiver was woken");
  }

  @Test
  void shouldSpaceDatagramsByTheRate() throws DriverException {
    settings(link().settings().withRate(RateSettings.of(RATE, 100_000)));
    Node sender = net.open(1);
    Node receiver = net.open(2);
    net.send(sender, receiver, 5, 1_000);
    for (int arrived = 1; arrived <= 5; arrived++) {
      time.runUntil(DELAY_NS + arrived * MS - 1);
      assertEquals(0, receiver.turn(), "before datagram " + arrived);
      time.runUntil(DELAY_NS + arrived * MS);
      assertEquals(1, receiver.turn(), "datagram " + arrived);
    }
  }

  @Test
  void shouldDropAtTheTailOfAFullQueue() throws DriverException {
    settings(link().settings().withRate(RateSettings.of(RATE, 3_000)));
    Node sender = net.open(1);
    Node receiver = net.open(2);
    net.send(sender, receiver, 10, 1_000);
    net.settle(receiver);
    assertEquals(3, receiver.record().datagrams().size());
    assertEquals(7, lost(LossReason.LINK_QUEUE));
    net.send(sender, receiver, 1, 1_000);
    net.settle(receiver);
    assertEquals(4, receiver.record().datagrams().size(), "the queue is empty again");
  }

  @Test
  void shouldMarkWhatFindsALongQueue() throws DriverException {
    settings(link().settings().withRate(new RateSettings(RATE, 100_000, 2_000)));
    Node sender = net.open(1);
    Node receiver = net.open(2);
    net.send(sender, receiver, 5, 1_000);
    net.settle(receiver);
    assertEquals(List.of(2, 2, 2, 3, 3), receiver.record().marks());
    assertEquals(2, network.counters().marked());
  }

  @Test
  void shouldLetAllSendersShareTheReceiversInterface() throws DriverException {
    network
        .nic(9, 0)
        .settings(new NicSettings(RateSettings.UNLIMITED, RateSettings.of(RATE, 4_000)));
    Node receiver = net.open(9);
    for (int node = 1; node <= 8; node++) {
      net.send(net.open(node), receiver, 1, 1_000);
    }
    net.settle(receiver);
    assertEquals(4, receiver.record().datagrams().size());
    assertEquals(4, lost(LossReason.INGRESS_QUEUE));
    assertEquals(DELAY_NS + 4 * MS, time.nowNs(), "the last one waited for three");
  }

  @Test
  void shouldCompleteASendWhenItHasLeftTheInterface() throws DriverException {
    network
        .nic(1, 0)
        .settings(new NicSettings(RateSettings.of(RATE, 100_000), RateSettings.UNLIMITED));
    Node sender = net.open(1);
    Node receiver = net.open(2);
    sender.post(sender.resolve(receiver), 0, 2_000, 1_000, 7);
    assertEquals(0, sender.turn());
    time.runUntil(2 * MS - 1);
    assertEquals(0, sender.turn());
    int before = net.wakes;
    time.runUntil(2 * MS);
    assertTrue(net.wakes > before, "the sender is woken");
    assertEquals(1, sender.turn());
    assertEquals(7, sender.record().completions().getFirst().context());
  }

  @Test
  void shouldPoliceEachFlowByItself() throws DriverException {
    settings(link().settings().withPolicer(new PolicerSettings(RATE, 3_000)));
    Node sender = net.open(1);
    Node other = net.open(1);
    Node receiver = net.open(2);
    net.send(sender, receiver, 5, 1_000);
    net.send(other, receiver, 2, 1_000);
    assertEquals(2, lost(LossReason.POLICER));
    time.runUntil(2 * MS);
    net.send(sender, receiver, 3, 1_000);
    assertEquals(3, lost(LossReason.POLICER), "two more were earned");
    net.settle(receiver);
    assertEquals(7, receiver.record().datagrams().size());
  }

  @Test
  void shouldCutOneWay() throws DriverException {
    Node left = net.open(1);
    Node right = net.open(2);
    net.send(left, right, 1, 100);
    network.cut(1, 2);
    net.send(left, right, 1, 100);
    net.send(right, left, 1, 100);
    net.settle(left, right);
    assertEquals(0, right.record().datagrams().size(), "what was on its way is lost too");
    assertEquals(1, left.record().datagrams().size());
    assertEquals(2, lost(LossReason.PARTITION));
    network.heal(1, 2);
    net.send(left, right, 1, 100);
    net.settle(right);
    assertEquals(1, right.record().datagrams().size());
  }

  @Test
  void shouldCutLinksThatAreNotThereYet() throws DriverException {
    network.cut(1, 2);
    Node left = net.open(new SimAddress(1, 3, 0), 1 << 20);
    net.send(left, net.open(2), 1, 100);
    net.settle();
    assertEquals(1, lost(LossReason.PARTITION));
    network.healAll();
    net.send(left, net.open(2), 1, 100);
    net.settle();
    assertEquals(1, network.counters().delivered());
  }

  @Test
  void shouldHoldBackInOrderWhileClogged() throws DriverException {
    Node sender = net.open(1);
    Node receiver = net.open(2);
    link().clog(5 * MS);
    net.send(sender, receiver, 20, 100);
    time.runUntil(5 * MS - 1);
    assertEquals(0, receiver.turn());
    net.settle(receiver);
    assertEquals(20, receiver.record().datagrams().size());
    assertEquals(List.of(), outOfOrder(net), "sent in order, delivered in order");
  }

  static List<String> outOfOrder(TestNetwork net) {
    List<String> ordinals =
        net.seen.stream()
            .filter(line -> line.contains(" delivered "))
            .map(line -> line.replaceAll(".*#(\\d+) .*", "$1"))
            .toList();
    List<Integer> numbers = ordinals.stream().map(Integer::valueOf).toList();
    List<Integer> sorted = numbers.stream().sorted().toList();
    return numbers.equals(sorted) ? Collections.emptyList() : ordinals;
  }

  @Test
  void shouldKeepOrderUnderJitterIfAsked() throws DriverException {
    settings(link().settings().withDelay(new DelaySettings(DELAY_NS, 50_000, 1_000, MS, true)));
    net.send(net.open(1), net.open(2), 500, 100);
    net.settle();
    assertEquals(500, network.counters().delivered());
    assertEquals(List.of(), outOfOrder(net));
    assertTrue(time.nowNs() > DELAY_NS + 100_000, "there was jitter");
  }

  @Test
  void shouldOvertakeUnderJitterOtherwise() throws DriverException {
    settings(link().settings().withDelay(new DelaySettings(DELAY_NS, 50_000, 0, 0, false)));
    net.send(net.open(1), net.open(2), 500, 100);
    net.settle();
    assertEquals(500, outOfOrder(net).size());
  }

  @Test
  void shouldReportWhatIsTooLarge() throws DriverException {
    Node sender = net.open(1);
    Node receiver = net.open(2);
    settings(link().settings().withMtu(1_000, true));
    int destination = sender.resolve(receiver);
    sender.post(destination, 1, 1_001, 1_001, 1);
    sender.post(destination, 2, 1_000, 1_000, 2);
    net.settle(sender, receiver);
    assertEquals(List.of(1_000), receiver.record().lengths());
    assertEquals(destination, sender.record().pathLimits().getFirst().destination());
    assertEquals(1_000, sender.record().pathLimits().getFirst().maxDatagramBytes());
    assertEquals(1_000, sender.endpoint().pathMaxDatagramBytes(destination));
    assertEquals(1, lost(LossReason.TOO_LARGE));
  }

  @Test
  void shouldSwallowWhatIsTooLargeWhereNobodyReports() throws DriverException {
    Node sender = net.open(1);
    settings(link().settings().withMtu(1_000, false));
    net.send(sender, net.open(2), 1, 1_001);
    net.settle(sender);
    assertEquals(List.of(), sender.record().pathLimits());
    assertEquals(1, lost(LossReason.TOO_LARGE));
  }
}
