package com.acme.quickstart;

import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.sim.FrameMatch;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs in virtual time: each seed is another network, with other settings and another order of
 * events.
 */
final class GreetingSimulationTest {
  private static final long SECOND_NS = 1_000_000_000;

  @SimulationTest(seeds = "1..20")
  void shouldGreetOnceThoughTheAnswerIsLost(SimRun run) {
    Transport[] nodes = new Transport[2];
    run.add(
        2,
        node -> {
          TransportSettings settings = run.swarm().transport(node.number());
          Transport transport =
              Transport.builder(SimCluster.settings(node.number(), settings))
                  .environment(node.environment())
                  .start();
          GreetingServer.serve(transport);
          nodes[node.number()] = transport;
        });
    run.faults().drop(FrameMatch.of("INLINE_RESPONSE").first());

    AtomicInteger guest = new AtomicInteger();
    var _ =
        Quickstart.greet(nodes[0].peer(SimCluster.handshakeAddress(1)), "anna")
            .thenAccept(greeting -> guest.set(greeting.guest()));
    run.within(10 * SECOND_NS, "the greeting comes", () -> guest.get() != 0);
    if (guest.get() != 1) {
      run.fail("greeted once", "anna is guest " + guest);
    }

    run.faults().requireMet();
    nodes[0].close();
    nodes[1].close();
    run.awaitClosed(SECOND_NS);
    run.cluster().nodes().forEach(node -> node.system().terminate());
    run.quiesce();
  }
}
