package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.ends.PathCounters;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.FabricCounters;
import io.millrace.testkit.sim.DelaySettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The same bodies as chunks in datagrams and as one-sided writes, under virtual time. */
@Timeout(120)
class SimulatedBodiesTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final RouteId ON_WORKER = RouteId.of("worker-echo");
  private static final RouteId STORE = RouteId.of("store");
  private static final RouteId FETCH = RouteId.of("fetch");
  private static final long DELAY_NS = 20_000;
  private static final List<Integer> LENGTHS =
      List.of(0, 1, 1_000, 9_000, 65_535, 65_536, 65_537, 262_144, 262_145, 1_000_001);

  /** The way in which bodies travel. */
  enum Carriage {
    DATAGRAMS,
    WRITES,
    /**
     * One-sided writes with memory offsets from 0 on, few writes at once, in small pieces, hardly
     * ever in order.
     */
    NARROW_WRITES;

    /** Returns the settings of the fabric, or null without a fabric. */
    @Nullable FabricSettings fabric() {
      return switch (this) {
        case DATAGRAMS -> null;
        case WRITES -> FabricSettings.DEFAULT;
        case NARROW_WRITES ->
            FabricSettings.DEFAULT
                .withVirtualAddresses(false)
                .withQueues(16, 2)
                .withPieces(5_000)
                .withOvertaking(600_000, 500_000);
      };
    }
  }

  /** Enough memory for the answers of all calls at once. */
  private static final String ROOM = "millrace.limits.answer-budget = 64 MiB";

  private interface Scenario {
    void run(SimulatedNodes nodes) throws Exception;
  }

  private static void run(Carriage carriage, long seed, int lossPpm, Scenario scenario)
      throws Exception {
    LinkSettings link =
        LinkSettings.clean(DELAY_NS)
            .withDelay(new DelaySettings(DELAY_NS, 5_000, 1_000, 1_000_000, false))
            .withLoss(LossSettings.random(lossPpm));
    NetworkSettings network = NetworkSettings.clean(DELAY_NS).withLink(link);
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed);
              SimulatedNodes nodes =
                  new SimulatedNodes(simulation, network, carriage.fabric(), ROOM)) {
            scenario.run(nodes);
            if (carriage.fabric() != null) {
              checkFabric(nodes);
            }
          }
          return null;
        });
  }

  /** Checks that no fault occurred on the fabric, and that only one-sided writes carried bodies. */
  private static void checkFabric(SimulatedNodes nodes) {
    FabricCounters counters = nodes.cluster.fabric().counters();
    assertEquals(counters.writes, counters.writesDone);
    assertEquals(0, counters.latePieces);
    long received = 0;
    for (Transport transport : List.of(nodes.client(), nodes.server())) {
      PathCounters paths = transport.pool().port(0).counters();
      received += paths.bodyBytesReceived;
      assertEquals(0, paths.recordsNotAuthentic);
      assertEquals(0, paths.chunkBytesRetransmitted);
      assertEquals(0, paths.writesRejected);
      assertEquals(0, paths.remoteWritesFailed);
    }
    assertEquals(received, counters.writeBytes);
  }

  @ParameterizedTest
  @EnumSource
  void shouldEchoRequestsOfAnyLength(Carriage carriage) throws Exception {
    run(
        carriage,
        3,
        0,
        nodes -> {
          Raw.serve(
              nodes.server(),
              ECHO,
              call ->
                  CompletableFuture.completedFuture(
                      new UnaryResponse(call.headers(), call.payload())));
          Raw.serveOnWorker(
              nodes.server(),
              ON_WORKER,
              call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
          byte[] headers = BodyTest.random(17, 3);
          for (int length : LENGTHS) {
            byte[] payload = BodyTest.random(length, length);
            UnaryRequest request =
                new UnaryRequest(ECHO, payload, TransferOptions.DEFAULTS.withHeaders(headers));
            UnaryResponse response = nodes.await(Raw.unary(nodes.peer(), request));
            assertArrayEquals(payload, response.payload());
            assertArrayEquals(headers, response.headers());
            UnaryResponse other = nodes.await(Raw.unary(nodes.peer(), ON_WORKER, payload));
            assertArrayEquals(payload, other.payload());
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void shouldMoveBulkBothWays(Carriage carriage) throws Exception {
    run(
        carriage,
        4,
        0,
        nodes -> {
          List<BodyTest.Collector> stored = new ArrayList<>();
          byte[] kept = BodyTest.random(5_000_000, 1);
          Raw.serveBulkWrites(
              nodes.server(),
              STORE,
              offer -> {
                BodyTest.Collector target = new BodyTest.Collector();
                stored.add(target);
                return CompletableFuture.completedFuture(target);
              });
          Raw.serveBulkReads(
              nodes.server(),
              FETCH,
              offer -> CompletableFuture.completedFuture(new ArraySource(kept, 0, kept.length)));
          for (int length : LENGTHS) {
            var receipt =
                Raw.bulkWrite(
                    nodes.peer(),
                    STORE,
                    new ArraySource(kept, 0, length),
                    TransferOptions.DEFAULTS);
            assertEquals(length, nodes.await(receipt).bytes());
            assertEquals(length, stored.getLast().bytes.size());
          }
          BodyTest.Collector fetched = new BodyTest.Collector();
          nodes.await(Raw.bulkRead(nodes.peer(), FETCH, fetched, TransferOptions.DEFAULTS));
          assertArrayEquals(kept, fetched.bytes.toByteArray());
        });
  }

  private static Stream<Arguments> seeds() {
    return Combinations.of(Carriage.values(), new Integer[] {0, 1, 2, 3});
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void shouldMoveEveryByteRightAndKeepNothing(Carriage carriage, int seed) throws Exception {
    int lossPpm = seed % 2 * 20_000;
    run(
        carriage,
        seed,
        lossPpm,
        nodes -> {
          CheckedBodies.make(nodes, carriage + ", seed " + seed);
          if (carriage.fabric() != null && lossPpm > 0) {
            assertTrue(nodes.cluster.fabric().counters().retries > 0);
          }
        });
  }
}
