package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.Done;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams with peers that die, fail and cancel at any moment, under virtual time. */
@Timeout(120)
class StreamFaultsTest {
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final RouteId COUNT = RouteId.of("count");
  private static final RouteId SUM = RouteId.of("sum");
  private static final RouteId MIRROR = RouteId.of("mirror");
  private static final int STREAMS = 60;

  private static NetworkSettings lossy(int ppm) {
    LinkSettings link = LinkSettings.clean(100_000).withLoss(LossSettings.random(ppm));
    return NetworkSettings.clean(100_000).withLink(link);
  }

  private static Materializer materializer(Transport node) {
    return SystemMaterializer.get(node.pool().system()).materializer();
  }

  private static void serve(Transport node) {
    Raw.serveStreamingResponse(
        node,
        COUNT,
        call -> Raw.StreamingResponse.of(elements(call.payload().length, call.priority())));
    Raw.serveStreamingRequest(
        node,
        SUM,
        call ->
            call.elements()
                .runFold(0L, (sum, each) -> sum + each.length, materializer(node))
                .thenApply(sum -> UnaryResponse.of(Long.toString(sum).getBytes())));
    Raw.serveBidirectional(node, MIRROR, call -> Raw.StreamingResponse.of(call.elements()));
  }

  /** Returns this number of elements, then a failure for certain kinds. */
  private static Source<byte[], ?> elements(int count, int kind) {
    Source<byte[], ?> some = Source.range(1, count).map(i -> new byte[i * 37 % 3_000]);
    return kind == 6
        ? some.concat(Source.failed(new IllegalStateException("meant to fail")))
            .mapMaterializedValue(m -> m)
        : some;
  }

  /** Opens one stream of a random kind, perhaps cancelled or failed midway. */
  private static CompletionStage<?> stream(Peer peer, Materializer on, Random random) {
    int count = random.nextInt(120);
    int kind = random.nextInt(8);
    TransferOptions options = TransferOptions.DEFAULTS.withPriority(kind);
    int taken = random.nextInt(3) == 0 ? random.nextInt(20) : Integer.MAX_VALUE;
    return switch (random.nextInt(3)) {
      case 0 ->
          Raw.streamingResponse(peer, new UnaryRequest(COUNT, new byte[count], options))
              .take(taken)
              .runWith(Sink.ignore(), on);
      case 1 -> elements(count, kind).runWith(Raw.streamingRequest(peer, SUM, options), on);
      default ->
          elements(count, kind)
              .via(Raw.bidirectional(peer, MIRROR, options))
              .take(taken)
              .runWith(Sink.ignore(), on);
    };
  }

  private static String mix(long seed) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed)) {
            SimulatedCluster nodes =
                new SimulatedCluster(simulation, 2, lossy(20_000), new byte[0]);
            Random random = new Random(seed);
            List<CompletableFuture<?>> ends = new ArrayList<>();
            for (int node = 0; node < 2; node++) {
              serve(nodes.transport(node));
            }
            for (int i = 0; i < STREAMS; i++) {
              int from = i % 2;
              Materializer on = materializer(nodes.transport(from));
              ends.add(
                  stream(nodes.peer(from, 1 - from), on, random)
                      .handle((done, failure) -> done)
                      .toCompletableFuture());
            }
            CompletableFuture<Void> all =
                CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
            nodes.await(all, 60 * SECOND_NS);
            awaitNothingOpen(nodes);
            // Dropped elements must not have cost the path its credit.
            byte[] much = new byte[1_000];
            CompletionStage<List<byte[]>> back =
                Source.repeat(much)
                    .take(300)
                    .via(Raw.bidirectional(nodes.peer(0, 1), MIRROR, TransferOptions.DEFAULTS))
                    .runWith(Sink.seq(), materializer(nodes.transport(0)));
            assertEquals(300, nodes.await(back, 10 * SECOND_NS).size());
            awaitNothingOpen(nodes);
            return simulation.trace().hex();
          }
        });
  }

  private static void awaitNothingOpen(SimulatedCluster nodes) {
    for (int node = 0; node < 2; node++) {
      Transport transport = nodes.transport(node);
      assertTrue(
          nodes.simulation.runUntil(
              () -> StreamCensus.open(transport) == 0, nodes.simulation.nowNs() + 20 * SECOND_NS),
          StreamCensus.open(transport) + " streams are open on node " + node);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void shouldEndEveryStreamAndKeepNothing(long seed) throws Exception {
    mix(seed);
  }

  @Test
  void shouldRepeatARunExactly() throws Exception {
    String first = mix(77);

    assertEquals(first, mix(77));
    assertNotEquals(first, mix(78));
  }

  /**
   * Waits for the peer's health: the node had calls to the peer at its death, so the node looks for
   * the peer.
   */
  private static void awaitHealth(Simulation simulation, Peer returned) {
    assertTrue(
        simulation.runUntil(
            () -> returned.health().state().takesCalls(), simulation.nowNs() + 10 * SECOND_NS));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldFailTheStreamsOfAPeerThatDies(int dying) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(9)) {
            SimulatedCluster nodes = new SimulatedCluster(simulation, 2, lossy(0), new byte[0]);
            CompletableFuture<Throwable> served = new CompletableFuture<>();
            Raw.serveBidirectional(
                nodes.transport(1),
                MIRROR,
                call -> {
                  call.elements()
                      .runWith(Sink.ignore(), materializer(nodes.transport(1)))
                      .whenComplete((done, failure) -> served.complete(failure));
                  return Raw.StreamingResponse.of(Source.maybe());
                });
            CompletableFuture<Throwable> called = new CompletableFuture<>();
            CompletionStage<byte[]> headers =
                Source.<byte[]>maybe()
                    .viaMat(
                        Raw.bidirectional(nodes.peer(0, 1), MIRROR, TransferOptions.DEFAULTS),
                        (ignored, opened) -> opened)
                    .to(
                        Sink.<byte[]>ignore()
                            .mapMaterializedValue(
                                done -> {
                                  done.whenComplete((d, failure) -> called.complete(failure));
                                  return Done.getInstance();
                                }))
                    .run(materializer(nodes.transport(0)));
            nodes.await(headers, SECOND_NS);

            nodes.crash(dying);

            CompletableFuture<Throwable> survivor = dying == 1 ? called : served;
            CallException failed =
                assertInstanceOf(CallException.class, nodes.await(survivor, 10 * SECOND_NS));
            assertEquals(CallOutcome.PEER_UNRESPONSIVE, failed.outcome());
            assertEquals(0, StreamCensus.open(nodes.transport(1 - dying)));
            nodes.restart(dying);
            serve(nodes.transport(dying));
            Peer returned = nodes.peer(1 - dying, dying);
            awaitHealth(simulation, returned);
            CompletionStage<List<byte[]>> again =
                Raw.streamingResponse(returned, UnaryRequest.of(COUNT, new byte[5]))
                    .runWith(Sink.seq(), materializer(nodes.transport(1 - dying)));
            assertEquals(5, nodes.await(again, 10 * SECOND_NS).size());
          }
          return null;
        });
  }
}
