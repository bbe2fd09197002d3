package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys change while calls run; only the observer notices. */
@Timeout(60)
class KeyRotationTest {
  private static final RouteId ECHO = RouteId.of("echo");

  @Test
  void shouldChangeKeysUnderLoad() throws Exception {
    try (TwoNodes nodes = new TwoNodes("millrace.crypto.packets-per-key = 10")) {
      Raw.serveOnWorker(
          nodes.server,
          ECHO,
          call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
      Peer peer = nodes.peer();
      for (int round = 0; round < 100; round++) {
        List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          calls.add(Raw.unary(peer, ECHO, new byte[] {(byte) i, (byte) round}));
        }
        for (int i = 0; i < 20; i++) {
          byte[] answer = calls.get(i).get(20, TimeUnit.SECONDS).payload();
          assertArrayEquals(new byte[] {(byte) i, (byte) round}, answer);
        }
      }
      assertTrue(nodes.clientEvents().count("KeyRotated") >= 9);
      assertTrue(nodes.serverEvents().count("KeyRotated") >= 9);
      assertEquals(1, nodes.clientEvents().count("WorkerStarted"));
    }
  }

  @Test
  void shouldReportWhereTheWorkerReallyRuns() {
    try (Transport pinned = Transport.start(TwoNodes.settings("millrace.workers.cores = [0]"));
        Transport refused = Transport.start(TwoNodes.settings("millrace.workers.cores = [9999]"))) {
      assertEquals(0, pinned.snapshot().workers().getFirst().core());
      assertEquals(-1, refused.snapshot().workers().getFirst().core());
    }
  }
}
