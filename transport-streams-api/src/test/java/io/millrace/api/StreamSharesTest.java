package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SharedKillSwitch;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One peer has many streams without a reader; another peer's streams go on as if alone. */
@Timeout(120)
final class StreamSharesTest {
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final RouteId HOLD = RouteId.of("hold");
  private static final RouteId SUM = RouteId.of("sum");
  private static final int SERVER = 0;
  private static final int GREEDY = 1;
  private static final int MODEST = 2;
  private static final int GREEDY_STREAMS = 60;
  private static final int MODEST_STREAMS = 8;
  private static final int ELEMENTS = 200;
  private static final byte[] ELEMENT = new byte[10_000];
  private static final String SETTINGS =
      """
      millrace.transfers { message = 128 KiB, assembly = 1 MiB }
      millrace.streams { window-bytes = 64 KiB, budget = 2 MiB, per-peer = 512 KiB }
      """;

  private final List<CompletableFuture<UnaryResponse>> held = new ArrayList<>();
  private final SharedKillSwitch letGo = KillSwitches.shared("let go");

  private static Materializer materializer(Transport node) {
    return SystemMaterializer.get(node.pool().system()).materializer();
  }

  private void serve(Transport node) {
    Materializer on = materializer(node);
    Raw.serveStreamingRequest(
        node,
        HOLD,
        call -> {
          CompletableFuture<UnaryResponse> response = new CompletableFuture<>();
          held.add(response);
          call.elements()
              .watchTermination(
                  (was, done) -> done.whenComplete((ok, failure) -> end(response, failure)))
              .via(letGo.flow())
              .runWith(Sink.never(), on);
          return response;
        });
    Raw.serveStreamingRequest(
        node,
        SUM,
        call ->
            call.elements()
                .runFold(0L, (sum, each) -> sum + each.length, on)
                .thenApply(sum -> UnaryResponse.of(Long.toString(sum).getBytes())));
  }

  private static void end(CompletableFuture<UnaryResponse> response, Throwable failure) {
    if (failure == null) {
      response.complete(UnaryResponse.of(new byte[0]));
    } else {
      response.completeExceptionally(failure);
    }
  }

  private static CompletionStage<UnaryResponse> write(
      SimulatedCluster nodes, int from, RouteId route, int elements) {
    return Source.repeat(ELEMENT)
        .take(elements)
        .runWith(
            Raw.streamingRequest(nodes.peer(from, SERVER), route, TransferOptions.DEFAULTS),
            materializer(nodes.transport(from)));
  }

  @Test
  void shouldLeaveOthersTheirMemory() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            SimulatedCluster nodes =
                new SimulatedCluster(
                    simulation,
                    3,
                    NetworkSettings.clean(100_000),
                    null,
                    SimTransportSettings.parse(SETTINGS),
                    new byte[0]);
            serve(nodes.transport(SERVER));
            List<CompletableFuture<UnaryResponse>> greedy = new ArrayList<>();
            for (int i = 0; i < GREEDY_STREAMS; i++) {
              greedy.add(write(nodes, GREEDY, HOLD, ELEMENTS).toCompletableFuture());
            }
            simulation.runFor(SECOND_NS);

            List<CompletionStage<UnaryResponse>> sums = new ArrayList<>();
            for (int i = 0; i < MODEST_STREAMS; i++) {
              sums.add(write(nodes, MODEST, SUM, ELEMENTS));
            }
            for (CompletionStage<UnaryResponse> each : sums) {
              String sum = new String(nodes.await(each, 10 * SECOND_NS).payload());
              assertEquals(Integer.toString(ELEMENTS * ELEMENT.length), sum);
            }
            assertRefusedForItsShare(greedy);

            // Released memory can be used again.
            letGo.shutdown();
            assertTrue(
                simulation.runUntil(
                    () -> StreamCensus.open(nodes.transport(SERVER)) == 0,
                    simulation.nowNs() + 10 * SECOND_NS));
            nodes.await(write(nodes, GREEDY, SUM, ELEMENTS), 10 * SECOND_NS);
          }
          return null;
        });
  }

  private void assertRefusedForItsShare(List<CompletableFuture<UnaryResponse>> greedy) {
    long refused = held.stream().filter(CompletableFuture::isDone).count();
    assertTrue(refused > 0 && refused < GREEDY_STREAMS, refused + " were refused");
    assertEquals(refused, greedy.stream().filter(CompletableFuture::isDone).count());
    for (CompletableFuture<UnaryResponse> each : held) {
      if (each.isDone()) {
        CallException failure = assertInstanceOf(CallException.class, each.exceptionNow());
        assertEquals(CallOutcome.OVERLOADED, failure.outcome());
        String text = String.valueOf(failure.getMessage());
        assertTrue(text.contains("millrace.streams.per-peer"), text);
      }
    }
  }
}
