package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.event.TransportEvents;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a node tells that it doubts a peer: rule L-1, under virtual time. */
class PeerHealthEventsTest {
  private static final long MS = 1_000_000;
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final int CALLER = 0;
  private static final int SERVER = 1;
  private static final RouteId SLOW = RouteId.of("slow");
  private static final String DOUBTED = "HEALTHY > SUSPECTED";

  private interface Plan {
    void run(World world) throws Exception;
  }

  /** Two nodes, of which one serves a route whose answers the test gives. */
  private static final class World {
    private final Simulation simulation;
    private final SimulatedCluster nodes;
    private final List<CompletableFuture<UnaryResponse>> answers = new ArrayList<>();
    private final List<List<String>> told = List.of(new ArrayList<>(), new ArrayList<>());

    private World(Simulation simulation) {
      this.simulation = simulation;
      nodes = new SimulatedCluster(simulation, 2, NetworkSettings.clean(100_000), new byte[0]);
      watch(CALLER);
      watch(SERVER);
      nodes
          .transport(SERVER)
          .serve(
              SLOW,
              call -> {
                CompletableFuture<UnaryResponse> answer = new CompletableFuture<>();
                answers.add(answer);
                return answer;
              });
    }

    private void watch(int node) {
      List<String> lines = told.get(node);
      nodes
          .transport(node)
          .subscribe(
              new TransportEvents() {
                @Override
                public void onPeerHealthChanged(int worker, String peer, String from, String to) {
                  lines.add(from + " > " + to);
                }
              });
    }

    private void pass(long durationNs) {
      assertFalse(simulation.runUntil(() -> false, simulation.nowNs() + durationNs));
    }

    private CompletableFuture<UnaryResponse> call() {
      int before = answers.size();
      CompletableFuture<UnaryResponse> call = nodes.peer(CALLER, SERVER).unary(SLOW, new byte[8]);
      assertTrue(
          simulation.runUntil(() -> answers.size() > before, simulation.nowNs() + SECOND_NS));
      return call;
    }
  }

  private static void run(Plan plan) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(6)) {
            plan.run(new World(simulation));
            simulation.check();
          }
          return null;
        });
  }

  /** It is silent for long and answers each probe: nobody doubts it. */
  @Test
  void shouldTellNothingOfAHandlerThatTakesItsTime() throws Exception {
    run(
        world -> {
          CompletableFuture<UnaryResponse> call = world.call();
          world.pass(10 * SECOND_NS);
          world.answers.getFirst().complete(UnaryResponse.of(new byte[3]));
          assertEquals(3, world.nodes.await(call, SECOND_NS).payload().length);

          world.pass(SECOND_NS);

          assertEquals(List.of(List.of(), List.of()), world.told);
        });
  }

  @Test
  void shouldTellOnceOfAPeerThatIsNotHeardOfForAWhile() throws Exception {
    run(
        world -> {
          final CompletableFuture<UnaryResponse> call = world.call();
          world.nodes.cluster.network().cut(SERVER, CALLER);
          world.pass(SECOND_NS);
          assertEquals(List.of(DOUBTED), world.told.get(CALLER));
          world.nodes.cluster.network().heal(SERVER, CALLER);
          world.pass(SECOND_NS);
          assertEquals(List.of(DOUBTED, "SUSPECTED > HEALTHY"), world.told.get(CALLER));

          world.answers.getFirst().complete(UnaryResponse.of(new byte[3]));
          assertEquals(3, world.nodes.await(call, SECOND_NS).payload().length);
          assertEquals(2, world.told.get(CALLER).size());
        });
  }

  @Test
  void shouldTellOfAPeerThatIsGivenUp() throws Exception {
    run(
        world -> {
          CompletableFuture<UnaryResponse> call = world.call();
          world.nodes.crash(SERVER);
          assertTrue(
              world.simulation.runUntil(call::isDone, world.simulation.nowNs() + 10 * SECOND_NS));
          world.pass(10 * MS);
          assertEquals(List.of(DOUBTED, "SUSPECTED > FAILED"), world.told.get(CALLER));
          assertEquals(
              CallOutcome.PEER_UNRESPONSIVE, ((CallException) call.exceptionNow()).outcome());
        });
  }

  /** That nothing waits for it any more says nothing of the peer: only a packet of it does. */
  @Test
  void shouldGoOnDoubtingAPeerWhenNothingIsOpenAnyMore() throws Exception {
    run(
        world -> {
          CompletableFuture<UnaryResponse> call = world.call();
          world.nodes.cluster.network().cut(SERVER, CALLER);
          world.pass(SECOND_NS);
          assertTrue(call.cancel(false));
          world.pass(SECOND_NS);
          assertEquals(List.of(DOUBTED), world.told.get(CALLER));
        });
  }
}
