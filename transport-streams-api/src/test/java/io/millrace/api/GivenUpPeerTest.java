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

/** A live peer that the application gives up, under virtual time. */
class GivenUpPeerTest {
  private static final long MS = 1_000_000;
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final RouteId NEVER = RouteId.of("never");
  private static final RouteId BACK = RouteId.of("back");
  private static final String CAUSE = "the operator pulled its plug";

  private interface Plan {
    void run(Simulation simulation, SimulatedCluster nodes) throws Exception;
  }

  private static void run(Plan plan) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(38)) {
            SimulatedCluster nodes =
                new SimulatedCluster(simulation, 2, NetworkSettings.clean(100_000), new byte[0]);
            Raw.serve(nodes.transport(1), NEVER, call -> new CompletableFuture<>());
            Raw.serve(
                nodes.transport(1),
                BACK,
                call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
            plan.run(simulation, nodes);
            simulation.check();
          }
          return null;
        });
  }

  private static boolean passes(
      Simulation simulation, long durationNs, java.util.function.BooleanSupplier condition) {
    return simulation.runUntil(condition, simulation.nowNs() + durationNs);
  }

  private static CallException end(CompletableFuture<?> call) {
    return (CallException) call.exceptionNow();
  }

  @Test
  void shouldFailWhatIsUnderWayAtOnceAndRefuseWhatComes() throws Exception {
    run(
        (simulation, nodes) -> {
          List<String> told = new ArrayList<>();
          nodes
              .transport(0)
              .subscribe(
                  new TransportEvents() {
                    @Override
                    public void onPeerHealth(PeerHealthChange change) {
                      told.add(change.to() + ": " + change.cause());
                    }
                  });
          Peer peer = nodes.peer(0, 1);
          CompletableFuture<UnaryResponse> held = Raw.unary(peer, NEVER, new byte[8]);
          assertFalse(passes(simulation, 10 * MS, held::isDone));

          peer.giveUp(CAUSE);
          assertTrue(passes(simulation, MS, held::isDone));
          assertEquals(CallOutcome.PEER_UNRESPONSIVE, end(held).outcome());
          assertEquals(peer.address() + " was given up: " + CAUSE, end(held).reason());
          assertEquals(PeerHealth.FAILED, peer.health().state());

          CompletableFuture<UnaryResponse> late = Raw.unary(peer, BACK, new byte[8]);
          assertTrue(passes(simulation, MS, late::isDone));
          assertEquals(CallOutcome.PEER_UNREACHABLE, end(late).outcome());
          passes(simulation, MS, () -> false);
          assertEquals("FAILED: " + CAUSE, told.getFirst());
        });
  }

  @Test
  void shouldRefuseWhatWaitsForAHandshake() throws Exception {
    run(
        (simulation, nodes) -> {
          Peer peer = nodes.peer(0, 1);
          CompletableFuture<UnaryResponse> waiting = Raw.unary(peer, BACK, new byte[8]);
          peer.giveUp(CAUSE);
          assertTrue(passes(simulation, SECOND_NS, waiting::isDone));
          assertEquals(CallOutcome.PEER_UNREACHABLE, end(waiting).outcome());
        });
  }

  /**
   * Giving a peer up is no ban: calls reach the peer again after a handshake and answered probes.
   */
  @Test
  void shouldTakeAPeerBackThatIsThereAfterAll() throws Exception {
    run(
        (simulation, nodes) -> {
          Peer peer = nodes.peer(0, 1);
          peer.giveUp(CAUSE);
          assertTrue(passes(simulation, MS, () -> !peer.health().state().takesCalls()));
          CompletableFuture<Void> connected = peer.connect();
          assertTrue(passes(simulation, 5 * SECOND_NS, () -> peer.health().state().takesCalls()));
          assertTrue(connected.isDone());
          CompletableFuture<UnaryResponse> call = Raw.unary(peer, BACK, new byte[8]);
          assertTrue(passes(simulation, SECOND_NS, call::isDone));
          assertEquals(8, call.join().payload().length);
        });
  }
}
