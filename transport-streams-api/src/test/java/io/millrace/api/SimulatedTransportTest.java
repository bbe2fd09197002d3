package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.wire.RouteId;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.concurrent.Await;
import scala.concurrent.Promise;
import scala.concurrent.duration.Duration;

/** Whole transports, with the application's futures and streams, under virtual time. */
final class SimulatedTransportTest {
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final long DELAY_NS = 100_000;
  private static final int BULK_BYTES = 500_000;
  private static final int LOSS_PPM = 20_000;

  private static NetworkSettings lossy(int ppm) {
    LinkSettings link = LinkSettings.clean(DELAY_NS).withLoss(LossSettings.random(ppm));
    return NetworkSettings.clean(DELAY_NS).withLink(link);
  }

  /** Makes calls and bulk transfers both ways; returns the hash of all events. */
  private static String exchange(long seed, int ppm) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed)) {
            byte[] payload = BodyTest.random(BULK_BYTES, 1);
            SimulatedCluster nodes = new SimulatedCluster(simulation, 2, lossy(ppm), payload);
            List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
              calls.add(
                  Raw.unary(nodes.peer(0, 1), SimulatedCluster.ECHO, BodyTest.random(100, i)));
            }
            BodyTest.Collector fetched = new BodyTest.Collector();
            var write =
                Raw.bulkWrite(
                    nodes.peer(0, 1),
                    SimulatedCluster.STORE,
                    new ArraySource(payload, 0, BULK_BYTES),
                    TransferOptions.DEFAULTS);
            var read =
                Raw.bulkRead(
                    nodes.peer(1, 0), SimulatedCluster.FETCH, fetched, TransferOptions.DEFAULTS);
            assertEquals(BULK_BYTES, nodes.await(write, 60 * SECOND_NS).bytes());
            assertEquals(BULK_BYTES, nodes.await(read, 60 * SECOND_NS).bytes());
            for (int i = 0; i < calls.size(); i++) {
              UnaryResponse response = nodes.await(calls.get(i), 10 * SECOND_NS);
              assertArrayEquals(BodyTest.random(100, i), response.payload());
            }
            assertArrayEquals(payload, nodes.stored.getFirst().bytes.toByteArray());
            assertArrayEquals(payload, fetched.bytes.toByteArray());
            return simulation.trace().hex();
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, LOSS_PPM})
  void shouldExchangeCallsAndBulk(int ppm) throws Exception {
    assertEquals(32, exchange(11, ppm).length());
  }

  @Test
  void shouldHaveOneTraceForEachSeedAndNoThreads() throws Exception {
    String first = exchange(1, LOSS_PPM);
    int threads = ManagementFactory.getThreadMXBean().getThreadCount();
    for (int i = 0; i < 20; i++) {
      assertEquals(first, exchange(1, LOSS_PPM), "run " + i);
    }
    assertTrue(ManagementFactory.getThreadMXBean().getThreadCount() <= threads + 1);
    assertNotEquals(first, exchange(2, LOSS_PPM));
  }

  @Test
  void shouldRunStreamsOnTheNode() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(3)) {
            SimulatedCluster nodes = new SimulatedCluster(simulation, 2, lossy(0), new byte[0]);
            Peer peer = nodes.peer(0, 1);
            CompletionStage<?> receipt =
                nodes
                    .cluster
                    .node(0)
                    .call(
                        () ->
                            Source.range(1, 100)
                                .map(i -> ByteString.fromArray(BodyTest.random(1_000, i)))
                                .runWith(
                                    Raw.bulkSink(
                                        peer, SimulatedCluster.STORE, TransferOptions.DEFAULTS),
                                    nodes.cluster.node(0).system()));
            nodes.await(receipt, 10 * SECOND_NS);
            assertEquals(100_000, nodes.stored.getFirst().bytes.size());
            return null;
          }
        });
  }

  @Test
  void shouldFailCallsOfACrashedNodeAndReachItsNextLife() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(4)) {
            SimulatedCluster nodes = new SimulatedCluster(simulation, 2, lossy(0), new byte[0]);
            nodes.await(
                Raw.unary(nodes.peer(0, 1), SimulatedCluster.ECHO, new byte[10]), 10 * SECOND_NS);
            nodes.crash(1);
            CompletableFuture<UnaryResponse> lost =
                Raw.unary(nodes.peer(0, 1), SimulatedCluster.ECHO, new byte[10]);
            assertThrows(ExecutionException.class, () -> nodes.await(lost, 60 * SECOND_NS));
            nodes.restart(1);
            // The node gave the peer up, and looks for the peer because of the call.
            simulation.runFor(6 * SECOND_NS);
            UnaryResponse answer =
                nodes.await(
                    Raw.unary(nodes.peer(0, 1), SimulatedCluster.ECHO, new byte[10]),
                    60 * SECOND_NS);
            assertEquals(10, answer.payload().length);
            return null;
          }
        });
  }

  @Test
  void shouldCloseInVirtualTime() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(5)) {
            SimulatedCluster nodes = new SimulatedCluster(simulation, 2, lossy(0), new byte[0]);
            nodes.await(
                Raw.unary(nodes.peer(0, 1), SimulatedCluster.ECHO, new byte[10]), 10 * SECOND_NS);
            nodes.transport(0).close();
            nodes.transport(1).close();
            assertTrue(simulation.nowNs() < 5 * SECOND_NS, simulation.nowNs() + " ns");
            nodes.cluster.nodes().forEach(node -> node.system().terminate());
            assertTrue(simulation.runUntilQuiescent(simulation.nowNs() + 60 * SECOND_NS));
            return null;
          }
        });
  }

  @Test
  void shouldTakeFewEventsForAnHourWithoutWork() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(6)) {
            SimulatedCluster nodes = new SimulatedCluster(simulation, 2, lossy(0), new byte[0]);
            nodes.await(
                Raw.unary(nodes.peer(0, 1), SimulatedCluster.ECHO, new byte[10]), 10 * SECOND_NS);
            long before = simulation.firedEvents();
            simulation.runFor(3_600 * SECOND_NS);
            long events = simulation.firedEvents() - before;
            // A probe and its answer every 10 s from each side, and timers around them.
            assertTrue(events < 40_000, events + " events in an idle hour");
            return null;
          }
        });
  }

  @Test
  void shouldRefuseToBlockInsideANode() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(7)) {
            SimulatedCluster nodes = new SimulatedCluster(simulation, 2, lossy(0), new byte[0]);
            RouteId blocking = RouteId.of("blocking");
            Raw.serve(
                nodes.transport(1),
                blocking,
                call -> {
                  try {
                    Await.result(Promise.apply().future(), Duration.Inf());
                  } catch (Exception e) {
                    return CompletableFuture.failedFuture(e);
                  }
                  return CompletableFuture.completedFuture(UnaryResponse.of(new byte[0]));
                });
            CompletableFuture<UnaryResponse> call =
                Raw.unary(nodes.peer(0, 1), blocking, new byte[10]);
            SimViolation violation =
                assertThrows(SimViolation.class, () -> nodes.await(call, 10 * SECOND_NS));
            assertEquals("blocking call", violation.rule());
            assertFalse(call.isDone());
            return null;
          }
        });
  }
}
