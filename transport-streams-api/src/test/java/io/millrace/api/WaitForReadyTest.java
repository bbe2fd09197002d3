package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.PeerHealth;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transfers of every pattern that wait for a peer that is gone, and go once the peer is back. */
@Timeout(120)
class WaitForReadyTest {
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final int CLIENT = 0;
  private static final int SERVER = 1;
  private static final byte[] PAYLOAD = new byte[3_000];
  private static final RouteId UNARY = RouteId.of("unary");
  private static final RouteId RESPONSES = RouteId.of("responses");
  private static final RouteId REQUESTS = RouteId.of("requests");
  private static final RouteId BOTH = RouteId.of("both");

  private interface Plan {
    void run(World world) throws Exception;
  }

  private static void run(Plan plan) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(50)) {
            plan.run(new World(simulation));
            simulation.check();
          }
          return null;
        });
  }

  /** A client, and a server that counts the requests of each pattern. */
  private static final class World {
    private final Simulation simulation;
    private final SimulatedCluster nodes;
    private final AtomicInteger served = new AtomicInteger();

    World(Simulation simulation) {
      this.simulation = simulation;
      nodes = new SimulatedCluster(simulation, 2, NetworkSettings.clean(100_000), PAYLOAD);
      serve();
    }

    private void serve() {
      Transport server = nodes.transport(SERVER);
      Raw.serve(server, UNARY, call -> once(UnaryResponse.of(call.payload())));
      Raw.serveStreamingResponse(
          server,
          RESPONSES,
          call -> Raw.StreamingResponse.of(counted(Source.single(call.payload()))));
      Raw.serveStreamingRequest(
          server,
          REQUESTS,
          call ->
              counted(call.elements())
                  .runWith(Sink.last(), server.materializer())
                  .thenApply(UnaryResponse::of));
      Raw.serveBidirectional(
          server, BOTH, call -> Raw.StreamingResponse.of(counted(call.elements())));
    }

    private <T> CompletableFuture<T> once(T value) {
      served.incrementAndGet();
      return CompletableFuture.completedFuture(value);
    }

    private <T> Source<T, ?> counted(Source<T, ?> elements) {
      served.incrementAndGet();
      return elements;
    }

    private void pass(long ns) {
      simulation.runUntil(() -> false, simulation.nowNs() + ns);
    }

    /** The server is killed, and the client has noticed. */
    private void loseServer() throws Exception {
      nodes.await(call(CallOptions.NONE), SECOND_NS);
      served.set(0);
      nodes.crash(SERVER);
      CompletableFuture<?> lost = call(CallOptions.NONE);
      assertTrue(simulation.runUntil(lost::isDone, simulation.nowNs() + 20 * SECOND_NS));
      assertEquals(PeerHealth.FAILED, nodes.peer(CLIENT, SERVER).health().state());
    }

    private void returnServer() {
      nodes.restart(SERVER);
      serve();
    }

    private Call<UnaryResponse> call(TransferOptions options) {
      return Raw.unary(nodes.peer(CLIENT, SERVER), new UnaryRequest(UNARY, PAYLOAD, options));
    }

    /** Begins a transfer of each pattern. */
    private List<CompletionStage<?>> begin(TransferOptions options) {
      Peer peer = nodes.peer(CLIENT, SERVER);
      Materializer materializer = nodes.transport(CLIENT).materializer();
      return List.of(
          call(options),
          Raw.streamingResponse(peer, new UnaryRequest(RESPONSES, PAYLOAD, options))
              .runWith(Sink.last(), materializer),
          Source.single(PAYLOAD)
              .runWith(Raw.streamingRequest(peer, REQUESTS, options), materializer),
          Source.single(PAYLOAD)
              .viaMat(Raw.bidirectional(peer, BOTH, options), Keep.right())
              .runWith(Sink.last(), materializer),
          Raw.bulkWrite(
              peer, SimulatedCluster.STORE, new ArraySource(PAYLOAD, 0, PAYLOAD.length), options),
          Raw.bulkRead(peer, SimulatedCluster.FETCH, new BodyTest.Collector(), options));
    }
  }

  /** Options of the tests. */
  private static final class CallOptions {
    static final TransferOptions NONE = TransferOptions.DEFAULTS;
    static final TransferOptions PATIENT = NONE.waitForReady(Duration.ofSeconds(20));

    private CallOptions() {}
  }

  private static CallException failure(CompletionStage<?> stage) {
    Throwable thrown = stage.toCompletableFuture().exceptionNow();
    return thrown instanceof CallException failed
        ? failed
        : assertInstanceOf(CallException.class, thrown.getCause());
  }

  @Test
  void shouldSendATransferOfEachPatternOnceThePeerIsBack() throws Exception {
    run(
        world -> {
          world.loseServer();
          List<CompletionStage<?>> hasty = world.begin(CallOptions.NONE);
          List<CompletionStage<?>> patient = world.begin(CallOptions.PATIENT);
          world.pass(8 * SECOND_NS);
          for (CompletionStage<?> each : hasty) {
            assertEquals(CallOutcome.PEER_UNREACHABLE, failure(each).outcome());
          }
          patient.forEach(each -> assertFalse(each.toCompletableFuture().isDone()));

          world.returnServer();
          for (CompletionStage<?> each : patient) {
            world.nodes.await(each, 10 * SECOND_NS);
          }
          assertEquals(4, world.served.get());
          assertEquals(1, world.nodes.stored.size());
        });
  }

  @Test
  void shouldFailATransferOfEachPatternUnexecutedWhenThePeerDoesNotComeBack() throws Exception {
    run(
        world -> {
          world.loseServer();
          List<CompletionStage<?>> patient = world.begin(CallOptions.PATIENT);
          Call<UnaryResponse> cancelled = world.call(CallOptions.PATIENT);
          Call<UnaryResponse> expired =
              world.call(CallOptions.PATIENT.withDeadline(Duration.ofSeconds(2)));
          world.pass(3 * SECOND_NS);
          cancelled.cancel(true);
          assertEquals(CallOutcome.EXPIRED, failure(expired).outcome());
          world.pass(16 * SECOND_NS);
          patient.forEach(each -> assertFalse(each.toCompletableFuture().isDone()));
          world.pass(2 * SECOND_NS);
          for (CompletionStage<?> each : patient) {
            assertEquals(CallOutcome.PEER_UNREACHABLE, failure(each).outcome());
            assertEquals(CallOutcome.Execution.NO, failure(each).wasExecuted());
          }
          world.returnServer();
          world.pass(10 * SECOND_NS);
          assertEquals(0, world.served.get());
          assertEquals(0, world.nodes.stored.size());
        });
  }

  private static CallOutcome outcome(Call<?> call) throws Exception {
    return call.handle((_, thrown) -> ((CallException) thrown).outcome()).get(30, TimeUnit.SECONDS);
  }

  /** More calls wait for a lost peer than calls may be open: a call to another peer goes on. */
  @Test
  void shouldLeaveCallsToOtherPeersTheirPlaces() throws Exception {
    Transport lost = Transport.start(TwoNodes.small(""));
    lost.close();
    TransferOptions patient = TransferOptions.DEFAULTS.waitForReady(Duration.ofHours(1));
    try (Transport server = Transport.start(TwoNodes.small(""));
        Transport client = Transport.start(TwoNodes.small("millrace.limits.executor-queue = 4"))) {
      Peer gone = client.peer(lost.address());
      List<Call<UnaryResponse>> waiting = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        waiting.add(Raw.unary(gone, new UnaryRequest(UNARY, PAYLOAD, patient)));
      }
      Peer healthy = client.peer(server.address());
      assertEquals(CallOutcome.UNKNOWN_ROUTE, outcome(Raw.unary(healthy, UNARY, PAYLOAD)));
      waiting.forEach(each -> assertFalse(each.isDone()));
      waiting.forEach(each -> each.cancel(true));
    }
  }

  /** Over real sockets: the server's next life listens at the address of the life before. */
  @Test
  void shouldWaitForARealServerThatStartsAgain() throws Exception {
    Transport server = Transport.start(TwoNodes.small(""));
    String listen = "millrace.handshake.listen = \"" + server.address() + "\"";
    try (Transport client = Transport.start(TwoNodes.small(""))) {
      Peer peer = client.peer(server.address());
      peer.connect().get(30, TimeUnit.SECONDS);
      server.close();
      Call<UnaryResponse> call =
          Raw.unary(peer, new UnaryRequest(UNARY, PAYLOAD, CallOptions.PATIENT));
      assertEquals(CallOutcome.HANDSHAKE_FAILED, outcome(Raw.unary(peer, UNARY, PAYLOAD)));
      assertFalse(call.isDone());
      try (Transport _ = Transport.start(TwoNodes.small(listen))) {
        assertEquals(CallOutcome.UNKNOWN_ROUTE, outcome(call), "the next life has answered");
      }
    } finally {
      server.close();
    }
  }
}
