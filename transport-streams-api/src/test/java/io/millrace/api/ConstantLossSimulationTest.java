package io.millrace.api;

import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.util.ByteString;

/** The example of constant loss of docs/simulation.md. The fields of the test belong to one run. */
final class ConstantLossSimulationTest {
  private static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");
  private static final long SECOND_NS = 1_000_000_000;

  private final Transport[] nodes = new Transport[2];
  private int answers;

  private void start(SimNode node) {
    Transport transport =
        Transport.builder(SimCluster.settings(node.number(), SimTransportSettings.parse("")))
            .environment(node.environment())
            .start();
    transport.serve(ECHO, CompletableFuture::completedFuture);
    nodes[node.number()] = transport;
  }

  // begin of the example
  @SimulationTest(seeds = "1..10")
  void shouldAnswerThoughEveryTwentiethDatagramIsLost(SimRun run) {
    NetworkSettings network = NetworkSettings.clean(50_000); // each datagram takes 50 us
    LossSettings loss = LossSettings.random(50_000); // of a million
    run.network(network.withLink(network.link().withLoss(loss)));
    run.add(2, this::start);
    Peer peer = nodes[0].peer(SimCluster.handshakeAddress(1));
    for (int i = 0; i < 50; i++) {
      var _ = peer.unary(ECHO, ByteString.fromArray(new byte[100])).thenAccept(answer -> answers++);
    }
    run.within(10 * SECOND_NS, "all are answered", () -> answers == 50);
  }
  // end of the example
}
