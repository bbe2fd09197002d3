package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The node ends each given source and target exactly once, at every end of the transfer. */
@Timeout(60)
class OwnershipTest {
  private static final RouteId ROUTE = RouteId.of("route");
  private static final int LENGTH = 100_000;
  private static final TransferOptions LONG =
      TransferOptions.DEFAULTS.withHeaders(new byte[(16 << 10) + 1]);

  /** A source with no bytes, or no bytes yet, that counts its closes. */
  private static final class Watched implements BodySource {
    private final AtomicInteger closed = new AtomicInteger();

    @Override
    public long lengthBytes() {
      return LENGTH;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return 0;
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  /** A target that counts the calls that end the target. */
  private static final class Counted implements BodyTarget {
    private final AtomicInteger aborted = new AtomicInteger();

    @Override
    public void write(byte[] from, int offset, int length) {
      throw new IllegalStateException("nothing is written");
    }

    @Override
    public void complete() {
      throw new IllegalStateException("nothing is complete");
    }

    @Override
    public void abort(Throwable cause) {
      aborted.incrementAndGet();
    }
  }

  private interface Giving {
    CompletionStage<?> give(TwoNodes nodes, BodySource source);
  }

  private static List<Destination> toServer(TwoNodes nodes) {
    return List.of(Destination.of(nodes.peer()));
  }

  @Test
  @SuppressWarnings("NullAway") // an application without annotations can pass such arguments
  void shouldCloseASourceWhereTheArgumentsAreWrong() throws Exception {
    List<Giving> wrong =
        List.of(
            (nodes, source) -> Raw.bulkWrite(nodes.peer(), ROUTE, source, LONG),
            (nodes, source) -> Raw.bulkWrite(nodes.peer(), ROUTE, source, null),
            (nodes, source) ->
                Raw.bulkWrite(nodes.peer(), (RouteId) null, source, TransferOptions.DEFAULTS),
            (nodes, source) -> Raw.seal(nodes.client, source, LONG.headerBlock()),
            (nodes, source) -> Raw.seal(nodes.client, source, (byte[]) null, Protection.SEALED),
            (nodes, source) ->
                Raw.broadcast(nodes.client, ROUTE, source, LONG.headerBlock(), toServer(nodes))
                    .outcomes(),
            (nodes, source) ->
                Raw.broadcast(nodes.server, ROUTE, source, new byte[0], toServer(nodes))
                    .outcomes());
    try (TwoNodes nodes = new TwoNodes("")) {
      for (Giving giving : wrong) {
        Watched source = new Watched();
        assertThrows(RuntimeException.class, () -> giving.give(nodes, source));
        assertEquals(1, source.closed.get(), "case " + wrong.indexOf(giving));
      }
      for (TransferOptions options : new TransferOptions[] {LONG, null}) {
        Counted target = new Counted();
        assertThrows(
            RuntimeException.class, () -> Raw.bulkRead(nodes.peer(), ROUTE, target, options));
        assertEquals(1, target.aborted.get());
      }
      assertEquals(0, nodes.client.snapshot().buffers().usedBytes());
    }
  }

  /** The options wait for a token of another node: no transfer begins. */
  @Test
  void shouldHoldNoPayloadForACallThatDoesNotBegin() throws Exception {
    try (TwoNodes nodes = new TwoNodes("");
        CausalityScope scope = nodes.server.causalityScope()) {
      TransferOptions wrong = TransferOptions.DEFAULTS.after(scope.begin());
      Route<?, ?> route = Raw.elements(ROUTE);
      SealedPayload payload =
          nodes.await(Raw.seal(nodes.client, new ArraySource(new byte[10], 0, 10), new byte[0]));
      assertThrows(
          IllegalArgumentException.class, () -> nodes.peer().bulkWrite(route, payload, wrong));
      assertThrows(IllegalArgumentException.class, () -> nodes.peer().unary(route, payload, wrong));
      payload.close();
      assertTrue(nodes.awaitUntil(() -> nodes.client.snapshot().buffers().broadcastBytes() == 0));
    }
  }

  @Test
  void shouldEndWhatIsGivenToANodeThatIsOver() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      Peer peer = nodes.peer();
      assertTrue(
          nodes
              .await(nodes.client.drain(Duration.ofSeconds(20)).toCompletableFuture())
              .isComplete());
      assertEnded(nodes, peer, CallOutcome.SHUTTING_DOWN);
      nodes.client.close();
      assertEnded(nodes, peer, CallOutcome.CLOSED);
      Watched sealed = new Watched();
      assertEquals(
          CallOutcome.CLOSED,
          StreamChecks.failure(nodes, Raw.seal(nodes.client, sealed, new byte[0])).outcome());
      assertTrue(nodes.awaitUntil(() -> sealed.closed.get() == 1));
    }
  }

  private static void assertEnded(TwoNodes nodes, Peer peer, CallOutcome outcome) {
    Watched source = new Watched();
    CompletionStage<?> written = Raw.bulkWrite(peer, ROUTE, source, TransferOptions.DEFAULTS);
    assertEquals(outcome, StreamChecks.failure(nodes, written).outcome());
    assertTrue(nodes.awaitUntil(() -> source.closed.get() == 1));
    Counted target = new Counted();
    CompletionStage<?> read = Raw.bulkRead(peer, ROUTE, target, TransferOptions.DEFAULTS);
    assertEquals(outcome, StreamChecks.failure(nodes, read).outcome());
    assertTrue(nodes.awaitUntil(() -> target.aborted.get() == 1));
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldGiveBackTheMemoryOfASealThatIsCancelled(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Watched source = new Watched();
          CompletableFuture<SealedPayload> sealed = Raw.seal(nodes.client(), source, new byte[10]);
          assertTrue(nodes.awaitUntil(() -> nodes.client().snapshot().buffers().usedBytes() > 0));
          assertTrue(sealed.cancel(true));
          assertTrue(nodes.awaitUntil(() -> nodes.client().snapshot().buffers().usedBytes() == 0));
          assertTrue(nodes.awaitUntil(() -> source.closed.get() == 1));
          // The account for several peers learns of the end on its own thread, after the memory is
          // free.
          assertTrue(
              nodes.awaitUntil(() -> nodes.client().snapshot().buffers().broadcastBytes() == 0));
          assertThrows(CancellationException.class, sealed::join);

          CompletableFuture<List<SealedPayload>> batch =
              Raw.sealAll(nodes.client(), List.of(new byte[LENGTH], new byte[10]), new byte[10]);
          if (!batch.cancel(true)) {
            batch.join().forEach(SealedPayload::close);
          }
          assertTrue(
              nodes.awaitUntil(() -> nodes.client().snapshot().buffers().broadcastBytes() == 0));
          Remains.awaitNone(nodes, world);
        });
  }
}
