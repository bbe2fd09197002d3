package io.millrace.testkit.driver;

import static io.millrace.testkit.internal.driver.Node.turnUntil;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.driver.Capabilities;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointSettings;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.driver.Datagrams;
import io.millrace.testkit.internal.driver.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Sent datagrams arrive: whole, in order within a train, once, at their destination. */
interface DeliveryContract extends DriverUnderTest {
  @Test
  default void shouldDeliverOneDatagram() throws DriverException {
    assertTrainArrives(100, 100);
  }

  @Test
  default void shouldDeliverDatagramOfOneByte() throws DriverException {
    assertTrainArrives(1, 1);
  }

  @Test
  default void shouldDeliverShortTrainAsOneDatagram() throws DriverException {
    assertTrainArrives(100, 1_000);
  }

  @Test
  default void shouldDeliverTrainOfEqualDatagrams() throws DriverException {
    assertTrainArrives(5 * 1_000, 1_000);
  }

  @Test
  default void shouldDeliverTrainWithShortTail() throws DriverException {
    assertTrainArrives(5 * 1_000 + 1, 1_000);
    assertTrainArrives(5 * 1_000 + 999, 1_000);
  }

  @Test
  default void shouldDeliverLongestTrain() throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      Capabilities capabilities = sender.endpoint().capabilities();
      int packets = capabilities.maxTrainPackets();
      int segment =
          Math.min(
              Math.min(1_200, capabilities.maxDatagramBytes()),
              capabilities.maxTrainBytes() / packets);
      assertTrainArrives(sender, receiver, packets * segment, segment);
    }
  }

  @Test
  default void shouldDeliverTrainOfMostBytes() throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      int length = sender.endpoint().capabilities().maxTrainBytes();
      int segment = sender.endpoint().capabilities().maxDatagramBytes();
      assertTrainArrives(sender, receiver, length, segment);
    }
  }

  @Test
  default void shouldDeliverLargestDatagram() throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      int destination = sender.resolve(receiver);
      int length = sender.endpoint().pathMaxDatagramBytes(destination);
      assertTrue(length > 0 && length <= sender.endpoint().capabilities().maxDatagramBytes());
      assertTrainArrives(sender, receiver, length, length);
    }
  }

  @Test
  default void shouldDeliverFromEverySourcePort() throws DriverException {
    EndpointSettings several = settings().withSourcePorts(3);
    try (Node sender = new Node(provider().open(several));
        Node receiver = new Node(open())) {
      int destination = sender.resolve(receiver);
      int ports = sender.endpoint().sourcePorts();
      assertTrue(ports == 1 || ports == 3, ports + " source ports");
      for (int port = 0; port < ports; port++) {
        sender.post(port, destination, port, 100);
      }
      assertTrue(
          turnUntil(() -> receiver.record().datagrams().size() == ports, sender, receiver),
          () -> receiver.record().datagrams().size() + " of " + ports + " arrived");
      assertEquals(0, sender.endpoint().counters().sendFailures);
    }
  }

  private void assertTrainArrives(int length, int segmentLength) throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      assertTrainArrives(sender, receiver, length, segmentLength);
    }
  }

  private static void assertTrainArrives(Node sender, Node receiver, int length, int segmentLength)
      throws DriverException {
    int destination = sender.resolve(receiver);
    int expected = (length + segmentLength - 1) / segmentLength;
    List<byte[]> arrived = receiver.record().datagrams();
    sender.post(destination, 7, length, segmentLength, 1);
    assertTrue(
        turnUntil(() -> arrived.size() >= expected, sender, receiver),
        () -> arrived.size() + " of " + expected + " arrived");
    receiver.turn();
    assertEquals(expected, arrived.size());
    for (int i = 0; i < expected; i++) {
      int bytes = Math.min(segmentLength, length - i * segmentLength);
      assertArrayEquals(Datagrams.bytes(7 + i, bytes), arrived.get(i), "datagram " + i);
    }
  }

  @Test
  default void shouldKeepEveryByteOfRandomTrains() throws DriverException {
    long seed = Long.getLong("millrace.test.seed", System.nanoTime());
    System.out.println(provider().name() + " random trains: -Dmillrace.test.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      int destination = sender.resolve(receiver);
      Capabilities capabilities = sender.endpoint().capabilities();
      List<byte[]> arrived = receiver.record().datagrams();
      long number = 0;
      for (int round = 0; round < 300; round++) {
        int segment = 1 + random.nextInt(capabilities.maxDatagramBytes());
        int most = Math.min(capabilities.maxTrainBytes(), segment * capabilities.maxTrainPackets());
        int length = 1 + random.nextInt(most);
        int packets = (length + segment - 1) / segment;
        sender.post(destination, number, length, segment, round);
        arrived.clear();
        assertTrue(turnUntil(() -> arrived.size() >= packets, sender, receiver), "seed " + seed);
        for (byte[] datagram : arrived) {
          assertTrue(Datagrams.isDatagram(datagram, number++), "seed " + seed);
        }
      }
    }
  }

  @Test
  default void shouldDeliverEachTrainToItsOwnDestination() throws DriverException {
    int peers = 12;
    List<Node> nodes = new ArrayList<>();
    try (Node sender = new Node(open())) {
      int[] destinations = new int[peers];
      for (int i = 0; i < peers; i++) {
        nodes.add(new Node(open()));
        destinations[i] = sender.resolve(nodes.get(i));
      }
      for (int i = 0; i < peers; i++) {
        sender.post(destinations[i], 1_000L * i, 300 + i, 100, i);
      }
      nodes.add(sender);
      Node[] all = nodes.toArray(Node[]::new);
      assertTrue(turnUntil(() -> received(nodes) == peers * 4 - 1, all));
      for (int i = 0; i < peers; i++) {
        List<byte[]> arrived = nodes.get(i).record().datagrams();
        assertEquals(i == 0 ? 3 : 4, arrived.size());
        for (int k = 0; k < arrived.size(); k++) {
          assertTrue(Datagrams.isDatagram(arrived.get(k), 1_000L * i + k));
        }
      }
    } finally {
      nodes.forEach(Node::close);
    }
  }

  private static int received(List<Node> nodes) {
    return nodes.stream().mapToInt(node -> node.record().datagrams().size()).sum();
  }

  @Test
  default void shouldCarryBothDirections() throws DriverException {
    try (Node left = new Node(open());
        Node right = new Node(open())) {
      int toRight = left.resolve(right);
      int toLeft = right.resolve(left);
      for (int round = 1; round <= 100; round++) {
        int expected = round;
        left.post(toRight, round, 64, 64, round);
        assertTrue(turnUntil(() -> right.record().datagrams().size() == expected, left, right));
        right.post(toLeft, -round, 64, 64, round);
        assertTrue(turnUntil(() -> left.record().datagrams().size() == expected, left, right));
        assertTrue(Datagrams.isDatagram(right.record().datagrams().getLast(), round));
        assertTrue(Datagrams.isDatagram(left.record().datagrams().getLast(), -round));
      }
    }
  }

  @Test
  default void shouldLetHandlerWriteIntoDatagram() throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      int destination = sender.resolve(receiver);
      sender.post(destination, 1, 3_000, 1_000, 1);
      CompletionHandler scribbler =
          new CompletionHandler() {
            @Override
            public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
              receiver.record().onReceive(buffer, offset, length, ecn);
              buffer.setMemory(offset, length, (byte) 0x55);
            }
          };
      List<byte[]> arrived = receiver.record().datagrams();
      assertTrue(
          turnUntil(
              () -> {
                receiver.endpoint().poll(scribbler, 1);
                return arrived.size() >= 3;
              },
              sender));
      for (int i = 0; i < 3; i++) {
        assertTrue(Datagrams.isDatagram(arrived.get(i), 1 + i), "datagram " + i);
      }
    }
  }

  @Test
  default void shouldLetHandlerPost() throws DriverException {
    try (Node client = new Node(open());
        Node server = new Node(open())) {
      int toServer = client.resolve(server);
      int toClient = server.resolve(client);
      CompletionHandler echo =
          new CompletionHandler() {
            @Override
            public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
              server.post(toClient, 5, 50, 50, 5);
            }
          };
      client.post(toServer, 4, 40, 40, 4);
      List<byte[]> arrived = client.record().datagrams();
      assertTrue(
          turnUntil(
              () -> {
                server.endpoint().poll(echo, 8);
                server.endpoint().flush();
                return !arrived.isEmpty();
              },
              client));
      assertArrayEquals(Datagrams.bytes(5, 50), arrived.getFirst());
    }
  }

  @Test
  default void shouldTellWhereDatagramCameFrom() throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      int destination = sender.resolve(receiver);
      List<EndpointAddress> sources = new ArrayList<>();
      CompletionHandler handler =
          (buffer, offset, length, ecn) -> {
            EndpointAddress source = receiver.endpoint().receiveSource();
            if (source != null) {
              sources.add(source);
            }
          };
      AtomicInteger arrived = new AtomicInteger();
      sender.post(destination, 1, 100, 100, 1);
      assertTrue(
          turnUntil(() -> arrived.addAndGet(receiver.endpoint().poll(handler, 1)) > 0, sender));
      List<EndpointAddress> told =
          tellsSources() ? List.of(sender.endpoint().localAddress()) : List.of();
      assertEquals(told, sources);
      assertNull(receiver.endpoint().receiveSource());
    }
  }

  @Test
  default void shouldReturnZeroFromPollWithNothingThere() throws DriverException {
    try (Node node = new Node(open())) {
      assertEquals(0, node.endpoint().poll(node.record(), 64));
      assertEquals(0, node.turn());
      assertEquals(2, node.endpoint().counters().emptyPolls);
    }
  }

  @Test
  default void shouldReadMarksWhereItCan() throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      assumeTrue(receiver.endpoint().capabilities().ecn(), "this driver does not read marks");
      sender.post(sender.resolve(receiver), 1, 2_500, 1_000, 1);
      List<Integer> marks = receiver.record().marks();
      assertTrue(turnUntil(() -> marks.size() >= 3, sender, receiver));
      assertEquals(List.of(2, 2, 2), marks);
    }
  }
}
