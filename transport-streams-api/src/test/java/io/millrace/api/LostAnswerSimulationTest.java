package io.millrace.api;

import io.millrace.api.codec.jackson.JacksonCodec;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.sim.FrameMatch;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** The second example of docs/simulation.md: an answer is lost, and no call runs twice. */
final class LostAnswerSimulationTest {
  private static final Route<String, Integer> DRAW =
      Route.of("draw", JacksonCodec.of(String.class), JacksonCodec.of(Integer.class));
  private static final long SECOND_NS = 1_000_000_000;

  @SimulationTest(seeds = "1..10")
  void shouldDrawOnceThoughTheAnswerIsLost(SimRun run) {
    Transport[] nodes = new Transport[2];
    AtomicInteger drawn = new AtomicInteger();
    AtomicInteger answered = new AtomicInteger();
    run.add(
        2,
        node -> {
          TransportSettings settings = run.swarm().transport(node.number());
          Transport transport =
              Transport.builder(SimCluster.settings(node.number(), settings))
                  .environment(node.environment())
                  .start();
          transport.serve(DRAW, _ -> CompletableFuture.completedFuture(drawn.incrementAndGet()));
          nodes[node.number()] = transport;
        });
    run.faults().drop(FrameMatch.of("INLINE_RESPONSE").first());
    run.faults().delay(FrameMatch.of("PSK_REPLY").nth(1).on(1, 0), SECOND_NS / 100);

    Peer peer = nodes[0].peer(SimCluster.handshakeAddress(1));
    var _ = peer.unary(DRAW, "please").thenAccept(answer -> answered.incrementAndGet());
    run.within(10 * SECOND_NS, "the answer comes", () -> answered.get() == 1);
    if (drawn.get() != 1) {
      run.fail("drawn once", drawn + " were drawn");
    }
    run.faults().requireMet();
    for (int node = 0; node < 2; node++) {
      nodes[node].close();
    }
    run.awaitClosed(SECOND_NS);
    run.cluster().nodes().forEach(node -> node.system().terminate());
    run.quiesce();
  }
}
