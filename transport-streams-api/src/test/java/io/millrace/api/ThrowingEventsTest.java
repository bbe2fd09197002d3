package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.event.TransportEvents;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A throwing subscriber does no harm to the node or to other subscribers. */
@Timeout(60)
class ThrowingEventsTest {
  private static final RouteId ECHO = RouteId.of("echo");

  /**
   * A subscriber that throws on the worker's thread, when a path opens and ends, and on the
   * handshake's thread.
   */
  private static final class Throwing implements TransportEvents {
    private final AtomicInteger throwing = new AtomicInteger();

    private IllegalStateException fault() {
      throwing.incrementAndGet();
      return new IllegalStateException("on purpose");
    }

    @Override
    public void onWorkerStarted(int worker, String thread, int core) {
      throw fault();
    }

    @Override
    public void onHandshakeStarted(String peer) {
      throw fault();
    }

    @Override
    public void onHandshakeCompleted(String peer, long rttNs, boolean postQuantum) {
      throw fault();
    }

    @Override
    public void onPathOpened(int worker, String peer, long pathId) {
      throw fault();
    }

    @Override
    public void onPathMaxDatagramChanged(int worker, String peer, int bytes) {
      throw fault();
    }

    @Override
    public void onPathClosed(int worker, String peer, long pathId, String reason) {
      throw fault();
    }
  }

  @Test
  void shouldCarryCallsAndBodiesAllTheSame() throws Exception {
    Throwing client = new Throwing();
    Throwing server = new Throwing();
    try (TwoNodes nodes = new TwoNodes("", b -> b.events(server), b -> b.events(client))) {
      Raw.serve(
          nodes.server,
          ECHO,
          call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
      Peer peer = nodes.client.peer(nodes.server.address());
      for (int bytes : new int[] {8, 300_000}) {
        byte[] payload = new byte[bytes];
        assertArrayEquals(
            payload, Raw.unary(peer, ECHO, payload).get(20, TimeUnit.SECONDS).payload());
      }
    }
    assertTrue(client.throwing.get() >= 4, () -> "the client's threw " + client.throwing);
    assertTrue(server.throwing.get() >= 3, () -> "the server's threw " + server.throwing);
  }
}
