package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.node.TransportException;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The snapshots for applications of the receive memory, into which peers write. */
@Timeout(60)
class RegionSnapshotTest {
  private static final RouteId STORE = RouteId.of("store");
  private static final String SETTINGS =
      "millrace.workers.count = 2\nmillrace.regions { sizes = [64 KiB, 256 KiB], counts = [5, 2] }";
  private static final int REGIONS = 7;
  private static final int BODY_BYTES = 3_000_000;

  private static List<RegionSnapshot> regions(Transport node) throws Exception {
    return node.regions().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private static long held(Transport node) {
    try {
      return regions(node).stream().mapToLong(RegionSnapshot::grantedBytes).sum();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldTellOfEachWorkerWhatItsRegionsDo() throws Exception {
    try (TwoNodes nodes = new TwoNodes(SETTINGS)) {
      StalledTarget target = new StalledTarget(1, 1, false);
      Raw.serveBulkWrites(nodes.server, STORE, offer -> CompletableFuture.completedFuture(target));
      List<RegionSnapshot> before = regions(nodes.server);
      assertEquals(List.of(0, 1), before.stream().map(RegionSnapshot::worker).toList());
      for (RegionSnapshot worker : before) {
        assertEquals(new RegionSnapshot.States(REGIONS, 0, 0, 0, 0, 0), worker.states());
        assertEquals(0, worker.grantedBytes());
        assertEquals(0, worker.peakOutstandingBytes());
        assertEquals(
            nodes.server.pool().settings().regions().grantBudgetBytes(), worker.budgetBytes());
      }

      var written =
          Raw.bulkWrite(
              nodes.client.peer(nodes.server.address()),
              STORE,
              new ArraySource(KnownBytes.of(1, BODY_BYTES), 0, BODY_BYTES),
              TransferOptions.DEFAULTS);
      assertTrue(nodes.awaitUntil(() -> target.wasFull() && held(nodes.server) > 0));
      for (RegionSnapshot worker : regions(nodes.server)) {
        assertEquals(REGIONS, worker.states().total());
        assertEquals(worker.grantedBytes() > 0, worker.peakOutstandingBytes() > 0);
        assertTrue(worker.outstandingBytes() <= worker.peakOutstandingBytes());
        assertTrue(worker.peakOutstandingBytes() <= worker.budgetBytes());
      }

      target.letGo();
      nodes.await(written);
      assertTrue(regions(nodes.server).stream().anyMatch(each -> each.peakOutstandingBytes() > 0));
    }
  }

  @Test
  void shouldFailOnceTheTransportIsClosed() {
    TwoNodes nodes = new TwoNodes("");
    // The worker still answers a part of these questions.
    List<CompletableFuture<List<RegionSnapshot>>> asked = new java.util.ArrayList<>();
    for (int i = 0; i < 100; i++) {
      asked.add(nodes.server.regions().toCompletableFuture());
    }
    nodes.close();

    asked.add(nodes.server.regions().toCompletableFuture());
    assertTrue(asked.stream().allMatch(CompletableFuture::isDone));
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> asked.getLast().get());
    assertInstanceOf(TransportException.class, failure.getCause());
  }

  @Test
  void shouldEndTheWorkerWhoseRegionsHaveNoOwnerAndAnswerWhoeverAsksIt() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      assertEquals(1, regions(nodes.server).size());
      Peer peer = nodes.server.peer(nodes.client.address());

      Adapter.toClassic(nodes.server.pool().system())
          .actorSelection("/user/worker-0/regions")
          .tell(PoisonPill.getInstance(), ActorRef.noSender());

      // The worker takes a part of these calls, and has no path to their peer.
      assertTrue(
          nodes.awaitUntil(
              () -> failureOf(Raw.unary(peer, STORE, new byte[8])).contains("WORKER_STOPPED")));
      String unconnected = failureOf(peer.connect());
      assertTrue(unconnected.contains("stopped"), unconnected);
      String untold = failureOf(nodes.server.regions());
      assertTrue(untold.contains("stopped"), untold);
      assertTrue(
          nodes
              .await(nodes.server.drain(Duration.ofSeconds(20)).toCompletableFuture())
              .isComplete());
    }
  }

  private static String failureOf(CompletionStage<?> asked) {
    return asked
        .toCompletableFuture()
        .orTimeout(20, TimeUnit.SECONDS)
        .handle((answer, failure) -> String.valueOf(failure))
        .join();
  }
}
