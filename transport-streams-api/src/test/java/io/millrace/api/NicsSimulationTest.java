package io.millrace.api;

import static io.millrace.api.NicNodes.ECHO;
import static io.millrace.api.NicNodes.MILLI_NS;
import static io.millrace.api.NicNodes.SECOND_NS;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.event.RecordingEvents;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NicSettings;
import io.millrace.testkit.sim.NicState;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.wire.RouteId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes with several NICs; NICs die and come back, under virtual time. */
final class NicsSimulationTest {
  private static final RouteId NEXT = RouteId.of("next");
  private static final RouteId STORE = RouteId.of("store");
  private static final RouteId NUMBERS = RouteId.of("numbers");
  private static final NetworkSettings FAST = NetworkSettings.clean(50_000);
  private static final int SERVERS = 8;
  private static final int CHAIN = 400;

  private static void run(NicNodes.Body body) throws Exception {
    NicNodes.run(FAST, SERVERS, 2, "", body);
  }

  @Test
  void shouldCarryLoadOverEachNic() throws Exception {
    run(
        nodes -> {
          nodes.calls(800, MILLI_NS / 4);

          assertEquals(List.of(), nodes.failures, nodes::figures);
          assertTrue(nodes.bytesOf(0) > 0 && nodes.bytesOf(1) > 0, nodes::figures);
          assertEquals(0, nodes.moves());
        });
  }

  /** A peer must learn the bandwidth that bounds its answers. */
  @Test
  void shouldTellPeersTheBandwidthOfANic() throws Exception {
    NicNodes.run(
        FAST,
        1,
        List.of("bandwidth = 100 Mbit/s"),
        "millrace.nic.queue = 64 KiB",
        nodes -> {
          Raw.serve(
              nodes.server(1), NEXT, call -> completedFuture(UnaryResponse.of(new byte[1_000])));
          nodes.await(Raw.unary(nodes.peer(1), NEXT, new byte[1]));
          nodes.pass(SECOND_NS);
          CompletableFuture<?>[] calls = new CompletableFuture<?>[3_000];
          Arrays.setAll(calls, i -> Raw.unary(nodes.peer(1), NEXT, new byte[1]));

          nodes.await(CompletableFuture.allOf(calls));
        });
  }

  @Test
  void shouldHaveNoLoadWhenAllIsDone() throws Exception {
    run(
        nodes -> {
          long[] most = new long[1];
          CompletableFuture<?> bulk = bulk(nodes, 1, new byte[2_000_000], new ArrayList<>());
          for (int i = 0; i < 20; i++) {
            nodes.calls(10, 0);
            most[0] = Math.max(most[0], nodes.load());
            nodes.nic(0, i / 2 % 2, i % 2 == 0 ? NicState.SILENT : NicState.UP);
          }
          nodes.await(bulk);
          nodes.pass(SECOND_NS);
          assertTrue(most[0] > 10_000, () -> "at most " + most[0]);
          assertEquals(0, nodes.load());
        });
  }

  @ParameterizedTest
  @EnumSource(
      value = NicState.class,
      names = {"DOWN", "SILENT"})
  void shouldGoOnByAnotherNicAndComeBack(NicState state) throws Exception {
    run(
        nodes -> {
          RecordingEvents events = new RecordingEvents(1_000);
          nodes.caller().subscribe(events);
          nodes.calls(400, MILLI_NS / 4);
          nodes.nic(0, 1, state);
          nodes.calls(2_000, MILLI_NS / 4);
          assertEquals(List.of(), nodes.failures, nodes::figures);
          assertTrue(nodes.moves() > 0, nodes::figures);
          // Paths leave a NIC that is down at once, and a silent NIC after its detection.
          long limitNs = state == NicState.DOWN ? 50 * MILLI_NS : 250 * MILLI_NS;
          assertTrue(nodes.longestNs < limitNs, nodes::figures);

          nodes.nic(0, 1, NicState.UP);
          nodes.calls(8_000, MILLI_NS / 4);
          long before = nodes.bytesOf(1);
          nodes.calls(400, MILLI_NS / 4);

          assertEquals(List.of(), nodes.failures, nodes::figures);
          assertTrue(nodes.bytesOf(1) > before, nodes::figures);
          assertTrue(events.count("RailChanged") > 0);
          assertEquals(state == NicState.DOWN, events.count("NicChanged") > 0);
        });
  }

