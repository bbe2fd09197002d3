package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.actor.WorkerCommand;
import io.millrace.event.RecordingEvents;
import io.millrace.node.TransportException;
import io.millrace.path.peer.WorkerRemains;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker that stops by itself fails the calls of its peers, and no other calls. */
@Timeout(60)
class StoppedWorkerTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final RouteId NEVER = RouteId.of("never");
  private static final RouteId BACK = RouteId.of("back");
  private static final int SERVERS = 6;

  private final RecordingEvents events = new RecordingEvents(10_000);
  private final CountDownLatch told = new CountDownLatch(1);
  private final CountDownLatch arrived = new CountDownLatch(2);
  private final List<Transport> servers = new ArrayList<>();
  private final Transport client =
      Transport.builder(TwoNodes.settings("millrace.workers.count = 2")).events(events).start();

  @AfterEach
  void closeAll() {
    client.close();
    servers.forEach(Transport::close);
  }

  /** A future that cannot be answered. */
  private static final class Unanswerable extends CompletableFuture<WorkerRemains> {
    @Override
    public boolean complete(WorkerRemains value) {
      throw new IllegalStateException("on purpose");
    }
  }

  private void failWorker(int worker) {
    Adapter.toClassic(client.pool().system())
        .actorSelection("/user/worker-" + worker)
        .tell(new WorkerCommand.Drain(false, new Unanswerable()), ActorRef.noSender());
  }

  private Transport serve() {
    Transport server = Transport.start(TwoNodes.settings(""));
    Raw.serve(
        server, ECHO, call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
    Raw.serve(
        server,
        NEVER,
        call -> {
          arrived.countDown();
          return new CompletableFuture<>();
        });
    Raw.serveBidirectional(server, BACK, call -> Raw.StreamingResponse.of(call.elements()));
    servers.add(server);
    return server;
  }

  /** Returns a server with calls made by this worker. */
  private Transport serverOf(int worker) {
    Transport server = serve();
    while (workerOf(server) != worker) {
      server = serve();
    }
    return server;
  }

  private int workerOf(Transport server) {
    return client.pool().peer(server.address()).port().worker();
  }

  private Peer peer(Transport server) {
    return client.peer(server.address());
  }

  private static CallException failure(CompletableFuture<UnaryResponse> call) {
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> call.get(20, TimeUnit.SECONDS));
    return assertInstanceOf(CallException.class, failure.getCause());
  }

  private void assertEcho(Peer peer) throws Exception {
    assertEquals(8, Raw.unary(peer, ECHO, new byte[8]).get(20, TimeUnit.SECONDS).payload().length);
  }

  @Test
  void shouldFailItsPeersAtOnceAndGiveNoMoreToIt() throws Exception {
    Peer doomed = peer(serverOf(0));
    Peer healthy = peer(serverOf(1));
    CompletableFuture<UnaryResponse> lost = Raw.unary(doomed, NEVER, new byte[8]);
    CompletableFuture<UnaryResponse> kept = Raw.unary(healthy, NEVER, new byte[8]);
    assertTrue(arrived.await(20, TimeUnit.SECONDS));
    client.subscribe(
        new io.millrace.event.TransportEvents() {
          @Override
          public void onWorkerStopped(int worker, String reason) {
            told.countDown();
          }
        });

    failWorker(0);

    assertEquals(CallOutcome.WORKER_STOPPED, failure(lost).outcome());
    assertTrue(told.await(20, TimeUnit.SECONDS));
    // The order of the two listeners is not defined.
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (events.count("WorkerStopped") == 0 && System.nanoTime() < endNs) {
      LockSupport.parkNanos(TwoNodes.LOOK_AGAIN_NS);
    }
    assertEquals(1, events.count("WorkerStopped"));
    assertEquals(
        List.of("WorkerStopped worker=0 reason=java.lang.IllegalStateException: on purpose"),
        events.lines().stream().filter(line -> line.startsWith("WorkerStopped")).toList());
    // Later calls go by the remaining worker.
    doomed.connect().get(20, TimeUnit.SECONDS);
    assertEcho(doomed);
    assertEquals(3, streamed(doomed).size());
    for (int i = 0; i < SERVERS; i++) {
      Transport server = serve();
      assertEquals(1, workerOf(server));
      assertEcho(peer(server));
    }
    assertFalse(kept.isDone());
    assertEcho(healthy);
  }

  private List<byte[]> streamed(Peer peer) throws Exception {
    return Source.range(1, 3)
        .map(number -> new byte[number])
        .via(Raw.bidirectional(peer, BACK, TransferOptions.DEFAULTS))
        .runWith(Sink.seq(), client.materializer())
        .toCompletableFuture()
        .get(20, TimeUnit.SECONDS);
  }

  @Test
  void shouldTakeNoPeerOnceEveryWorkerHasStopped() throws Exception {
    Peer first = peer(serverOf(0));
    Peer second = peer(serverOf(1));
    CompletableFuture<UnaryResponse> one = Raw.unary(first, NEVER, new byte[8]);
    CompletableFuture<UnaryResponse> other = Raw.unary(second, NEVER, new byte[8]);
    failWorker(0);
    failWorker(1);
    assertEquals(CallOutcome.WORKER_STOPPED, failure(one).outcome());
    assertEquals(CallOutcome.WORKER_STOPPED, failure(other).outcome());
    assertEquals(
        CallOutcome.WORKER_STOPPED, failure(Raw.unary(first, ECHO, new byte[8])).outcome());
    Transport server = serve();
    TransportException refused = assertThrows(TransportException.class, () -> peer(server));
    assertEquals("every worker of this node has stopped", refused.getMessage());
  }

  @Test
  void shouldNotTellOfWorkersThatEndWithTheirTransport() {
    client.close();
    assertEquals(0, events.count("WorkerStopped"));
  }
}
