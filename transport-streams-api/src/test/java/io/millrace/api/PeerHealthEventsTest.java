package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.event.PeerHealthChange;
import io.millrace.event.TransportEvents;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.PeerHealth;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The events of a node that doubts a peer: rule L-1, under virtual time. */
class PeerHealthEventsTest {
  private static final long MS = 1_000_000;
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final int CALLER = 0;
  private static final int SERVER = 1;
  private static final RouteId SLOW = RouteId.of("slow");
  private static final String DOUBTED = "HEALTHY > PROBING";

  private interface Plan {
    void run(World world) throws Exception;
  }

  /** Two nodes; one node serves a route with answers from the test. */
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
      Raw.serve(
          nodes.transport(SERVER),
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
                public void onPeerHealth(PeerHealthChange change) {
                  lines.add(change.from() + " > " + change.to());
                }
              });
    }

    private void pass(long durationNs) {
      assertFalse(simulation.runUntil(() -> false, simulation.nowNs() + durationNs));
    }

    private HealthReport health() {
      return nodes.peer(CALLER, SERVER).health();
    }

    /** Returns the states from a stream of changes, from now on. */
    private List<PeerHealth> watchHealth() {
      List<PeerHealth> seen = new ArrayList<>();
      nodes
          .peer(CALLER, SERVER)
          .healthChanges()
          .runForeach(report -> seen.add(report.state()), nodes.transport(CALLER).materializer());
      pass(10 * MS);
      return seen;
    }

    /** Returns the outcome of a call that must end at once. */
    private CallOutcome refused() {
      CompletableFuture<UnaryResponse> call =
          Raw.unary(nodes.peer(CALLER, SERVER), SLOW, new byte[8]);
      assertTrue(simulation.runUntil(call::isDone, simulation.nowNs() + 2 * MS));
      return ((CallException) call.exceptionNow()).outcome();
    }

    /** Answers calls until enough packets have arrived for a healthy peer. */
    private void callUntilHealthy() {
      for (int i = 0; i < 100 && health().state() != PeerHealth.HEALTHY; i++) {
        CompletableFuture<UnaryResponse> call = call();
        answers.getLast().complete(UnaryResponse.of(new byte[3]));
        assertTrue(simulation.runUntil(call::isDone, simulation.nowNs() + SECOND_NS));
      }
    }

    private CompletableFuture<UnaryResponse> call() {
      int before = answers.size();
      CompletableFuture<UnaryResponse> call =
          Raw.unary(nodes.peer(CALLER, SERVER), SLOW, new byte[8]);
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

  /** A peer that is silent for long but answers each probe stays healthy. */
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
          world.pass(SECOND_NS / 2);
          assertEquals(List.of(DOUBTED), world.told.get(CALLER));
          world.nodes.cluster.network().heal(SERVER, CALLER);
          world.pass(SECOND_NS);
          assertEquals(
              List.of(DOUBTED, "PROBING > DEGRADED"), world.told.get(CALLER).subList(0, 2));

          world.answers.getFirst().complete(UnaryResponse.of(new byte[3]));
          assertEquals(3, world.nodes.await(call, SECOND_NS).payload().length);
          world.callUntilHealthy();
          // The state changes first; subscribers get the change afterwards.
          world.pass(MS);
          assertEquals(
              List.of(DOUBTED, "PROBING > DEGRADED", "DEGRADED > HEALTHY"), world.told.get(CALLER));
        });
  }

  /** Only silence shows the failure: PROBING within 300 ms, FAILED within a second. */
  @Test
  void shouldGiveUpASilentPeerAndTakeItBackThroughProbingAndDegraded() throws Exception {
    run(
        world -> {
          final CompletableFuture<UnaryResponse> call = world.call();
          List<PeerHealth> seen = world.watchHealth();
          world.nodes.cluster.network().cut(SERVER, CALLER);
          final long cutNs = world.simulation.nowNs();
          world.pass(300 * MS);
          assertEquals(PeerHealth.PROBING, world.health().state());
          assertEquals(CallOutcome.PEER_UNREACHABLE, world.refused());
          assertFalse(call.isDone());
          assertTrue(world.simulation.runUntil(call::isDone, world.simulation.nowNs() + SECOND_NS));
          assertEquals(
              CallOutcome.PEER_UNRESPONSIVE, ((CallException) call.exceptionNow()).outcome());
          assertTrue(world.simulation.nowNs() - cutNs < SECOND_NS);
          assertEquals(PeerHealth.FAILED, world.health().state());
          assertEquals(CallOutcome.PEER_UNREACHABLE, world.refused());
          world.pass(5 * SECOND_NS);
          world.nodes.cluster.network().heal(SERVER, CALLER);
          assertTrue(
              world.simulation.runUntil(
                  () -> world.health().state().takesCalls(),
                  world.simulation.nowNs() + 13 * SECOND_NS));
          world.callUntilHealthy();
          world.pass(10 * MS);
          assertEquals(
              List.of(
                  PeerHealth.HEALTHY,
                  PeerHealth.PROBING,
                  PeerHealth.FAILED,
                  PeerHealth.PROBING,
                  PeerHealth.DEGRADED,
                  PeerHealth.HEALTHY),
              seen);
          assertTrue(world.health().failureRate() < 0.1);
          assertTrue(world.health().smoothedRtt().isPositive());
          assertTrue(world.health().sinceNs() > cutNs);
        });
  }

  /** The network reports the death: the port of a killed process is closed. */
  @Test
  void shouldTellAtOnceOfAPeerThatWasKilled() throws Exception {
    run(
        world -> {
          CompletableFuture<UnaryResponse> call = world.call();
          world.nodes.crash(SERVER);
          final long crashNs = world.simulation.nowNs();
          assertTrue(world.simulation.runUntil(call::isDone, crashNs + 150 * MS));
          world.pass(10 * MS);
          assertEquals(List.of("HEALTHY > FAILED"), world.told.get(CALLER));
          assertEquals(
              CallOutcome.PEER_UNRESPONSIVE, ((CallException) call.exceptionNow()).outcome());
          assertEquals(CallOutcome.PEER_UNREACHABLE, world.refused());
        });
  }

  /** The absence of open calls proves no recovery of the peer: only packets of the peer do. */
  @Test
  void shouldGoOnDoubtingAPeerWhenNothingIsOpenAnyMore() throws Exception {
    run(
        world -> {
          CompletableFuture<UnaryResponse> call = world.call();
          world.nodes.cluster.network().cut(SERVER, CALLER);
          world.pass(SECOND_NS / 2);
          assertTrue(call.cancel(false));
          world.pass(SECOND_NS);
          assertEquals(List.of(DOUBTED, "PROBING > FAILED"), world.told.get(CALLER));
        });
  }
}
