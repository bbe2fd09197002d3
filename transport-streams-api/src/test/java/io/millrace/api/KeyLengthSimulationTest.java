package io.millrace.api;

import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Two nodes with keys of different configured lengths understand each other. */
final class KeyLengthSimulationTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int BODY_BYTES = 200_000;
  private static final long SECOND_NS = 1_000_000_000;
  private static final int[] KEY_BITS = {128, 256};

  @SimulationTest(seeds = "1..2")
  void shouldUseTheLongerKeysOfBothSides(SimRun run) {
    Transport[] nodes = new Transport[KEY_BITS.length];
    AtomicInteger answered = new AtomicInteger();
    run.add(
        nodes.length,
        node -> {
          String bits = "millrace.crypto.key-bits = " + KEY_BITS[node.number()];
          Transport transport =
              Transport.builder(
                      SimCluster.settings(node.number(), SimTransportSettings.parse(bits)))
                  .environment(node.environment())
                  .start();
          Raw.serve(
              transport,
              ECHO,
              call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
          nodes[node.number()] = transport;
        });
    for (int node = 0; node < nodes.length; node++) {
      Peer other = nodes[node].peer(SimCluster.handshakeAddress(1 - node));
      for (int bytes : new int[] {10, BODY_BYTES}) {
        var _ =
            Raw.unary(other, ECHO, new byte[bytes])
                .thenAccept(answer -> answered.incrementAndGet());
      }
    }
    run.within(SECOND_NS, "all are answered", () -> answered.get() == 2 * nodes.length);
    for (Transport node : nodes) {
      node.close();
    }
    run.awaitClosed(SECOND_NS);
    run.cluster().nodes().forEach(node -> node.system().terminate());
    run.quiesce();
  }
}
