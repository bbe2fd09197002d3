package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Simulated nodes, each with a transport that serves an echo, a store and a source of bytes. */
final class SimulatedCluster {
  static final RouteId ECHO = RouteId.of("echo");
  static final RouteId STORE = RouteId.of("store");
  static final RouteId FETCH = RouteId.of("fetch");
  static final long SECOND_NS = 1_000_000_000L;
  private static final TransportSettings SETTINGS = SimTransportSettings.parse("");

  final Simulation simulation;
  final FullCluster cluster;
  final List<BodyTest.Collector> stored = new ArrayList<>();
  private final List<Transport> transports = new ArrayList<>();
  private final TransportSettings settings;
  private final byte[] kept;

  SimulatedCluster(Simulation simulation, int nodes, NetworkSettings network, byte[] kept) {
    this(simulation, nodes, network, null, SETTINGS, kept);
  }

  /** Creates nodes; {@code prepare} may observe the cluster before the nodes start. */
  SimulatedCluster(
      Simulation simulation,
      int nodes,
      NetworkSettings network,
      byte[] kept,
      Consumer<FullCluster> prepare) {
    this(simulation, nodes, network, null, SETTINGS, kept, prepare);
  }

  /** Creates nodes on a fabric, unless the fabric's settings are null. */
  SimulatedCluster(
      Simulation simulation,
      int nodes,
      NetworkSettings network,
      @Nullable FabricSettings fabric,
      TransportSettings settings,
      byte[] kept) {
    this(simulation, nodes, network, fabric, settings, kept, ready -> {});
  }

  /** Creates such nodes; {@code prepare} runs on the cluster before the nodes start. */
  SimulatedCluster(
      Simulation simulation,
      int nodes,
      NetworkSettings network,
      @Nullable FabricSettings fabric,
      TransportSettings settings,
      byte[] kept,
      Consumer<FullCluster> prepare) {
    this.settings = settings;
    this.simulation = simulation;
    this.kept = kept;
    cluster = new FullCluster(simulation, network, fabric);
    prepare.accept(cluster);
    cluster.add(nodes, NodeSettings.DEFAULT);
    for (FullNode node : cluster.nodes()) {
      transports.add(boot(node));
    }
  }

  Transport transport(int node) {
    return transports.get(node);
  }

  Peer peer(int from, int to) {
    return transports.get(from).peer(SimCluster.handshakeAddress(to));
  }

  void crash(int node) {
    cluster.node(node).crash();
  }

  void restart(int node) {
    transports.set(node, boot(cluster.node(node)));
  }

  /** Lets time pass until the stage is complete, within this limit of virtual time. */
  <T> T await(CompletionStage<T> stage, long timeoutNs) throws Exception {
    CompletableFuture<T> future = stage.toCompletableFuture();
    assertTrue(
        simulation.runUntil(future::isDone, simulation.nowNs() + timeoutNs),
        "not done after " + timeoutNs + " ns");
    return future.get();
  }

  private Transport boot(FullNode node) {
    node.boot();
    Transport transport =
        Transport.builder(SimCluster.settings(node.number(), settings))
            .environment(node.environment())
            .start();
    Raw.serve(
        transport,
        ECHO,
        call ->
            CompletableFuture.completedFuture(new UnaryResponse(call.headers(), call.payload())));
    Raw.serveBulkWrites(
        transport,
        STORE,
        offer -> {
          BodyTest.Collector target = new BodyTest.Collector();
          stored.add(target);
          return CompletableFuture.completedFuture(target);
        });
    Raw.serveBulkReads(
        transport,
        FETCH,
        offer -> CompletableFuture.completedFuture(new ArraySource(kept, 0, kept.length)));
    return transport;
  }
}
