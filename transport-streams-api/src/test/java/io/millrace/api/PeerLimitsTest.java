package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.event.RecordingEvents;
import io.millrace.node.CallerLoop;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A node has room for the configured number of peers at once, after any number of earlier peers.
 */
@Timeout(120)
class PeerLimitsTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final String ONE_PEER = "millrace.limits.peers = 1";

  private final RecordingEvents events = new RecordingEvents(100_000);

  @Test
  void shouldTakeAPeerAgainThatWasRestartedThoughNoOtherHasRoom() throws Exception {
    try (Transport server = server(ONE_PEER)) {
      String listen;
      try (Transport client = Transport.start(TwoNodes.settings(""))) {
        call(client, server);
        listen = client.address();
        try (Transport stranger = Transport.start(TwoNodes.settings(""))) {
          CallException refused = failure(stranger, server);
          assertEquals(CallOutcome.PEER_RESET, refused.outcome());
          assertTrue(
              String.valueOf(refused.getMessage())
                  .contains(server.address() + " has as many peers as it allows"),
              refused.getMessage());
        }
      }
      for (int restart = 0; restart < 5; restart++) {
        String address = "millrace.handshake.listen = \"" + listen + "\"";
        try (Transport client = Transport.start(TwoNodes.settings(address))) {
          call(client, server);
        }
      }
    }
    assertTrue(
        events.lines().stream().anyMatch(line -> line.contains("more peers than")),
        () -> events.lines().toString());
  }

  @Test
  void shouldHaveRoomForOthersWhenAPeerHasLeft() throws Exception {
    try (Transport server = server(ONE_PEER)) {
      for (int i = 0; i < 20; i++) {
        long closed = i;
        await(() -> events.count("PathClosed") >= closed);
        try (Transport client = Transport.start(TwoNodes.settings(""))) {
          call(client, server);
        }
      }
    }
  }

  @Test
  void shouldFindOutThatAnIdlePeerDied() throws Exception {
    String fast =
        "millrace.recovery { keep-alive = 200 ms, silence = 50 ms, probe-period = 20 ms,"
            + " fail-after = 200 ms }";
    Transport dead =
        Transport.start(TwoNodes.settings("millrace.workers.idle-strategy = CALLER_RUNS"));
    CallerLoop loop = dead.callerLoops().getFirst();
    try (Transport server = server(ONE_PEER + "\n" + fast);
        Transport next = Transport.start(TwoNodes.settings(""))) {
      CompletableFuture<UnaryResponse> call =
          Raw.unary(dead.peer(server.address()), ECHO, new byte[1]);
      loop.runUntil(call::isDone, loop.nowNs() + TimeUnit.SECONDS.toNanos(20));
      call.get(20, TimeUnit.SECONDS);
      // From here on the test no longer drives the node: for its peer the node is as good as
      // killed.
      await(() -> events.count("PathClosed") == 1);
      call(next, server);
    } finally {
      dead.close();
    }
  }

  @Test
  void shouldKeepIdlePathsOpenWhilePeersAnswer() throws Exception {
    String fast =
        "millrace.recovery { keep-alive = 20 ms, silence = 20 ms, probe-period = 500 ms }";
    try (TwoNodes nodes = new TwoNodes(fast)) {
      Raw.serveOnWorker(nodes.server, ECHO, call -> call.reply(0, 0));
      Raw.unary(nodes.peer(), ECHO, new byte[1]).get(20, TimeUnit.SECONDS);
      long sent = packets(nodes.client);
      await(() -> packets(nodes.client) > sent + 20);
      assertEquals(0, nodes.clientEvents().count("PathClosed"));
      assertEquals(0, nodes.serverEvents().count("PathClosed"));
      assertEquals(0, nodes.serverEvents().count("PeerHealth"));
      Raw.unary(nodes.peer(), ECHO, new byte[1]).get(20, TimeUnit.SECONDS);
      assertEquals(1, nodes.clientEvents().count("HandshakeCompleted"));
    }
  }

  @Test
  void shouldHoldAHundredPeersWithTheDefaultSettings() throws Exception {
    List<Transport> clients = new ArrayList<>();
    ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "clients");
    try (Transport server = server("")) {
      try {
        for (int i = 0; i < 100; i++) {
          // Not the portable driver, with which a hundred idle workers poll for packets all the
          // time.
          clients.add(
              Transport.builder(TwoNodes.small("millrace.nic.driver = auto"))
                  .system(system)
                  .start());
        }
        List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
        for (Transport client : clients) {
          calls.add(Raw.unary(client.peer(server.address()), ECHO, new byte[8_000]));
        }
        for (CompletableFuture<UnaryResponse> call : calls) {
          call.get(60, TimeUnit.SECONDS);
        }
        assertEquals(0, events.count("PathClosed"));
      } finally {
        clients.forEach(Transport::close);
        system.terminate();
      }
    }
  }

  private Transport server(String overrides) {
    Transport server = Transport.builder(TwoNodes.settings(overrides)).events(events).start();
    Raw.serveOnWorker(server, ECHO, call -> call.reply(0, 0));
    return server;
  }

  private static void call(Transport client, Transport server) throws Exception {
    Raw.unary(client.peer(server.address()), ECHO, new byte[1]).get(20, TimeUnit.SECONDS);
  }

  private static CallException failure(Transport client, Transport server) {
    CompletableFuture<UnaryResponse> call =
        Raw.unary(client.peer(server.address()), ECHO, new byte[1]);
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
    return assertInstanceOf(CallException.class, failure.getCause());
  }

  private static long packets(Transport transport) {
    return transport.snapshot().workers().getFirst().packets().sent();
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      assertFalse(Thread.interrupted(), "timed out");
      Thread.yield();
    }
  }
}
