package io.millrace.udp.linux;

import static io.millrace.testkit.internal.driver.Node.turnUntil;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.NotReadySettings;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.driver.Datagrams;
import io.millrace.testkit.internal.driver.Node;
import io.millrace.udp.nio.NioUdpProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LinuxUdpEndpointTest {
  @AfterEach
  void clearReceiveLoss() {
    System.clearProperty(ReceiveLossFilter.PROPERTY);
  }

  @Test
  void shouldCarryTrainInOneCallEachWay() throws DriverException {
    try (Node sender = Endpoints.node();
        Node receiver = Endpoints.node()) {
      sender.post(sender.resolve(receiver), 1, 44 * 1_400, 1_400, 1);
      assertTrue(turnUntil(() -> receiver.record().datagrams().size() == 44, sender, receiver));
      assertEquals(1, sender.endpoint().counters().sendCalls);
      assertEquals(1, receiver.endpoint().counters().receiveCalls);
    }
  }

  @Test
  void shouldSendTrainsOfSeveralDestinationsInOneCall() throws DriverException {
    try (Node sender = Endpoints.node();
        Node left = Endpoints.node();
        Node right = Endpoints.node()) {
      int toLeft = sender.resolve(left);
      int toRight = sender.resolve(right);
      for (int i = 0; i < 8; i++) {
        sender.post(i % 2 == 0 ? toLeft : toRight, i, 3_000, 1_000, i);
      }
      assertTrue(
          turnUntil(
              () ->
                  left.record().datagrams().size() == 12 && right.record().datagrams().size() == 12,
              sender,
              left,
              right));
      assertEquals(1, sender.endpoint().counters().sendCalls);
    }
  }

  @Test
  void shouldTalkToPortableDriver() throws DriverException {
    try (Node fast = Endpoints.node();
        Node portable = new Node(new NioUdpProvider().open(Endpoints.settings(0, true)))) {
      int toPortable = fast.resolve(portable);
      int toFast = portable.resolve(fast);
      fast.post(toPortable, 1, 44 * 1_400 + 7, 1_400, 1);
      portable.post(toFast, 1, 10 * 1_400 + 7, 1_400, 1);
      assertTrue(
          turnUntil(
              () ->
                  portable.record().datagrams().size() == 45
                      && fast.record().datagrams().size() == 11,
              fast,
              portable));
      assertEquals(7, portable.record().lengths().getLast());
      assertEquals(7, fast.record().lengths().getLast());
      assertEquals(Set.of(2), Set.copyOf(fast.record().marks()), "the portable driver marks too");
    }
  }

  @Test
  void shouldNotMarkWhenToldNotTo() throws DriverException {
    try (Node sender =
            new Node(LinuxUdpEndpoint.open(new FfmLibc(), Endpoints.settings(8, false)));
        Node receiver = Endpoints.node()) {
      sendMany(sender, receiver, sender.resolve(receiver), 200);
      assertEquals(Set.of(0), Set.copyOf(receiver.record().marks()));
    }
  }

  @Test
  void shouldMarkOnConnectedSocketsToo() throws DriverException {
    LinuxUdpEndpoint endpoint = Endpoints.open();
    try (Node sender = new Node(endpoint);
        Node receiver = Endpoints.node()) {
      sendMany(sender, receiver, sender.resolve(receiver), 200);
      assertEquals(1, endpoint.connectedCount());
      assertEquals(Set.of(2), Set.copyOf(receiver.record().marks()));
    }
  }

  @Test
  void shouldConnectBusyDestinationsOnly() throws DriverException {
    LinuxUdpEndpoint endpoint = Endpoints.open();
    try (Node sender = new Node(endpoint);
        Node busy = Endpoints.node();
        Node idle = Endpoints.node()) {
      int toBusy = sender.resolve(busy);
      int toIdle = sender.resolve(idle);
      sendMany(sender, busy, toBusy, ConnectedSockets.BUSY_TRAINS - 1);
      assertEquals(0, endpoint.connectedCount());
      sendMany(sender, busy, toBusy, 1);
      assertEquals(1, endpoint.connectedCount());
      sendMany(sender, idle, toIdle, 10);
      assertEquals(1, endpoint.connectedCount());
      sendMany(sender, busy, toBusy, 100);
      sender.endpoint().release(toBusy);
      assertEquals(0, endpoint.connectedCount());
      sendMany(sender, busy, sender.resolve(busy), 100);
      assertEquals(1, endpoint.connectedCount());
    }
  }

  @Test
  void shouldNotConnectForFanOut() throws DriverException {
    LinuxUdpEndpoint endpoint = Endpoints.open();
    try (Node sender = new Node(endpoint);
        Node left = Endpoints.node();
        Node right = Endpoints.node()) {
      int toLeft = sender.resolve(left);
      int toRight = sender.resolve(right);
      for (int round = 1; round <= 200; round++) {
        sender.post(toLeft, round, 10, 10, round);
        sender.post(toRight, round, 10, 10, round);
        sender.turn();
        left.turn();
        right.turn();
      }
      assertTrue(turnUntil(() -> left.record().datagrams().size() == 200, left));
      assertTrue(turnUntil(() -> right.record().datagrams().size() == 200, right));
      assertEquals(0, endpoint.connectedCount());
      assertEquals(200, endpoint.counters().sendCalls);
    }
  }

  @Test
  void shouldReceiveFromPeerThatItIsConnectedTo() throws DriverException {
    LinuxUdpEndpoint endpoint = Endpoints.open();
    try (Node left = new Node(endpoint);
        Node right = Endpoints.node()) {
      int toRight = left.resolve(right);
      int toLeft = right.resolve(left);
      for (int i = 0; i < 3; i++) {
        sendMany(left, right, toRight, 100);
        sendMany(right, left, toLeft, 100);
      }
      assertEquals(1, endpoint.connectedCount());
    }
  }

  @Test
  void shouldGiveSocketOfIdleDestinationToBusyOne() throws DriverException {
    LinuxUdpEndpoint endpoint = LinuxUdpEndpoint.open(new FfmLibc(), Endpoints.settings(2, true));
    List<Node> peers = new ArrayList<>();
    try (Node sender = new Node(endpoint)) {
      int[] destinations = new int[4];
      for (int i = 0; i < destinations.length; i++) {
        peers.add(Endpoints.node());
        destinations[i] = sender.resolve(peers.get(i));
      }
      sendMany(sender, peers.get(0), destinations[0], 100);
      sendMany(sender, peers.get(1), destinations[1], 100);
      assertEquals(2, endpoint.connectedCount());
      sendMany(sender, peers.get(2), destinations[2], ConnectedSockets.EPOCH_TRAINS / 2);
      assertTrue(endpoint.isConnected(destinations[0]), "it was used of late");
      sendMany(sender, peers.get(2), destinations[2], ConnectedSockets.EPOCH_TRAINS);
      assertEquals(2, endpoint.connectedCount());
      assertTrue(endpoint.isConnected(destinations[2]));
      assertTrue(!endpoint.isConnected(destinations[0]), "it was used least recently");
      for (int i = 0; i < destinations.length; i++) {
        sendMany(sender, peers.get(i), destinations[i], 10);
      }
    } finally {
      peers.forEach(Node::close);
    }
  }

  /** On loopback: the kernel sends the ICMP message itself. */
  @Test
  void shouldQuoteTheDatagramThatWasRefused() throws DriverException {
    try (Node sender = Endpoints.node()) {
      int dead;
      try (LinuxUdpEndpoint shortLived = Endpoints.open()) {
        dead = sender.endpoint().resolve(shortLived.localAddress());
      }
      SegmentBuffer expected = new SegmentBuffer(new byte[40]);
      Datagrams.writeTrain(expected, 7, 40, 40);
      sender.post(dead, 7, 40, 40, 1);
      assertTrue(turnUntil(() -> !sender.record().quotes().isEmpty(), sender));
      assertEquals(List.of(dead), sender.record().unreachable());
      assertArrayEquals(expected.byteArray(), sender.record().quotes().getFirst());
    }
  }

  @Test
  void shouldReportPeerThatDiedWhileConnected() throws DriverException {
    LinuxUdpEndpoint endpoint = Endpoints.open();
    LinuxUdpEndpoint doomedEndpoint = Endpoints.open();
    try (Node sender = new Node(endpoint);
        Node healthy = Endpoints.node();
        Node doomed = new Node(doomedEndpoint)) {
      int toHealthy = sender.resolve(healthy);
      int toDoomed = sender.resolve(doomed);
      sendMany(sender, healthy, toHealthy, 100);
      sendMany(sender, doomed, toDoomed, 100);
      assertEquals(2, endpoint.connectedCount());
      doomedEndpoint.close();
      for (int i = 0; i < 3; i++) {
        sender.post(toDoomed, i, 10, 10, i);
        sender.turn();
      }
      sender.turn();
      assertEquals(Set.of(toDoomed), Set.copyOf(sender.record().unreachable()));
      sendMany(sender, healthy, toHealthy, 100);
      assertEquals(Set.of(toDoomed), Set.copyOf(sender.record().unreachable()));
    }
  }

  @Test
  void shouldLoseTheShareOfDatagramsAskedFor() throws DriverException {
    System.setProperty(ReceiveLossFilter.PROPERTY, "20");
    try (Node sender = Endpoints.node();
        Node receiver = Endpoints.node()) {
      assertTrue(receiver.endpoint().notices().degraded().getFirst().contains("20.0 %"));
      int destination = sender.resolve(receiver);
      for (int i = 0; i < 250; i++) {
        sender.post(destination, 40L * i, 40 * 100, 100, i);
        sender.turn();
        receiver.turn();
      }
      assertTrue(turnUntil(() -> receiver.turn() == 0, receiver));
      int arrived = receiver.record().datagrams().size();
      assertTrue(arrived > 7_700 && arrived < 8_300, arrived + " of 10000 arrived");
    }
  }

  @Test
  void shouldLoseEverythingAtHundredPercent() throws DriverException {
    try (Node sender = Endpoints.node()) {
      System.setProperty(ReceiveLossFilter.PROPERTY, "100");
      try (Node deaf = Endpoints.node()) {
        int destination = sender.resolve(deaf);
        for (int i = 0; i < 50; i++) {
          sender.post(destination, i, 1_000, 100, i);
          sender.turn();
          assertEquals(0, deaf.turn());
        }
      }
    }
  }

  @Test
  void shouldIgnoreLossThatIsNoNumber() {
    System.setProperty(ReceiveLossFilter.PROPERTY, "a lot");
    assertEquals(0, ReceiveLossFilter.configuredPercent());
    System.setProperty(ReceiveLossFilter.PROPERTY, "250");
    assertEquals(100, ReceiveLossFilter.configuredPercent());
  }

  @Test
  void shouldCountDatagramsThatTheSystemDropped() throws DriverException {
    EndpointSettings tight =
        new EndpointSettings(
            Endpoints.loopback(),
            4_096,
            4 << 20,
            8_972,
            16,
            64,
            true,
            0,
            1,
            NotReadySettings.DEFAULTS);
    try (Node sender = Endpoints.node();
        Node receiver = new Node(LinuxUdpEndpoint.open(new FfmLibc(), tight))) {
      int destination = sender.resolve(receiver);
      for (int i = 0; i < 100; i++) {
        sender.post(destination, i, 1_000, 1_000, i);
        sender.turn();
      }
      assertTrue(turnUntil(() -> receiver.turn() == 0, receiver));
      int arrived = receiver.record().datagrams().size();
      assertTrue(arrived < 100, arrived + " arrived");
      // The kernel reports the drops with the next delivered datagram.
      sender.post(destination, 101, 1_000, 1_000, 101);
      assertTrue(turnUntil(() -> receiver.record().datagrams().size() > arrived, sender, receiver));
      assertEquals(100 - arrived, receiver.endpoint().counters().receiveQueueDrops);
    }
  }

  @Test
  void shouldFailInsteadOfCrashingWhenBufferIsUsedAfterClose() throws DriverException {
    LinuxUdpEndpoint endpoint = Endpoints.open();
    SendBuffer buffer = Objects.requireNonNull(endpoint.acquireSendBuffer());
    endpoint.close();
    assertThrows(IndexOutOfBoundsException.class, () -> buffer.buffer().putLong(0, 1));
    assertEquals(0, endpoint.poll((memory, offset, length, ecn) -> {}, 1));
    endpoint.flush();
  }

  private static void sendMany(Node sender, Node receiver, int destination, int trains) {
    List<byte[]> arrived = receiver.record().datagrams();
    for (int i = 0; i < trains; i++) {
      int expected = arrived.size() + 2;
      sender.post(destination, i, 20, 10, i);
      assertTrue(turnUntil(() -> arrived.size() == expected, sender, receiver));
    }
  }
}
