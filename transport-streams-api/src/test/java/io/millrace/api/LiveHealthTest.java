package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.event.PeerHealthChange;
import io.millrace.event.TransportEvents;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.transfer.PeerHealth;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The fate of packets to a peer changes the peer's health, without an unanswered probe. */
@Timeout(60)
final class LiveHealthTest {
  private static final RouteId TAKE = RouteId.of("take");

  private static final LinkSettings CLEAN = LinkSettings.clean(50_000);

  /** More packets are lost than arrive. */
  @Test
  void shouldDegradeAPeerToWhichMostIsLost() throws Exception {
    degradeBy(CLEAN.withLoss(LossSettings.random(500_000)));
  }

  /** The peer's link carries 5 KB a second, and the queue takes one packet. */
  @Test
  void shouldDegradeAPeerThatIsOverloaded() throws Exception {
    degradeBy(CLEAN.withRate(new RateSettings(5_000, 1_300, 1_300)));
  }

  private static void degradeBy(LinkSettings trouble) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1);
              SimulatedNodes nodes =
                  new SimulatedNodes(simulation, NetworkSettings.clean(50_000), null, "")) {
            run(nodes, trouble);
          }
          return null;
        });
  }

  private static void run(SimulatedNodes nodes, LinkSettings trouble) throws Exception {
    Raw.serve(
        nodes.server(),
        TAKE,
        call -> CompletableFuture.completedFuture(UnaryResponse.of(new byte[1])));
    List<String> told = new ArrayList<>();
    watch(nodes.client(), told);
    Peer peer = nodes.client().peer(nodes.server().address());
    nodes.await(Raw.unary(peer, TAKE, new byte[8]));
    assertEquals(PeerHealth.HEALTHY, peer.health().state());

    nodes.cluster.network().links(trouble);
    List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      calls.add(Raw.unary(peer, TAKE, new byte[1_000]));
    }
    assertTrue(nodes.awaitUntil(() -> !told.isEmpty()));
    assertEquals("HEALTHY > DEGRADED", told.getFirst());

    nodes.cluster.network().links(CLEAN);
    for (CompletableFuture<UnaryResponse> call : calls) {
      nodes.await(call);
    }
    assertTrue(nodes.awaitUntil(() -> peer.health().state() == PeerHealth.HEALTHY));
  }

  private static void watch(Transport transport, List<String> told) {
    transport.subscribe(
        new TransportEvents() {
          @Override
          public void onPeerHealth(PeerHealthChange change) {
            told.add(change.from() + " > " + change.to());
          }
        });
  }
}