  /** A dependent call runs behind its dependency, and once, over every NIC of a retransmission. */
  @ParameterizedTest
  @EnumSource(
      value = NicState.class,
      names = {"DOWN", "SILENT"})
  void shouldKeepAChainInOrderAcrossADeath(NicState state) throws Exception {
    run(
        nodes -> {
          List<Integer> executed = new ArrayList<>();
          for (int server = 1; server <= SERVERS; server++) {
            Raw.serve(
                nodes.server(server),
                NEXT,
                call -> {
                  executed.add(ByteBuffer.wrap(call.payload()).getInt());
                  return CompletableFuture.completedFuture(UnaryResponse.of(new byte[2_000]));
                });
          }
          List<CompletableFuture<?>> answers = new ArrayList<>();
          CausalityToken last = null;
          for (int i = 0; i < CHAIN; i++) {
            Call<UnaryResponse> call =
                Raw.unary(
                    nodes.peer(1 + i / 3 % SERVERS),
                    new UnaryRequest(NEXT, number(i), after(last)));
            last = call.token();
            answers.add(call);
            nodes.pass(MILLI_NS / 10);
            if (i == CHAIN / 4) {
              // Handshakes go by the first NIC only.
              nodes.await(answers.get(3 * SERVERS));
              nodes.nic(0, nodes.busiest(), state);
            }
          }
          for (CompletableFuture<?> answer : answers) {
            nodes.await(answer);
          }
          assertEquals(IntStream.range(0, CHAIN).boxed().toList(), executed);
          assertTrue(nodes.moves() > 0, nodes::figures);
          assertEquals(
              1,
              IntStream.rangeClosed(1, SERVERS)
                  .map(server -> nodes.peer(server).handle().port().worker())
                  .distinct()
                  .count(),
              "each peer of a chain is on the worker of what it depends on");
        });
  }

  private static TransferOptions after(@Nullable CausalityToken last) {
    TransferOptions options = TransferOptions.DEFAULTS.withToken();
    return last == null ? options : options.after(last);
  }

  private static byte[] number(int value) {
    return ByteBuffer.allocate(2_000).putInt(value).array();
  }

  @ParameterizedTest
  @EnumSource(
      value = NicState.class,
      names = {"DOWN", "SILENT"})
  void shouldBringBodiesAndStreamsToTheirEndAcrossADeath(NicState state) throws Exception {
    RateSettings rate = RateSettings.of(20_000_000, 500_000);
    NetworkSettings slow =
        new NetworkSettings(
            LinkSettings.clean(50_000), new NicSettings(rate, rate), 4_000_000, false);
    NicNodes.run(
        slow,
        1,
        2,
        "",
        nodes -> {
          byte[] sent = BodyTest.random(4_000_000, 1);
          List<BodyTest.Collector> stored = new ArrayList<>();
          CompletableFuture<?> bulk = bulk(nodes, 1, sent, stored);
          CompletionStage<List<byte[]>> streamed = stream(nodes);
          nodes.pass(60 * MILLI_NS);
          assertFalse(bulk.isDone());
          assertFalse(streamed.toCompletableFuture().isDone());
          nodes.nic(0, nodes.busiest(), state);
          nodes.await(bulk);
          List<byte[]> elements = nodes.await(streamed);

          assertEquals(1, stored.size(), "the body was sent once");
          assertArrayEquals(sent, stored.getFirst().bytes.toByteArray());
          assertEquals(
              IntStream.range(0, 2_000).boxed().toList(),
              elements.stream().map(each -> ByteBuffer.wrap(each).getInt()).toList());
          assertTrue(nodes.moves() > 0, nodes::figures);
        });
  }

