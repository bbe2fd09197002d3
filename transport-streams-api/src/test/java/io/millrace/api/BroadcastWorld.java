package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.body.ArraySource;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.FabricObserver;
import io.millrace.testkit.internal.fabric.WriteView;
import io.millrace.testkit.internal.net.NetworkObserver;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.KeyInUse;
import io.millrace.testkit.internal.node.KeyName;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Simulated nodes: the first node broadcasts to the other nodes, and each node keeps its payloads.
 */
final class BroadcastWorld {
  static final RouteId PARCEL = RouteId.of("parcel");
  static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  static final long MS = 1_000_000;
  static final long DELAY_NS = 50_000;
  static final byte[] HEADERS = BodyTest.random(19, 7);

  /** The way in which bodies travel. */
  enum Carriage {
    DATAGRAMS,
    WRITES,
    /** Chunks with bytes covered by the seal of their packet. */
    COVERED,
    /** The same on a fabric, without one-sided writes in this case. */
    COVERED_ON_FABRIC;

    @Nullable FabricSettings fabric() {
      return this == DATAGRAMS || this == COVERED ? null : FabricSettings.DEFAULT;
    }

    private boolean isCovered() {
      return this == COVERED || this == COVERED_ON_FABRIC;
    }

    String settings() {
      return "millrace.regions.counts = [6, 3]\n"
          + "millrace.transfers { buffer-pool = 8 MiB, cover-broadcasts = "
          + isCovered()
          + " }\n";
    }
  }

  /** A payload that arrived at a node. */
  record Arrival(byte[] headers, BodyTest.Collector target, long[] endNs) {}

  interface Scenario {
    void run(BroadcastWorld world) throws Exception;
  }

  /** The work of the record ciphers of all nodes, and the traffic on the wire. */
  static final class Seals implements CipherObserver, NetworkObserver, FabricObserver {
    int sealed;
    int opened;

    /** The number of packets with chunks behind the seal. */
    int uncovered;

    int writes;

    /** The addresses of the written bytes at their sender. */
    final Set<Long> sources = new TreeSet<>();

    /** The data keys of sealed records. */
    final Set<KeyName> sealingKeys = new LinkedHashSet<>();

    void watch(FullCluster cluster, boolean hasFabric) {
      cluster.observeCiphers(this);
      if (hasFabric) {
        cluster.fabric().observe((NetworkObserver) this);
        cluster.fabric().observe((FabricObserver) this);
      } else {
        cluster.network().observe(this);
      }
    }

    @Override
    public void onSent(PacketView packet, long nowNs) {
      uncovered += PacketHeader.isChunks(packet.bytes(), 0, packet.length()) ? 1 : 0;
    }

    @Override
    public void onPosted(WriteView write, long nowNs) {
      writes++;
      sources.add(write.source().address());
    }

    @Override
    public void onRecordSealed(KeyInUse key, long nonce) {
      sealed++;
      sealingKeys.add(key.name());
    }

    @Override
    public void onRecordOpened(KeyInUse key, long nonce) {
      opened++;
    }
  }

  final SimulatedCluster nodes;
  final Seals seals;
  final List<List<Arrival>> arrivals = new ArrayList<>();

  private BroadcastWorld(SimulatedCluster nodes, Seals seals, int peers) {
    this.nodes = nodes;
    this.seals = seals;
    for (int node = 0; node <= peers; node++) {
      List<Arrival> got = new ArrayList<>();
      arrivals.add(got);
      serve(node, got);
    }
  }

  private void serve(int node, List<Arrival> got) {
    Raw.serveBulkWrites(
        nodes.transport(node),
        PARCEL,
        offer -> {
          long[] endNs = {Long.MAX_VALUE};
          BodyTest.Collector target =
              new BodyTest.Collector() {
                @Override
                public void complete() {
                  endNs[0] = nodes.simulation.nowNs();
                  super.complete();
                }
              };
          got.add(new Arrival(offer.headers().encode(), target, endNs));
          return CompletableFuture.completedFuture(target);
        });
  }

  static void run(Carriage carriage, int peers, String overrides, Scenario scenario)
      throws Exception {
    run(carriage, 1, peers, LinkSettings.clean(DELAY_NS), overrides, scenario);
  }

  static void run(
      Carriage carriage,
      long seed,
      int peers,
      LinkSettings link,
      String overrides,
      Scenario scenario)
      throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed)) {
            Seals seals = new Seals();
            SimulatedCluster nodes =
                new SimulatedCluster(
                    simulation,
                    peers + 1,
                    NetworkSettings.clean(DELAY_NS).withLink(link),
                    carriage.fabric(),
                    SimTransportSettings.parse(carriage.settings() + overrides),
                    new byte[0],
                    cluster -> seals.watch(cluster, carriage.fabric() != null));
            scenario.run(new BroadcastWorld(nodes, seals, peers));
          }
          return null;
        });
  }

  Transport sender() {
    return nodes.transport(0);
  }

  TransportSnapshot.Buffers memory() {
    return sender().snapshot().buffers();
  }

  Destination to(int node) {
    return Destination.of(nodes.peer(0, node));
  }

  /** All nodes but the sender. */
  List<Destination> all() {
    List<Destination> all = new ArrayList<>();
    for (int node = 1; node < arrivals.size(); node++) {
      all.add(to(node));
    }
    return all;
  }

  SealedPayload seal(byte[] payload) throws Exception {
    return nodes.await(
        Raw.seal(sender(), new ArraySource(payload, 0, payload.length), HEADERS), SECOND_NS);
  }

  <T> T await(CompletableFuture<T> future) throws Exception {
    return nodes.await(future, 60 * SECOND_NS);
  }

  void runFor(long ns) {
    nodes.simulation.runUntil(() -> false, nodes.simulation.nowNs() + ns);
  }

  /** Checks that this node got exactly these bytes, once. */
  void assertGot(int node, byte[] payload) {
    assertEquals(1, arrivals.get(node).size(), "node " + node);
    Arrival arrival = arrivals.get(node).getFirst();
    assertArrayEquals(HEADERS, arrival.headers(), "node " + node);
    assertArrayEquals(payload, arrival.target().bytes.toByteArray(), "node " + node);
    assertEquals(true, arrival.target().end.getNow(false), "node " + node);
  }

  /** Checks that all memory of all nodes is free again. */
  void assertNothingKept() {
    runFor(SECOND_NS);
    for (int node = 0; node < arrivals.size(); node++) {
      TransportSnapshot.Buffers memory = nodes.transport(node).snapshot().buffers();
      assertEquals(0, memory.usedBytes(), "buffers of node " + node);
      assertEquals(0, memory.broadcastBytes(), "broadcasts of node " + node);
      var regions = Objects.requireNonNull(nodes.transport(node).pool().port(0).regions());
      assertEquals(0, regions.busyRegions(), "regions of node " + node);
    }
  }
}
