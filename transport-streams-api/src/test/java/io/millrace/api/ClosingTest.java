package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.event.RecordingEvents;
import io.millrace.testkit.Repetitions;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A node that closes, a peer that closes, or a completion that throws leaves no call without an
 * end.
 */
@Timeout(60)
class ClosingTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final RouteId NEVER = RouteId.of("never");
  private static final int CLIENTS = Repetitions.times(16);

  @Test
  void shouldEndEveryCallAndCallAgainAfterACompletionThrew() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      Transport first = Transport.start(TwoNodes.settings(""));
      CountDownLatch arrived = new CountDownLatch(3);
      Raw.serve(
          first,
          NEVER,
          call -> {
            arrived.countDown();
            return new CompletableFuture<>();
          });
      Peer peer = nodes.client.peer(first.address());
      peer.connect().get(20, TimeUnit.SECONDS);
      CountDownLatch ended = new CountDownLatch(2);
      Raw.unary(peer, UnaryRequest.of(NEVER, new byte[8]), new Throwing(ended));
      Raw.unary(peer, UnaryRequest.of(NEVER, new byte[8]), new Throwing(ended));
      CompletableFuture<UnaryResponse> last = Raw.unary(peer, NEVER, new byte[8]);
      assertTrue(arrived.await(20, TimeUnit.SECONDS));
      first.close();
      assertTrue(ended.await(20, TimeUnit.SECONDS));
      assertEquals(CallOutcome.PEER_RESET, outcome(last));
      assertEquals(2, nodes.clientEvents().count("CompletionFault"));
      assertEquals(0, nodes.clientEvents().count("PeerFault"));
    }
  }

  @Test
  void shouldKeepThePathWhenACompletionThrowsAtItsResponse() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serveOnWorker(
          nodes.server,
          ECHO,
          call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
      CountDownLatch ended = new CountDownLatch(1);
      Raw.unary(nodes.peer(), UnaryRequest.of(ECHO, new byte[8]), new Throwing(ended));
      assertTrue(ended.await(20, TimeUnit.SECONDS));
      Raw.unary(nodes.peer(), ECHO, new byte[8]).get(20, TimeUnit.SECONDS);
      assertEquals(1, nodes.clientEvents().count("CompletionFault"));
      assertEquals(1, nodes.clientEvents().count("PathOpened"));
    }
  }

  @Test
  void shouldKeepTheProcessByOneThreadWhileItServes() throws Exception {
    Thread keeper;
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serve(
          nodes.server,
          ECHO,
          call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
      Raw.unary(nodes.peer(), ECHO, new byte[8]).get(20, TimeUnit.SECONDS);
      List<Thread> own =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().startsWith("millrace"))
              .toList();
      assertTrue(own.size() > 4, own::toString);
      List<Thread> keeping = own.stream().filter(thread -> !thread.isDaemon()).toList();
      assertEquals(1, keeping.size(), keeping::toString);
      keeper = keeping.getFirst();
      assertEquals("millrace-serves-" + nodes.server.address(), keeper.getName());
    }
    assertTrue(keeper.join(Duration.ofSeconds(20)), "it ends with the node");
  }

  /**
   * A shutdown hook of the application that closes the node must find the node in its running
   * state.
   */
  @Test
  void shouldNotBeEndedByAHookOfItsActorSystem() {
    try (TwoNodes nodes = new TwoNodes("")) {
      assertFalse(
          nodes
              .server
              .materializer()
              .system()
              .settings()
              .config()
              .getBoolean("pekko.coordinated-shutdown.run-by-jvm-shutdown-hook"));
    }
  }

  private static long served(Transport server) {
    return server.snapshot().workers().getFirst().transfers().requestsServed();
  }

  @Test
  void shouldTellEveryPeerThatTheNodeCloses() throws Exception {
    Transport server = Transport.start(TwoNodes.settings("millrace.nic.send-buffers = 4"));
    Raw.serve(server, NEVER, call -> new CompletableFuture<>());
    List<Transport> clients = new ArrayList<>();
    List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
    RecordingEvents events = new RecordingEvents(10_000);
    try {
      for (int i = 0; i < CLIENTS; i++) {
        Transport client = Transport.builder(TwoNodes.small("")).events(events).start();
        clients.add(client);
        Peer peer = client.peer(server.address());
        peer.connect().get(20, TimeUnit.SECONDS);
        calls.add(Raw.unary(peer, NEVER, new byte[8]));
      }
      while (served(server) < CLIENTS) {
        Thread.onSpinWait();
      }
      server.close();
      for (CompletableFuture<UnaryResponse> call : calls) {
        assertEquals(CallOutcome.PEER_RESET, outcome(call));
      }
      clients.forEach(Transport::close);
      assertEquals(CLIENTS, events.count("PathClosed"));
    } finally {
      clients.forEach(Transport::close);
      server.close();
    }
  }

  @Test
  void shouldFailToConnectDuringAndAfterTheClose() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      Peer peer = nodes.peer();
      nodes.client.close();
      assertEquals(CallOutcome.HANDSHAKE_FAILED, outcome(peer.connect()));
      assertEquals(CallOutcome.CLOSED, outcome(Raw.unary(peer, ECHO, new byte[8])));
      assertEquals(
          CallOutcome.CLOSED,
          outcome(Raw.unary(nodes.client.peer("127.0.0.1:9"), ECHO, new byte[8])));
    }
  }

  @Test
  void shouldEndCallsThatAreMadeWhileTheNodeCloses() throws Exception {
    for (int round = 0; round < 5; round++) {
      try (TwoNodes nodes = new TwoNodes("")) {
        Raw.serve(nodes.server, NEVER, call -> new CompletableFuture<>());
        for (CompletableFuture<?> one : madeWhileClosing(nodes)) {
          one.handle((done, failure) -> done).get(20, TimeUnit.SECONDS);
        }
      }
    }
  }

  private static List<CompletableFuture<?>> madeWhileClosing(TwoNodes nodes) throws Exception {
    Peer known = nodes.peer();
    known.connect().get(20, TimeUnit.SECONDS);
    List<CompletableFuture<?>> made = new ArrayList<>();
    Thread closing = new Thread(nodes.client::close);
    closing.start();
    for (int port = 1; closing.isAlive(); port = port % 60_000 + 1) {
      Peer peer = port < 500 ? nodes.client.peer("127.0.0.1:" + port) : known;
      if (made.size() < 20_000) {
        made.add(Raw.unary(peer, NEVER, new byte[8]));
        made.add(peer.connect());
      }
    }
    closing.join();
    return made;
  }

  private static CallOutcome outcome(CompletableFuture<?> future) {
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> future.get(20, TimeUnit.SECONDS));
    return assertInstanceOf(CallException.class, failure.getCause()).outcome();
  }

  private record Throwing(CountDownLatch ended) implements WorkerCompletion {
    @Override
    public void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength) {
      ended.countDown();
      throw new IllegalStateException("planted in a completion");
    }

    @Override
    public void onFailure(CallException failure) {
      ended.countDown();
      throw new IllegalStateException("planted in a completion");
    }
  }
}
