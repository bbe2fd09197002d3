package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.event.TransportEvents;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The node reports unclosed sealed payloads by name, and frees their memory. */
@Timeout(120)
class DroppedPayloadTest {
  private static final RouteId STORE = RouteId.of("store");
  private static final int BYTES = 300_001;
  private static final byte[] NO_HEADERS = {};

  private record Leak(String owner, long bytes, int references) {}

  private final Queue<Leak> leaks = new ConcurrentLinkedQueue<>();
  private final Queue<Integer> scopes = new ConcurrentLinkedQueue<>();
  private final TransportEvents events =
      new TransportEvents() {
        @Override
        public void onBufferLeaked(String owner, long bytes, int references) {
          leaks.add(new Leak(owner, bytes, references));
        }

        @Override
        public void onScopeLeaked(int open) {
          scopes.add(open);
        }
      };

  private TwoNodes nodes() {
    return new TwoNodes("", builder -> builder, builder -> builder.events(events));
  }

  private static SealedPayload seal(TwoNodes nodes) throws Exception {
    return nodes.await(
        Raw.seal(nodes.client, new ArraySource(KnownBytes.of(1, BYTES), 0, BYTES), NO_HEADERS));
  }

  /** Drops a payload in a method of its own, so no live stack frame refers to the payload. */
  private static void drop(TwoNodes nodes) throws Exception {
    assertEquals(1, seal(nodes).refCount());
  }

  private static boolean awaitCollected(TwoNodes nodes, java.util.function.BooleanSupplier seen) {
    return nodes.awaitUntil(
        () -> {
          System.gc();
          return seen.getAsBoolean();
        });
  }

  @Test
  void shouldNameTheOwnerAndTakeTheMemoryBack() throws Exception {
    try (TwoNodes nodes = nodes()) {
      SealedPayload held = seal(nodes);
      long heldBytes = nodes.client.snapshot().buffers().usedBytes();
      seal(nodes).close();
      drop(nodes);
      assertTrue(nodes.client.snapshot().buffers().usedBytes() > heldBytes);

      assertTrue(
          awaitCollected(
              nodes,
              () ->
                  nodes.client.snapshot().buffers().usedBytes() == heldBytes && !leaks.isEmpty()));

      assertEquals(List.of(new Leak("sealed payload", BYTES, 1)), List.copyOf(leaks));
      assertEquals(BYTES, nodes.client.snapshot().buffers().broadcastBytes());
      assertEquals(1, held.refCount());
      held.close();
      assertEquals(0, nodes.client.snapshot().buffers().usedBytes());
    }
    assertEquals(1, leaks.size());
  }

  private static void dropScope(TwoNodes nodes) {
    nodes.client.causalityScope().begin();
  }

  @Test
  void shouldTellOfAScopeThatWasDropped() throws Exception {
    try (TwoNodes nodes = nodes()) {
      dropScope(nodes);
      assertTrue(awaitCollected(nodes, () -> !scopes.isEmpty()));
      assertEquals(List.of(1), List.copyOf(scopes));
    }
  }

  @Test
  void shouldNameABatchOfWhichOneWasDropped() throws Exception {
    try (TwoNodes nodes = nodes()) {
      SealedPayload held =
          nodes
              .await(
                  Raw.sealAll(
                      nodes.client,
                      List.of(KnownBytes.of(1, 1_000), KnownBytes.of(2, 2_000)),
                      NO_HEADERS))
              .getFirst();

      assertTrue(awaitCollected(nodes, () -> !leaks.isEmpty()));

      assertEquals(List.of(new Leak("batch of sealed payloads", 2_000, 1)), List.copyOf(leaks));
      assertTrue(nodes.client.snapshot().buffers().usedBytes() > 0);
      held.close();
      // One thread reports the leak while another thread gives the memory back.
      assertTrue(nodes.awaitUntil(() -> nodes.client.snapshot().buffers().usedBytes() == 0));
    }
  }

  private static Broadcast broadcast(TwoNodes nodes) throws Exception {
    Peer peer = nodes.client.peer(nodes.server.address());
    return Raw.broadcast(nodes.client, STORE, seal(nodes), List.of(Destination.of(peer)));
  }

  @Test
  void shouldSendWhatWasBegunToItsEnd() throws Exception {
    try (TwoNodes nodes = nodes()) {
      StalledTarget target = new StalledTarget(1, 1, false);
      Raw.serveBulkWrites(nodes.server, STORE, offer -> CompletableFuture.completedFuture(target));
      Broadcast broadcast = broadcast(nodes);
      assertTrue(nodes.awaitUntil(target::wasFull));

      assertTrue(awaitCollected(nodes, () -> !leaks.isEmpty()));
      target.letGo();
      nodes.await(broadcast.outcomes());

      assertTrue(nodes.awaitUntil(() -> nodes.client.snapshot().buffers().usedBytes() == 0));
      target.assertWhole(BYTES);
      assertEquals("sealed payload", leaks.element().owner());
      assertEquals(2, leaks.element().references());
    }
    assertEquals(1, leaks.size());
  }

  @Test
  void shouldTellWhatIsHeldWhenTheTransportHasClosed() throws Exception {
    TwoNodes nodes = nodes();
    SealedPayload held = seal(nodes);
    nodes.close();
    nodes.close();

    assertEquals(2, leaks.size(), "its two ranges");
    assertEquals("sealed payload", leaks.element().owner());
    held.close();
    assertEquals(2, leaks.size());
  }
}
