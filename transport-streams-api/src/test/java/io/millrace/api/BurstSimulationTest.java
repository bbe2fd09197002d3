package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.sim.core.SimThread;
import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.net.LossReason;
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
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * Bursts of many peers at one node behind a slow link with a short queue: payload in the requests
 * (incast) or in the answers (fan-out), under virtual time.
 */
final class BurstSimulationTest {
  private static final Route SINK = Route.of("sink");
  private static final Route SOURCE = Route.of("source");
  private static final int PEERS = Integer.getInteger("burst.peers", 100);
  private static final int TRANSFERS = Integer.getInteger("burst.transfers", 2_000);
  private static final int BYTES = Integer.getInteger("burst.bytes", 16 << 10);
  private static final int DATAGRAM = Integer.getInteger("burst.datagram", 8_972);
  private static final long BITS_PER_SECOND = Long.getLong("burst.rate", 100_000_000);
  private static final int QUEUE = Integer.getInteger("burst.queue", 64 << 10);
  private static final String EXTRA = System.getProperty("burst.extra", "");
  private static final long DELAY_NS = Long.getLong("burst.delay", 50_000);
  private static final long SECOND_NS = 1_000_000_000;
  private static final int CHUNK_OVERHEAD = 72;

  private final Transport[] nodes = new Transport[PEERS + 1];
  private int done;
  private long lastNs;

  private void start(SimNode node) {
    boolean isReceiver = node.number() == 0;
    node.boot();
    String common =
        """
        millrace.workers.submission-depth = %d
        millrace.nic.max-datagram = %d
        millrace.limits { peers = 1024, inline-budget = 128 MiB, inline-credit = 1 MiB, waiting-calls = 65536
          executor-queue = 65536, concurrent-transfers = 65536 }
        """
            .formatted(isReceiver ? 65_536 : 256, DATAGRAM);
    String receiver =
        """
        millrace.regions { counts = [128, 96], grant-budget = 2 MiB, per-peer = 8 MiB, sizes = [64 KiB, 256 KiB] }
        millrace.nic { bandwidth = "%d bit/s", queue = %d B }
        """
            .formatted(BITS_PER_SECOND, QUEUE);
    Transport transport =
        Transport.builder(
                SimCluster.settings(
                    node.number(),
                    SimTransportSettings.parse(EXTRA + "\n" + common + (isReceiver ? receiver : ""))))
            .environment(node.environment())
            .start();
    transport.serve(
        SINK, call -> CompletableFuture.completedFuture(UnaryResponse.of(new byte[8])));
    transport.serve(
        SOURCE, call -> CompletableFuture.completedFuture(UnaryResponse.of(new byte[BYTES])));
    nodes[node.number()] = transport;
  }

  private void run(String shape, IntFunction<CompletableFuture<UnaryResponse>> call)
      throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            run(simulation, shape, call);
          }
          return null;
        });
  }

  private void run(
      Simulation simulation, String shape, IntFunction<CompletableFuture<UnaryResponse>> call) {
    NetworkSettings network =
        NetworkSettings.clean(DELAY_NS)
            .withNic(
                new NicSettings(
                    RateSettings.UNLIMITED, RateSettings.of(BITS_PER_SECOND / 8, QUEUE)));
    network = network.withLink(network.link().withMtu(DATAGRAM, true));
    SimCluster cluster = new SimCluster(simulation, network, null);
    if (Boolean.getBoolean("burst.trace")) {
      cluster
          .network()
          .observe(
              new io.millrace.testkit.sim.net.NetworkObserver() {
                private void say(String what, io.millrace.testkit.sim.net.PacketView p, long nowNs) {
                  System.out.printf(
                      "%,d %s %s>%s %d %s%n",
                      nowNs, what, p.source(), p.destination(), p.length(), p.notes());
                }

                @Override
                public void onSent(io.millrace.testkit.sim.net.PacketView p, long nowNs) {
                  say("snd", p, nowNs);
                }

                @Override
                public void onDelivered(io.millrace.testkit.sim.net.PacketView p, long nowNs) {
                  say("rcv", p, nowNs);
                }

                @Override
                public void onLost(
                    io.millrace.testkit.sim.net.PacketView p, LossReason reason, long nowNs) {
                  say("LOST", p, nowNs);
                }
              });
    }
    cluster.add(PEERS + 1, NodeSettings.DEFAULT);
    for (int i = 0; i <= PEERS; i++) {
      start(cluster.node(i));
    }
    int[] warm = new int[1];
    for (int i = 1; i <= PEERS; i++) {
      nodes[0].peer(SimCluster.handshakeAddress(i)).unary(SINK, new byte[8]).thenAccept(x -> warm[0]++);
      nodes[i].peer(SimCluster.handshakeAddress(0)).unary(SINK, new byte[8]).thenAccept(x -> warm[0]++);
    }
    assertTrue(simulation.runUntil(() -> warm[0] == 2 * PEERS, 60 * SECOND_NS));
    simulation.runUntil(() -> false, simulation.nowNs() + SECOND_NS);
    NetworkCounters counters = cluster.network().counters();
    long sent = counters.sent();
    long bytes = counters.sentBytes();
    long lost = counters.lost(LossReason.INGRESS_QUEUE);
    long startNs = simulation.nowNs();
    for (int i = 0; i < TRANSFERS; i++) {
      call.apply(1 + i % PEERS)
          .thenAccept(
              x -> {
                done++;
                lastNs = simulation.nowNs();
              });
    }
    simulation.runUntil(() -> done == TRANSFERS, startNs + 600 * SECOND_NS);
    double seconds = (lastNs - startNs) / 1e9;
    double ideal =
        TRANSFERS * (double) BYTES * DATAGRAM / (DATAGRAM - CHUNK_OVERHEAD) / (BITS_PER_SECOND / 8.0);
    System.out.printf(
        "%s: %d of %d, %d bytes in %.3f s, goodput %.3f, sent %d (%d bytes), lost in queues %d%n%s%n%s%n",
        shape,
        done,
        TRANSFERS,
        BYTES,
        seconds,
        ideal / seconds,
        counters.sent() - sent,
        counters.sentBytes() - bytes,
        counters.lost(LossReason.INGRESS_QUEUE) - lost,
        nodes[0].snapshot(),
        nodes[1].snapshot());
    assertEquals(TRANSFERS, done);
  }

  /** Runs both with the settings of the command line. */
  public static void main(String[] args) throws Exception {
    new BurstSimulationTest().shouldUseTheLinkAndOverflowNothingInAnIncast();
    new BurstSimulationTest().shouldUseTheLinkAndOverflowNothingInAFanOut();
  }

  @Test
  void shouldUseTheLinkAndOverflowNothingInAnIncast() throws Exception {
    run(
        "incast",
        i -> nodes[i].peer(SimCluster.handshakeAddress(0)).unary(SINK, new byte[BYTES]));
  }

  @Test
  void shouldUseTheLinkAndOverflowNothingInAFanOut() throws Exception {
    run(
        "fan-out", i -> nodes[0].peer(SimCluster.handshakeAddress(i)).unary(SOURCE, new byte[8]));
  }
}
