package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Broadcasts over real sockets by several threads at once, with cancelled broadcasts on the way.
 */
@Timeout(120)
class BroadcastThreadsTest {
  private static final RouteId PARCEL = RouteId.of("parcel");
  private static final int THREADS = 4;
  private static final int EACH = 8;
  private static final int COPIES = 3;

  private record Arrival(int seed, BodyTest.Collector target) {}

  private record Sent(int seed, boolean isCancelled, Broadcast broadcast) {}

  @Test
  void shouldDeliverAndLetGoOfAllThatManyThreadsSend() throws Exception {
    try (TwoNodes nodes = new TwoNodes("millrace.transfers.broadcast-pool = 32 MiB")) {
      Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
      Raw.serveBulkWrites(
          nodes.server,
          PARCEL,
          offer -> {
            BodyTest.Collector target = new BodyTest.Collector();
            arrivals.add(new Arrival(ByteBuffer.wrap(offer.headers().encode()).getInt(), target));
            return CompletableFuture.completedFuture(target);
          });
      List<CompletableFuture<List<Sent>>> threads = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int first = thread * EACH;
        threads.add(CompletableFuture.supplyAsync(() -> send(nodes, first)));
      }
      int delivered = 0;
      for (var thread : threads) {
        for (Sent sent : thread.get(100, TimeUnit.SECONDS)) {
          delivered += check(sent);
        }
      }
      int whole = 0;
      for (Arrival arrival : arrivals) {
        if (arrival.target().end.get(10, TimeUnit.SECONDS)) {
          whole++;
          assertArrayEquals(payload(arrival.seed()), arrival.target().bytes.toByteArray());
        }
      }
      // A cancelled delivery may have been complete already.
      assertTrue(whole >= delivered, whole + " of " + delivered);
      assertTrue(delivered >= THREADS * EACH / 2 * COPIES, delivered + " were delivered");
      assertTrue(
          nodes.awaitUntil(() -> nodes.client.snapshot().buffers().usedBytes() == 0),
          "memory was not given back");
      assertEquals(0, nodes.client.snapshot().buffers().broadcastBytes());
    }
  }

  private static List<Sent> send(TwoNodes nodes, int first) {
    Destination destination = Destination.of(nodes.client.peer(nodes.server.address()));
    List<Sent> all = new ArrayList<>();
    for (int i = 0; i < EACH; i++) {
      int seed = first + i;
      byte[] payload = payload(seed);
      Broadcast broadcast =
          Raw.broadcast(
              nodes.client,
              PARCEL,
              new ArraySource(payload, 0, payload.length),
              ByteBuffer.allocate(Integer.BYTES).putInt(seed).array(),
              List.of(destination, destination.withPriority(0), destination.withPriority(7)));
      boolean isCancelled = i % 2 == 1;
      if (isCancelled) {
        broadcast.deliveries().get(i % COPIES).cancel();
      }
      all.add(new Sent(seed, isCancelled, broadcast));
    }
    return all;
  }

  private static int check(Sent sent) throws Exception {
    int delivered = 0;
    for (DeliveryOutcome outcome : sent.broadcast().outcomes().get(100, TimeUnit.SECONDS)) {
      if (outcome.isDelivered()) {
        delivered++;
        assertEquals(payload(sent.seed()).length, outcome.bytes());
      } else {
        assertTrue(sent.isCancelled(), outcome.toString());
        assertEquals(CallOutcome.CANCELLED, outcome.outcome(), outcome.text());
      }
    }
    return delivered;
  }

  private static byte[] payload(int seed) {
    return BodyTest.random(50_000 + 20_000 * (seed % 20), seed);
  }
}
