package io.millrace.testkit.driver;

import static io.millrace.testkit.internal.driver.Node.turnUntil;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointSettings;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.driver.Node;
import io.millrace.testkit.internal.driver.RecordingHandler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Wrong addresses, absent peers, and datagrams that are too large. */
interface FaultContract extends DriverUnderTest {
  @Test
  default void shouldRefuseAddressOfAnotherFamily() throws DriverException {
    try (Endpoint endpoint = open()) {
      EndpointAddress foreign =
          new EndpointAddress("carrier-pigeon", endpoint.localAddress().bytes());
      DriverException e = assertThrows(DriverException.class, () -> endpoint.resolve(foreign));
      assertTrue(String.valueOf(e.getMessage()).contains("carrier-pigeon"), e::toString);
    }
  }

  @Test
  default void shouldRefuseMalformedAddress() throws DriverException {
    try (Endpoint endpoint = open()) {
      for (EndpointAddress malformed : malformedAddresses()) {
        assertThrows(DriverException.class, () -> endpoint.resolve(malformed), malformed::toString);
      }
    }
  }

  @Test
  default void shouldResolveAgainAfterRelease() throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      for (int round = 1; round <= 1_000; round++) {
        sender.endpoint().release(sender.resolve(receiver));
      }
      int destination = sender.resolve(receiver);
      sender.post(destination, 1, 10, 10, 1);
      assertTrue(turnUntil(() -> !receiver.record().datagrams().isEmpty(), sender, receiver));
    }
  }

  @Test
  default void shouldKeepDestinationsApartWhenOneIsReleased() throws DriverException {
    try (Node sender = new Node(open());
        Node first = new Node(open());
        Node second = new Node(open())) {
      int toFirst = sender.resolve(first);
      sender.post(toFirst, 1, 10, 10, 1);
      sender.endpoint().release(toFirst);
      int toSecond = sender.resolve(second);
      sender.post(toSecond, 2, 20, 20, 2);
      assertTrue(turnUntil(() -> !second.record().datagrams().isEmpty(), sender, first, second));
      assertEquals(List.of(20), second.record().lengths(), "only its own datagrams");
    }
  }

  @Test
  default void shouldReachHealthyPeerBesideDeadOne() throws DriverException {
    try (Node sender = new Node(open());
        Node healthy = new Node(open())) {
      int dead = resolveDead(sender);
      int alive = sender.resolve(healthy);
      for (int round = 1; round <= 200; round++) {
        sender.post(dead, round, 20, 10, -round);
        sender.turn();
        sender.post(alive, round, 20, 10, round);
        int expected = 2 * round;
        assertTrue(
            turnUntil(() -> healthy.record().datagrams().size() == expected, sender, healthy),
            "round " + round);
      }
      List<RecordingHandler.Completion> completions = sender.record().completions();
      assertTrue(turnUntil(() -> completions.size() == 400, sender, healthy));
      assertFalse(sender.record().unreachable().contains(alive));
      for (RecordingHandler.Completion completion : completions) {
        assertTrue(
            completion.context() < 0 || completion.status() == CompletionHandler.STATUS_OK,
            completion::toString);
      }
    }
  }

  @Test
  default void shouldReportDeadPeerWhereItCan() throws DriverException {
    try (Node sender = new Node(open())) {
      assumeTrue(sender.endpoint().capabilities().errorQueue(), "no error queue");
      int dead = resolveDead(sender);
      sender.post(dead, 1, 10, 10, 1);
      List<Integer> unreachable = sender.record().unreachable();
      assertTrue(turnUntil(() -> !unreachable.isEmpty(), sender));
      assertEquals(dead, unreachable.getFirst());
      for (byte[] quote : sender.record().quotes()) {
        assertTrue(quote.length <= 10, "no more than was sent");
      }
    }
  }

  private int resolveDead(Node sender) throws DriverException {
    try (Endpoint shortLived = open()) {
      return sender.endpoint().resolve(shortLived.localAddress());
    }
  }

  @Test
  default void shouldNotDeliverPartOfLargeDatagram() throws DriverException {
    EndpointSettings given = settings();
    EndpointSettings small =
        new EndpointSettings(
            given.bindAddress(),
            given.receiveBufferBytes(),
            given.sendBufferBytes(),
            500,
            given.sendBuffers(),
            given.maxTrainPackets(),
            given.ecn(),
            given.connectedSockets(),
            1,
            given.notReady());
    try (Node sender = new Node(open());
        Node receiver = new Node(provider().open(small))) {
      int destination = sender.resolve(receiver);
      sender.post(destination, 1, 501, 501, 1);
      sender.post(destination, 2, 500, 500, 2);
      assertTrue(turnUntil(() -> !receiver.record().datagrams().isEmpty(), sender, receiver));
      assertEquals(List.of(500), receiver.record().lengths());
      assertEquals(1, receiver.endpoint().counters().oversizedDrops);
      assertEquals(1, receiver.endpoint().counters().datagramsReceived);
    }
  }

  @Test
  default void shouldNoticeSecondThread() throws DriverException {
    assumeTrue(noticesSecondThread(), "this driver does not watch its threads");
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      sender.post(sender.resolve(receiver), 1, 10, 10, 1);
      List<Throwable> caught = new ArrayList<>();
      CompletionHandler intruder =
          new CompletionHandler() {
            @Override
            public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
              caught.add(pollFromAnotherThread(receiver));
            }
          };
      assertTrue(
          turnUntil(
              () -> {
                receiver.endpoint().poll(intruder, 1);
                return !caught.isEmpty();
              },
              sender));
      assertInstanceOf(AssertionError.class, caught.getFirst());
      assertEquals(0, receiver.turn(), "the endpoint still serves its own thread");
    }
  }

  private static Throwable pollFromAnotherThread(Node node) {
    List<Throwable> caught = new ArrayList<>();
    Thread intruder = new Thread(() -> node.endpoint().poll(node.record(), 1), "intruder");
    intruder.setUncaughtExceptionHandler((thread, e) -> caught.add(e));
    intruder.start();
    try {
      intruder.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return caught.isEmpty() ? new IllegalStateException("not noticed") : caught.getFirst();
  }
}