  private static CompletableFuture<?> bulk(
      NicNodes nodes, int server, byte[] bytes, List<BodyTest.Collector> stored) {
    Raw.serveBulkWrites(
        nodes.server(server),
        STORE,
        offer -> {
          BodyTest.Collector target = new BodyTest.Collector();
          stored.add(target);
          return CompletableFuture.completedFuture(target);
        });
    return Raw.bulkWrite(
        nodes.peer(server),
        STORE,
        new ArraySource(bytes, 0, bytes.length),
        TransferOptions.DEFAULTS);
  }

  private static CompletionStage<List<byte[]>> stream(NicNodes nodes) throws Exception {
    Raw.serveStreamingResponse(
        nodes.server(1),
        NUMBERS,
        call -> Raw.StreamingResponse.of(Source.range(0, 1_999).map(NicsSimulationTest::number)));
    return nodes
        .cluster
        .node(0)
        .call(
            () ->
                Raw.streamingResponse(
                        nodes.peer(1),
                        new UnaryRequest(NUMBERS, new byte[0], TransferOptions.DEFAULTS))
                    .runWith(Sink.seq(), nodes.cluster.node(0).system()));
  }

  @Test
  void shouldSayAtOnceThatNoNicIsLeftAndWorkAgainWhenOneReturns() throws Exception {
    run(
        nodes -> {
          nodes.calls(100, MILLI_NS / 4);
          Call<UnaryResponse> underWay = Raw.unary(nodes.peer(1), ECHO, new byte[5_000]);
          nodes.pass(MILLI_NS / 50);
          nodes.nic(0, 0, NicState.DOWN);
          nodes.nic(0, 1, NicState.DOWN);
          nodes.pass(MILLI_NS);
          assertNoNic(nodes, 1, "leads to");
          nodes.pass(100 * MILLI_NS);
          nodes.nic(0, 1, NicState.UP);
          nodes.await(underWay);
          nodes.calls(50, MILLI_NS / 4);
          assertEquals(List.of(), nodes.failures, nodes::figures);
        });
  }

  /** Also after the paths have ended, and for a peer without any earlier path. */
  @Test
  void shouldSayThatNoNicIsLeftWhenThereIsNoPath() throws Exception {
    run(
        nodes -> {
          nodes.await(Raw.unary(nodes.peer(1), ECHO, new byte[5_000]));
          Call<UnaryResponse> lost = Raw.unary(nodes.peer(1), ECHO, new byte[5_000]);
          nodes.pass(MILLI_NS / 50);
          nodes.nic(0, 0, NicState.DOWN);
          nodes.nic(0, 1, NicState.DOWN);
          CallException failure = nodes.failureOf(lost);
          assertEquals(CallOutcome.PEER_UNRESPONSIVE, failure.outcome());
          assertTrue(namesBoth(failure), failure::getMessage);
          assertNoNic(nodes, 1, "could lead to");
          assertNoNic(nodes, 2, "could lead to");
          nodes.nic(0, 0, NicState.UP);
          nodes.await(Raw.unary(nodes.peer(1), ECHO, new byte[5_000]));
          nodes.await(Raw.unary(nodes.peer(2), ECHO, new byte[5_000]));
        });
  }

  private static void assertNoNic(NicNodes nodes, int server, String words) throws Exception {
    long startNs = nodes.simulation.nowNs();
    CallException failure = nodes.failureOf(Raw.unary(nodes.peer(server), ECHO, new byte[100]));
    assertEquals(CallOutcome.PEER_UNREACHABLE, failure.outcome());
    assertTrue(String.valueOf(failure.getMessage()).contains(words), failure::getMessage);
    assertTrue(namesBoth(failure), failure::getMessage);
    assertEquals(CallOutcome.Execution.NO, failure.wasExecuted());
    assertTrue(nodes.simulation.nowNs() - startNs < MILLI_NS);
  }

  /** Whether the text names both NICs, in any order: each worker names its own NIC first. */
  private static boolean namesBoth(CallException failure) {
    String text = String.valueOf(failure.getMessage());
    return text.contains(": a, b") || text.contains(": b, a");
  }
}
