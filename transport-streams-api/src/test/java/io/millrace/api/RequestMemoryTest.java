package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.SharedKillSwitch;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The waiting requests of handlers have a bound in bytes, and each peer has a share of the bound.
 */
@Timeout(120)
final class RequestMemoryTest {
  private static final int SERVER = 0;
  private static final int GREEDY = 1;
  private static final int MODEST = 2;
  private static final long BUDGET_BYTES = 2 << 20;
  private static final int LARGE_BYTES = 100_000;
  private static final int SMALL_BYTES = 1_000;
  private static final RouteId HOLD = RouteId.of("hold");
  private static final RouteId ANSWER = RouteId.of("answer");
  private static final RouteId SIZED = RouteId.of("sized");
  private static final TransportSettings SETTINGS =
      SimTransportSettings.parse(
          "millrace { limits.request-budget = 2 MiB, transfers.message = 1 MiB,"
              + " limits.answer-budget = 2 MiB }");

  /** The unanswered requests of the server's handler. */
  private final List<CompletableFuture<UnaryResponse>> held = new ArrayList<>();

  private final List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
  private int offeredStreams;
  private int refused;

  private interface Body {
    void run(Simulation simulation, SimulatedCluster nodes) throws Exception;
  }

  private void simulate(Body body) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            SimulatedCluster nodes =
                new SimulatedCluster(
                    simulation, 3, NetworkSettings.clean(100_000), null, SETTINGS, new byte[1]);
            Transport server = nodes.transport(SERVER);
            Raw.serve(
                server,
                HOLD,
                call -> {
                  CompletableFuture<UnaryResponse> answer = new CompletableFuture<>();
                  held.add(answer);
                  return answer;
                });
            Raw.serve(
                server,
                ANSWER,
                call -> CompletableFuture.completedFuture(UnaryResponse.of(new byte[1])));
            Raw.serveStreamingResponse(
                server,
                HOLD,
                call -> {
                  offeredStreams++;
                  return Raw.StreamingResponse.of(Source.<byte[]>maybe());
                });
            body.run(simulation, nodes);
          }
          return null;
        });
  }

  private static long requestBytes(SimulatedCluster nodes) {
    return nodes.transport(SERVER).pool().census().requestBytes();
  }

  private static CallOutcome outcome(CompletableFuture<?> call) {
    return call.handle(
            (answer, failure) ->
                failure instanceof CallException known ? known.outcome() : CallOutcome.OK)
        .join();
  }

  /** Calls again and again as long as the server refuses the call. */
  private void ask(SimulatedCluster nodes, int bytes) {
    CompletableFuture<UnaryResponse> call =
        Raw.unary(nodes.peer(GREEDY, SERVER), HOLD, new byte[bytes]);
    calls.add(call);
    var _ =
        call.whenComplete(
            (answer, failure) -> {
              if (failure instanceof CallException known
                  && known.outcome() == CallOutcome.OVERLOADED) {
                refused++;
                ask(nodes, bytes);
              }
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {SMALL_BYTES, LARGE_BYTES})
  void shouldKeepNoMoreRequestsThanTheBudgetAndLeaveOthersTheirShare(int bytes) throws Exception {
    // rule C-9
    simulate(
        (simulation, nodes) -> {
          for (long asked = 0; asked < 2 * BUDGET_BYTES; asked += bytes) {
            ask(nodes, bytes);
          }
          for (int i = 0; i < 100 && refused == 0; i++) {
            simulation.runFor(10_000_000);
          }
          long used = requestBytes(nodes);
          assertTrue(used <= BUDGET_BYTES && used > BUDGET_BYTES / 4, used + " bytes");
          assertTrue(refused > 0);
          for (int i = 0; i < 8; i++) {
            CompletableFuture<UnaryResponse> modest =
                Raw.unary(nodes.peer(MODEST, SERVER), ANSWER, new byte[bytes]);
            nodes.await(modest, SimulatedCluster.SECOND_NS);
          }
          calls.forEach(call -> call.cancel(false));
          simulation.runFor(SimulatedCluster.SECOND_NS);
          calls.forEach(call -> call.cancel(false));
          simulation.runFor(SimulatedCluster.SECOND_NS);
          assertEquals(0, requestBytes(nodes));
        });
  }

  @Test
  void shouldGiveBackWhatAPeerHadThatHasGone() throws Exception {
    simulate(
        (simulation, nodes) -> {
          for (int i = 0; i < 8; i++) {
            calls.add(Raw.unary(nodes.peer(GREEDY, SERVER), HOLD, new byte[LARGE_BYTES]));
          }
          simulation.runFor(SimulatedCluster.SECOND_NS);
          assertEquals(8, held.size());
          assertTrue(requestBytes(nodes) >= 8L * LARGE_BYTES);
          nodes.transport(GREEDY).close();
          simulation.runFor(SimulatedCluster.SECOND_NS);
          assertEquals(0, requestBytes(nodes));
        });
  }

  @Test
  void shouldExecuteNoCallWhileTooManyAnswersWait() throws Exception {
    simulate(
        (simulation, nodes) -> {
          List<Integer> executed = new ArrayList<>();
          Raw.serve(
              nodes.transport(SERVER),
              SIZED,
              call -> {
                executed.add(1);
                return CompletableFuture.completedFuture(UnaryResponse.of(new byte[LARGE_BYTES]));
              });
          nodes.await(Raw.unary(nodes.peer(GREEDY, SERVER), SIZED, new byte[1]), 1_000_000_000);
          for (int i = 0; i < 500; i++) {
            calls.add(Raw.unary(nodes.peer(GREEDY, SERVER), SIZED, new byte[1]));
          }
          simulation.runFor(150_000);
          nodes.cluster.node(GREEDY).pause(SimulatedCluster.SECOND_NS / 2);
          simulation.runFor(SimulatedCluster.SECOND_NS / 4);
          long answerBytes =
              nodes
                  .transport(SERVER)
                  .pool()
                  .census()
                  .workers()
                  .getFirst()
                  .transfers()
                  .answerBytes();
          assertTrue(answerBytes <= BUDGET_BYTES + LARGE_BYTES, answerBytes + " bytes");
          assertTrue(executed.size() < 500, executed.size() + " calls");
        });
  }

  private static SharedKillSwitch open(
      SimulatedCluster nodes, int count, int bytes, TransferOptions options) {
    SharedKillSwitch end = KillSwitches.shared("end");
    for (int i = 0; i < count; i++) {
      var _ =
          Raw.streamingResponse(
                  nodes.peer(GREEDY, SERVER), new UnaryRequest(HOLD, new byte[bytes], options))
              .via(end.flow())
              .runWith(
                  Sink.ignore(),
                  SystemMaterializer.get(nodes.transport(GREEDY).pool().system()).materializer());
    }
    return end;
  }

  @Test
  void shouldKeepNoMoreOpeningsOfStreamsThanTheBudget() throws Exception {
    simulate(
        (simulation, nodes) -> {
          SharedKillSwitch end =
              open(
                  nodes,
                  (int) (2 * BUDGET_BYTES / LARGE_BYTES),
                  LARGE_BYTES,
                  TransferOptions.DEFAULTS);
          simulation.runFor(SimulatedCluster.SECOND_NS);
          long used = requestBytes(nodes);
          assertTrue(used <= BUDGET_BYTES && used > BUDGET_BYTES / 4, used + " bytes");
          nodes.await(
              Raw.unary(nodes.peer(MODEST, SERVER), ANSWER, new byte[LARGE_BYTES]), 1_000_000_000);
          end.shutdown();
          simulation.runFor(SimulatedCluster.SECOND_NS);
          assertEquals(0, requestBytes(nodes));
        });
  }

  @Test
  void shouldForgetStreamsThatWereCancelledWhileTheyWaitedForACall() throws Exception {
    // rule D-7
    simulate(
        (simulation, nodes) -> {
          Call<UnaryResponse> first =
              Raw.unary(
                  nodes.peer(GREEDY, SERVER),
                  new UnaryRequest(HOLD, new byte[1], TransferOptions.DEFAULTS.withToken()));
          CausalityToken token = first.token();
          simulation.runFor(10_000_000);
          long before = requestBytes(nodes);
          for (int round = 0; round < 4; round++) {
            SharedKillSwitch end =
                open(nodes, 200, SMALL_BYTES, TransferOptions.DEFAULTS.after(token));
            simulation.runFor(10_000_000);
            long inlineBytes = inlineBytes(nodes);
            assertTrue(inlineBytes >= 8L * SMALL_BYTES, inlineBytes + " inline bytes");
            end.shutdown();
            simulation.runFor(SimulatedCluster.SECOND_NS);
            assertEquals(0, inlineBytes(nodes));
            assertEquals(before, requestBytes(nodes));
          }
          held.getFirst().complete(UnaryResponse.of(new byte[1]));
          nodes.await(first, SimulatedCluster.SECOND_NS);
          simulation.runFor(SimulatedCluster.SECOND_NS);
          assertEquals(0, offeredStreams);
          assertEquals(CallOutcome.OK, outcome(first));
        });
  }

  private static long inlineBytes(SimulatedCluster nodes) {
    return nodes.transport(SERVER).pool().census().workers().getFirst().transfers().inlineBytes();
  }
}
