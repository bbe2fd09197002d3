package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.sim.core.SimThread;
import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.net.NetworkCounters;
import io.millrace.testkit.sim.net.NetworkSettings;
import io.millrace.testkit.sim.net.NicSettings;
import io.millrace.testkit.sim.net.RateSettings;
import io.millrace.testkit.sim.node.NodeSettings;
import io.millrace.testkit.sim.node.SimCluster;
import io.millrace.testkit.sim.node.SimNode;
import io.millrace.testkit.sim.node.SimTransportSettings;
import io.millrace.wire.Route;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bursts of many peers at one node behind a slow link with a short queue: payload in the requests
 * (incast) or in the answers (fan-out), under virtual time.
 */
final class BurstSimulationTest {
  private static final Route SINK = Route.of("sink");
  private static final Route SOURCE = Route.of("source");
  private static final int PEERS = 20;
  private static final int BURST_BYTES = 5 << 20;
  private static final int DATAGRAM = 8_972;
  private static final long BITS_PER_SECOND = 100_000_000;
  private static final int QUEUE = 64 << 10;
  private static final long DELAY_NS = 50_000;
  private static final long SECOND_NS = 1_000_000_000;

  /** Of the link, payload alone; the first packets of each path are small. */
  private static final double LEAST_USE = 0.94;

  /** Sizes of transfers, a controller of congestion, and whether the payload is in the answers. */
  static Stream<Arguments> bursts() {
    return Stream.of(
        Arguments.of(16 << 10, "new-reno", false),
        Arguments.of(16 << 10, "bbr", true),
        Arguments.of(64 << 10, "new-reno", false),
        Arguments.of(64 << 10, "bbr", true));
  }

  @ParameterizedTest
  @MethodSource("bursts")
  void shouldUseTheLinkAndOverflowNothing(int bytes, String controller, boolean isFanOut)
      throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            new Burst(simulation, bytes, controller).run(isFanOut);
          }
          return null;
        });
  }

  /** One burst in one simulation. */
  private static final class Burst {
    private final Simulation simulation;
    private final int bytes;
    private final String controller;
    private final int transfers;
    private final SimCluster cluster;
    private final Transport[] nodes = new Transport[PEERS + 1];
    private int done;
    private long lastNs;

    Burst(Simulation simulation, int bytes, String controller) {
      this.simulation = simulation;
      this.bytes = bytes;
      this.controller = controller;
      transfers = BURST_BYTES / bytes;
      NetworkSettings network =
          NetworkSettings.clean(DELAY_NS)
              .withNic(
                  new NicSettings(
                      RateSettings.UNLIMITED, RateSettings.of(BITS_PER_SECOND / Byte.SIZE, QUEUE)));
      cluster =
          new SimCluster(
              simulation, network.withLink(network.link().withMtu(DATAGRAM, true)), null);
      cluster.add(PEERS + 1, NodeSettings.DEFAULT);
      for (int i = 0; i <= PEERS; i++) {
        start(cluster.node(i));
      }
    }

    private void start(SimNode node) {
      String receiver =
          """
          millrace.workers.submission-depth = 1024
          millrace.regions { sizes = [64 KiB, 256 KiB], counts = [64, 16], grant-budget = 2 MiB }
          millrace.nic { bandwidth = "%d bit/s", queue = %d B }
          """
              .formatted(BITS_PER_SECOND, QUEUE);
      String common =
          """
          millrace.limits { peers = 64, inline-budget = 16 MiB, inline-credit = 1 MiB }
          millrace.nic.max-datagram = %d
          millrace.congestion.controller = %s
          """
              .formatted(DATAGRAM, controller);
      node.boot();
      nodes[node.number()] =
          Transport.builder(
                  SimCluster.settings(
                      node.number(),
                      SimTransportSettings.parse(common + (node.number() == 0 ? receiver : ""))))
              .environment(node.environment())
              .start();
      nodes[node.number()].serve(
          SINK, call -> CompletableFuture.completedFuture(UnaryResponse.of(new byte[1])));
      nodes[node.number()].serve(
          SOURCE, call -> CompletableFuture.completedFuture(UnaryResponse.of(new byte[bytes])));
    }

    void run(boolean isFanOut) {
      warmUp();
      NetworkCounters counters = cluster.network().counters();
      long lost = counters.lost();
      long startNs = simulation.nowNs();
      for (int i = 0; i < transfers; i++) {
        var _ = begin(1 + i % PEERS, isFanOut).thenAccept(answer -> onDone());
      }
      assertTrue(simulation.runUntil(() -> done == transfers, startNs + 60 * SECOND_NS));
      double idealNs = (double) BURST_BYTES * Byte.SIZE * SECOND_NS / BITS_PER_SECOND;
      double used = idealNs / (lastNs - startNs);
      String what = "%.3f of the link, %d lost".formatted(used, counters.lost() - lost);
      System.out.println(what);
      assertEquals(0, counters.lost() - lost, what);
      assertTrue(used >= LEAST_USE, what);
    }

    private void warmUp() {
      int[] warm = new int[1];
      for (int i = 1; i <= PEERS; i++) {
        var _ = to(0, i).unary(SINK, new byte[1]).thenAccept(answer -> warm[0]++);
        var _ = to(i, 0).unary(SINK, new byte[1]).thenAccept(answer -> warm[0]++);
      }
      assertTrue(simulation.runUntil(() -> warm[0] == 2 * PEERS, 60 * SECOND_NS));
      simulation.runUntil(() -> false, simulation.nowNs() + SECOND_NS);
    }

    private CompletableFuture<UnaryResponse> begin(int peer, boolean isFanOut) {
      return isFanOut
          ? to(0, peer).unary(SOURCE, new byte[1])
          : to(peer, 0).unary(SINK, new byte[bytes]);
    }

    private Peer to(int from, int node) {
      return nodes[from].peer(SimCluster.handshakeAddress(node));
    }

    private void onDone() {
      done++;
      lastNs = simulation.nowNs();
    }
  }
}
