package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A node with a worker for each core of a large machine, under virtual time. */
final class ManyCoresSimulationTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int NICS = 8;
  private static final int CORES = 192;
  private static final int PEERS = 4;
  private static final long SECOND_NS = 1_000_000_000;
  private static final String SMALL =
      """
      millrace.nic.send-buffers = 2
      millrace.regions { sizes = [64 KiB], counts = [1], grant-budget = 64 KiB, per-peer = 64 KiB }
      millrace.workers.wheel-slots = 64
      """;

  @Test
  void shouldStartAWorkerForEachOf192CoresAndCallByThem() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            check(simulation);
            return null;
          }
        });
  }

  private static void check(Simulation simulation) {
    FullCluster cluster = new FullCluster(simulation, NetworkSettings.clean(50_000), null);
    cluster.add(1 + PEERS, NodeSettings.DEFAULT);
    TransportSettings settings = SimTransportSettings.parse(SMALL + nics());
    assertEquals(IntStream.range(0, CORES).boxed().toList(), settings.workers().cores().ids());
    Transport large = start(cluster.node(0), settings);
    assertEquals(CORES, large.pool().workers().size());
    List<CompletableFuture<UnaryResponse>> answers = new ArrayList<>();
    for (int node = 1; node <= PEERS; node++) {
      Transport small = start(cluster.node(node), SimTransportSettings.parse(SMALL));
      answers.add(Raw.unary(small.peer(SimCluster.handshakeAddress(0)), ECHO, new byte[100]));
      answers.add(Raw.unary(large.peer(SimCluster.handshakeAddress(node)), ECHO, new byte[100]));
    }
    simulation.runUntil(() -> answers.stream().allMatch(CompletableFuture::isDone), 10 * SECOND_NS);
    answers.forEach(answer -> assertEquals(100, answer.getNow(null).payload().length));
  }

  private static String nics() {
    int each = CORES / NICS;
    return IntStream.range(0, NICS)
        .mapToObj(
            nic ->
                "{name = n%d, address = \"127.0.0.1:0\", workers = %d, cores = %s}"
                    .formatted(
                        nic, each, IntStream.range(nic * each, (nic + 1) * each).boxed().toList()))
        .collect(Collectors.joining(",", "millrace.nics = [", "]"));
  }

  private static Transport start(FullNode node, TransportSettings settings) {
    node.boot();
    Transport transport =
        Transport.builder(SimCluster.settings(node.number(), settings))
            .environment(node.environment())
            .start();
    Raw.serve(
        transport,
        ECHO,
        call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
    return transport;
  }
}
