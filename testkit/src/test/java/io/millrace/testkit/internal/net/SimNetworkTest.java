package io.millrace.testkit.internal.net;

import static io.millrace.testkit.internal.net.TestNetwork.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.driver.Node;
import io.millrace.testkit.sim.FrameType;
import io.millrace.testkit.sim.NicState;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.ProbeEncoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Dead interfaces, crashed nodes, monitors, rings, and the discipline of buffers. */
class SimNetworkTest {
  private final TestNetwork net = TestNetwork.clean();
  private final SimNetwork network = net.network;

  @AfterEach
  void close() {
    network.close();
  }

  private long lost(LossReason reason) {
    return network.counters().lost(reason);
  }

  @Test
  void shouldWriteAddressesBothWays() {
    SimAddress address = new SimAddress(0x1234, 7, 50_000);
    assertEquals("10.7.18.52:50000", address.toString());
    assertEquals(address, SimAddress.of(address.inet()));
    assertEquals(address, SimAddress.of(address.endpoint()));
    assertEquals(address, SimAddress.of(address.key()));
    assertNull(SimAddress.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)));
    assertNull(SimAddress.of(InetSocketAddress.createUnresolved("nowhere.invalid", 1)));
    assertNull(SimAddress.of(new EndpointAddress("udp", new byte[8])));
    assertThrows(IllegalArgumentException.class, () -> new SimAddress(65_536, 0, 0));
  }

  @Test
  void shouldFailSendsOfADeadInterface() throws DriverException {
    Node sender = net.open(1);
    network.nic(1, 0).state(NicState.DOWN);
    net.send(sender, net.open(2), 1, 100);
    net.settle(sender);
    assertEquals(
        CompletionHandler.STATUS_FAILED, sender.record().completions().getFirst().status());
    assertEquals(1, sender.endpoint().counters().sendFailures);
    assertEquals(0, network.counters().sent());
  }

  @Test
  void shouldSwallowSendsAndArrivalsOfASilentInterface() throws DriverException {
    Node left = net.open(1);
    Node right = net.open(2);
    net.send(right, left, 1, 100);
    network.nic(1, 0).state(NicState.SILENT);
    net.send(left, right, 1, 100);
    net.settle(left, right);
    assertEquals(CompletionHandler.STATUS_OK, left.record().completions().getFirst().status());
    assertEquals(2, lost(LossReason.NIC_DOWN));
    network.healAll();
    net.send(left, right, 1, 100);
    net.settle(right);
    assertEquals(1, right.record().datagrams().size());
  }

  @Test
  void shouldKeepOtherInterfacesAlive() throws DriverException {
    Node first = net.open(1);
    Node second = net.open(new SimAddress(1, 1, 0), 1 << 20);
    Node peer = net.open(2);
    network.nic(1, 0).state(NicState.SILENT);
    net.send(first, peer, 1, 100);
    net.send(second, peer, 1, 200);
    net.settle(peer);
    assertEquals(List.of(200), peer.record().lengths());
  }

  @Test
  void shouldDropWhatTheRingHasNoRoomFor() throws DriverException {
    Node sender = net.open(1);
    Node receiver = net.open(new SimAddress(2, 0, 0), 10_000);
    net.send(sender, receiver, 15, 1_000);
    net.settle(receiver);
    assertEquals(10, receiver.record().datagrams().size());
    assertEquals(5, receiver.endpoint().counters().receiveQueueDrops);
    assertEquals(5, lost(LossReason.RECEIVE_RING));
    net.send(sender, receiver, 1, 1_000);
    net.settle(receiver);
    assertEquals(11, receiver.record().datagrams().size(), "there is room again");
  }

  @Test
  void shouldTellThatNobodyListens() throws DriverException {
    Node sender = net.open(1);
    Node gone = net.open(2);
    int destination = sender.resolve(gone);
    gone.close();
    sender.post(destination, 1, 100, 100, 1);
    net.settle(sender);
    assertEquals(List.of(destination), sender.record().unreachable());
    assertEquals(2 * TestNetwork.DELAY_NS, net.time.nowNs(), "there and back");
  }

  @Test
  void shouldForgetTheEndpointsOfACrashedNode() throws DriverException {
    Node survivor = net.open(1);
    Node crashed = net.open(2);
    EndpointAddress before = crashed.endpoint().localAddress();
    net.send(survivor, crashed, 3, 100);
    net.time.runUntil(MS);
    net.send(survivor, crashed, 1, 100);
    network.crash(2);
    assertEquals(0, crashed.turn(), "it has nothing any more");
    assertNull(crashed.endpoint().acquireSendBuffer());
    net.settle(survivor);
    assertEquals(1, lost(LossReason.NO_ENDPOINT));
    Node restarted = net.open(2);
    assertNotEquals(before, restarted.endpoint().localAddress(), "old datagrams meet nobody");
    crashed.close();
    net.send(survivor, restarted, 1, 100);
    net.settle(restarted);
    assertEquals(1, restarted.record().datagrams().size());
  }

  @Test
  void shouldGiveAllMemoryBack() throws DriverException {
    Node one = net.open(1);
    Node two = net.open(2);
    net.send(one, two, 5, 100);
    assertTrue(network.buffersInUse() > 0);
    one.close();
    network.crash(2);
    assertEquals(0, network.buffersInUse());
  }

  private Node run(PacketMonitor monitor) throws DriverException {
    network.monitor(monitor);
    Node sender = net.open(1);
    Node receiver = net.open(2);
    net.send(sender, receiver, 10, 100);
    net.settle(receiver);
    return receiver;
  }

  private static PacketMonitor third(Verdict verdict) {
    return packet -> packet.ordinal() == 3 ? verdict : Verdict.PASS;
  }

  @Test
  void shouldDropWhatAMonitorPicks() throws DriverException {
    assertEquals(9, run(third(Verdict.DROP)).record().datagrams().size());
    assertEquals(1, lost(LossReason.DIRECTED));
    assertEquals(FaultKind.DIRECTED, network.firedFaults().getFirst().kind());
  }

  @Test
  void shouldDuplicateDelayAndCorruptWhatAMonitorPicks() throws DriverException {
    network.monitor(third(Verdict.delay(MS)));
    network.monitor(packet -> packet.ordinal() == 4 ? Verdict.DUPLICATE : Verdict.PASS);
    Node receiver = run(packet -> packet.ordinal() == 5 ? Verdict.CORRUPT : Verdict.PASS);
    assertEquals(11, receiver.record().datagrams().size());
    assertEquals(1, network.counters().duplicated());
    assertEquals(1, network.counters().damaged());
    assertTrue(net.seen.getLast().contains("#3 "), net.seen::getLast);
    assertEquals(MS + TestNetwork.DELAY_NS + 3, net.time.nowNs());
  }

  @Test
  void shouldNotDoWhatAMonitorWantsIfThatIsFilteredOut() throws DriverException {
    network.faults(FaultFilter.only(List.of()));
    assertEquals(10, run(third(Verdict.DROP)).record().datagrams().size());
  }

  @Test
  void shouldShowMonitorsWhatSendersNoted() throws DriverException {
    FrameNote wanted = new FrameNote(FrameType.PROBE, 7);
    List<Long> dropped = new ArrayList<>();
    network.notes().want();
    network.plan(
        packet -> {
          boolean first = dropped.isEmpty() && packet.notes().contains(wanted);
          if (first) {
            dropped.add(packet.ordinal());
          }
          return first ? Verdict.DROP : Verdict.PASS;
        });
    network.faults(FaultFilter.only(List.of()));
    Node sender = net.open(1);
    Node receiver = net.open(2);
    int destination = sender.resolve(receiver);
    for (int train = 0; train < 3; train++) {
      SendBuffer buffer = sender.endpoint().acquireSendBuffer();
      assertNotNull(buffer);
      SegmentBuffer bytes = buffer.buffer();
      int at = 100 + PacketHeader.LENGTH;
      PacketHeader.encodeFixed(bytes, 100, 0, 0, 5);
      PacketHeader.encodeNumber(bytes, 100, 0, train);
      FrameStart.encode(bytes, at, 24, ProbeEncoder.BLOCK_LENGTH, ProbeEncoder.TEMPLATE_ID);
      bytes.putLong(at + FrameStart.LENGTH, 7, ByteOrder.LITTLE_ENDIAN);
      network.notes().onSealed(1, bytes, 100, at, 24);
      sender.endpoint().postSend(destination, buffer, 300, 100, train);
      sender.turn();
    }
    net.settle(receiver);
    assertEquals(List.of(1L), dropped, "the second datagram of the first train");
    assertEquals(8, receiver.record().datagrams().size(), "planned faults are not filtered");
    assertEquals(List.of(), network.firedFaults());
  }

  @Test
  void shouldRefuseBuffersThatAreNotTheCallers() throws DriverException {
    Endpoint endpoint = net.open(1).endpoint();
    SendBuffer buffer = endpoint.acquireSendBuffer();
    assertNotNull(buffer);
    endpoint.releaseSendBuffer(buffer);
    assertThrows(IllegalStateException.class, () -> endpoint.releaseSendBuffer(buffer));
    assertThrows(IllegalStateException.class, () -> endpoint.postSend(0, buffer, 1, 1, 1));
    SendBuffer foreign = net.open(2).endpoint().acquireSendBuffer();
    assertNotNull(foreign);
    assertThrows(IllegalStateException.class, () -> endpoint.releaseSendBuffer(foreign));
  }

  @Test
  void shouldSpoilBuffersThatWereGivenBack() throws DriverException {
    Node sender = net.open(1);
    Node receiver = net.open(2);
    SendBuffer buffer = sender.endpoint().acquireSendBuffer();
    assertNotNull(buffer);
    buffer.buffer().setMemory(0, 100, (byte) 1);
    sender.endpoint().postSend(sender.resolve(receiver), buffer, 100, 100, 1);
    net.settle(sender);
    assertFalse(buffer.buffer().getByte(50) == 1, "sent bytes are still there");
    SegmentBuffer kept = new SegmentBuffer(0, 0);
    receiver
        .endpoint()
        .poll(
            (buffer1, offset, length, ecn) -> {
              assertEquals(1, buffer1.getByte(offset + 50));
              kept.wrap(buffer1, offset, length);
            },
            1);
    assertFalse(kept.getByte(50) == 1, "received bytes are still there");
  }

  @Test
  void shouldRefuseToPollInsideOfPoll() throws DriverException {
    Node sender = net.open(1);
    Node receiver = net.open(2);
    net.send(sender, receiver, 1, 100);
    net.settle();
    CompletionHandler greedy =
        (buffer, offset, length, ecn) -> receiver.endpoint().poll(receiver.record(), 1);
    assertThrows(IllegalStateException.class, () -> receiver.endpoint().poll(greedy, 1));
  }

  @Test
  void shouldNameTheSourceInsideOfTheHandlerOnly() throws DriverException {
    Node sender = net.open(1);
    Node receiver = net.open(2);
    net.send(sender, receiver, 1, 100);
    net.settle();
    List<@Nullable EndpointAddress> sources = new ArrayList<>();
    receiver
        .endpoint()
        .poll((buffer, offset, length, ecn) -> sources.add(receiver.endpoint().receiveSource()), 1);
    assertEquals(List.of(sender.endpoint().localAddress()), sources);
    assertNull(receiver.endpoint().receiveSource());
  }
}
