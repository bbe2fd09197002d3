package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.event.EventSubscription;
import io.millrace.event.RecordingEvents;
import io.millrace.event.TransportEvents;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Subscribers of a running transport: several, slow, throwing, coming and going. */
@Timeout(120)
class EventSubscriptionTest {
  private static final RouteId ECHO = RouteId.of("echo");

  private static TwoNodes nodes() {
    TwoNodes nodes = new TwoNodes("");
    Raw.serve(
        nodes.server,
        ECHO,
        call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
    return nodes;
  }

  private static void call(TwoNodes nodes) throws Exception {
    byte[] payload = KnownBytes.of(1, 1_000);
    Peer peer = nodes.client.peer(nodes.server.address());
    assertArrayEquals(payload, nodes.await(Raw.unary(peer, ECHO, payload)).payload());
  }

  /**
   * A subscriber that blocks its thread at a handshake event until the test releases the thread.
   */
  private static final class Hanging implements TransportEvents {
    private final AtomicReference<Thread> told = new AtomicReference<>();
    private final CountDownLatch goingOn = new CountDownLatch(1);

    @Override
    public void onHandshakeStarted(String peer) {
      told.set(Thread.currentThread());
      try {
        goingOn.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final class Throwing implements TransportEvents {
    @Override
    public void onPathOpened(int worker, String peer, long pathId) {
      throw new IllegalStateException("on purpose");
    }
  }

  @Test
  void shouldCarryCallsWhileOneHangsAndOneThrows() throws Exception {
    Hanging hanging = new Hanging();
    RecordingEvents heard = new RecordingEvents(1_000);
    try (TwoNodes nodes = nodes()) {
      EventSubscription hung = nodes.client.subscribe(hanging, 2);
      nodes.client.subscribe(new Throwing());
      nodes.client.subscribe(heard);
      for (int i = 0; i < 100; i++) {
        call(nodes);
      }
      assertTrue(nodes.awaitUntil(() -> heard.count("PathOpened") == 1));
      assertTrue(nodes.awaitUntil(() -> hanging.told.get() != null));
      assertTrue(
          nodes.client.pool().workers().stream()
              .noneMatch(each -> each.thread().equals(hanging.told.get().getName())));
      // The workers still report events, which this subscriber no longer gets.
      nodes.server.close();
      assertTrue(nodes.awaitUntil(() -> hung.dropped() > 0));
      hanging.goingOn.countDown();
    }
    assertEquals(1, heard.count("PathClosed"), () -> "heard " + heard.lines());
  }

  @Test
  void shouldHearTheSameAsWhoWasThereFromTheStart() throws Exception {
    TwoNodes nodes = nodes();
    RecordingEvents heard = new RecordingEvents(1_000);
    int before = nodes.clientEvents().lines().size();
    nodes.client.subscribe(heard);
    call(nodes);
    nodes.close();
    // Two threads that report events at the same time may report in either order.
    assertEquals(
        nodes.clientEvents().lines().stream().skip(before).sorted().toList(),
        heard.lines().stream().sorted().toList());
    assertThrows(IllegalStateException.class, () -> nodes.client.subscribe(heard));
  }

  @Test
  void shouldLeaveWhileItIsToldSomething() throws Exception {
    try (TwoNodes nodes = nodes()) {
      AtomicReference<EventSubscription> own = new AtomicReference<>();
      RecordingEvents later = new RecordingEvents(1_000);
      CountDownLatch left = new CountDownLatch(1);
      own.set(
          nodes.client.subscribe(
              new TransportEvents() {
                @Override
                public void onHandshakeStarted(String peer) {
                  own.get().close();
                  left.countDown();
                }

                @Override
                public void onPathOpened(int worker, String peer, long pathId) {
                  later.onPathOpened(worker, peer, pathId);
                }
              }));
      call(nodes);
      left.await();
      RecordingEvents heard = new RecordingEvents(1_000);
      nodes.client.subscribe(heard);
      nodes.server.close();
      assertTrue(nodes.awaitUntil(() -> heard.count("PathClosed") == 1));
      assertEquals(0, later.lines().size());
    }
  }
}
