package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;
import io.millrace.transfer.CallOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.util.ByteString;

/**
 * A call of one worker that waits for a slot of another worker. The fields of the test belong to
 * one run.
 */
final class CausalLineSimulationTest {
  private static final Route<ByteString, ByteString> SLOW = Route.bytes("slow");
  private static final ByteString NOTHING = ByteString.emptyByteString();
  private static final long MS = 1_000_000;
  private static final int SLOTS = 8;
  private static final TransferOptions TOLD = TransferOptions.DEFAULTS.withToken();

  private final Transport[] nodes = new Transport[3];
  private final List<CompletableFuture<ByteString>> served = new ArrayList<>();

  private void start(SimNode node) {
    Transport transport =
        Transport.builder(
                SimCluster.settings(
                    node.number(),
                    SimTransportSettings.parse(
                        """
                        millrace.workers.count = 2
                        millrace.limits.waiting-submissions = 2
                        millrace.causality { initial-slots = 8, max-slots = 16, retained-outcomes = 0 }
                        """)))
            .environment(node.environment())
            .start();
    transport.serve(
        SLOW,
        bytes -> {
          CompletableFuture<ByteString> answer = new CompletableFuture<>();
          served.add(answer);
          return answer;
        });
    nodes[node.number()] = transport;
  }

  private Peer peer(int number) {
    return nodes[0].peer(SimCluster.handshakeAddress(number));
  }

  private void call(int peer, int calls) {
    for (int i = 0; i < calls; i++) {
      var _ = peer(peer).unary(SLOW, NOTHING, TOLD);
    }
  }

  private static void pass(SimRun run) {
    run.runUntil(run.simulation().nowNs() + 100 * MS);
  }

  /**
   * Returns a call to {@code peer} that depends on a call to {@code other}, which waits for a slot.
   */
  private Call<ByteString> behind(int peer, int other) {
    Call<ByteString> ahead = peer(other).unary(SLOW, NOTHING, TOLD);
    TransferOptions after = TOLD.after(ahead.token()).withDeadline(Duration.ofSeconds(10));
    return peer(peer).unary(SLOW, NOTHING, after);
  }

  /**
   * Connects the peers at once: called peers go to the workers in turn, and a peer called later
   * would share a worker.
   */
  private void connect(SimRun run) {
    run.add(3, this::start);
    CompletableFuture<Void> first = peer(1).connect();
    CompletableFuture<Void> second = peer(2).connect();
    run.within(100 * MS, "there are paths", () -> first.isDone() && second.isDone());
  }

  /** The call finds no room there; the rule "confinement" checks the turn of the worker. */
  @SimulationTest(seeds = "1..2")
  void shouldBeRefusedInItsOwnWorkersTurn(SimRun run) {
    connect(run);
    call(1, SLOTS);
    Call<ByteString> behind = behind(2, 1);
    pass(run);
    call(2, SLOTS + 2);
    pass(run);
    assertFalse(behind.isDone());

    served.getFirst().complete(NOTHING);

    run.within(100 * MS, "the call is refused", behind::isDone);
    CallException failure = assertInstanceOf(CallException.class, behind.exceptionNow());
    assertEquals(CallOutcome.SUBMISSION_FULL, failure.outcome());
  }

  /** The holders of the slots keep the slots until the scope closes, which never happens here. */
  @SimulationTest(seeds = "1..2")
  void shouldEndWithItsTransportThoughNoSlotWasFree(SimRun run) {
    connect(run);
    CausalityScope scope = nodes[0].causalityScope();
    for (int i = 0; i < SLOTS; i++) {
      var _ = scope.begin();
    }
    List<Call<ByteString>> behind = List.of(behind(2, 1), behind(1, 2));
    pass(run);

    nodes[0].close();

    run.within(100 * MS, "the calls end", () -> behind.stream().allMatch(Call::isDone));
  }
}
