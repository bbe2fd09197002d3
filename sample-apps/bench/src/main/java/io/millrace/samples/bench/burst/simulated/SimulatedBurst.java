package io.millrace.samples.bench.burst.simulated;

import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.samples.bench.burst.link.LinkModel;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NicSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.testkit.sim.SimCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;

/**
 * The main class of a process that runs one burst in virtual time: simulated peers, and the
 * receiver behind the bottleneck. The receiver is told its bottleneck. Prints one line of {@link
 * Result}.
 */
public final class SimulatedBurst {
  private static final Route<ByteString, ByteString> SINK = Route.bytes("sink");
  private static final Route<ByteString, ByteString> SOURCE = Route.bytes("source");
  private static final long DELAY_NS = 50_000;
  private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(5);
  private static final int DIALS_AT_ONCE = 20;

  /** Room for so many times the peers. */
  private static final int ROOM = 4;

  private final Simulation simulation;
  private final Plan plan;
  private final FullCluster cluster;
  private final List<Transport> nodes = new ArrayList<>();
  private int warm;
  private int done;

  /**
   * The burst.
   *
   * @param isFanOut whether the payload is in answers to the receiver, and not in requests to it
   * @param mtu bytes of an IP packet
   */
  public record Plan(
      int peers,
      int transfers,
      int sizeBytes,
      boolean isFanOut,
      long bitsPerSecond,
      int queueBytes,
      int mtu) {
    /** Reads the words of {@link #words}. */
    static Plan parse(String[] words) {
      return new Plan(
          Integer.parseInt(words[0]),
          Integer.parseInt(words[1]),
          Integer.parseInt(words[2]),
          Boolean.parseBoolean(words[3]),
          Long.parseLong(words[4]),
          Integer.parseInt(words[5]),
          Integer.parseInt(words[6]));
    }

    /** The plan as arguments of a command. */
    List<String> words() {
      return List.of(
          String.valueOf(peers),
          String.valueOf(transfers),
          String.valueOf(sizeBytes),
          String.valueOf(isFanOut),
          String.valueOf(bitsPerSecond),
          String.valueOf(queueBytes),
          String.valueOf(mtu));
    }
  }

  /**
   * The result of a burst.
   *
   * @param goodput payload by the time of the last transfer, as a share of the payload that the
   *     link carries in full packets
   * @param packetsPerTransfer packets of all nodes in both directions, for each transfer
   * @param lost packets that the queue dropped
   */
  public record Result(double goodput, double packetsPerTransfer, long lost) {
    /** Reads a line of {@link #format}. */
    static Result parse(String line) {
      String[] words = line.split(" ", -1);
      return new Result(
          Double.parseDouble(words[0]), Double.parseDouble(words[1]), Long.parseLong(words[2]));
    }

    /** Formats the result as one line. */
    String format() {
      return goodput + " " + packetsPerTransfer + " " + lost;
    }
  }

  private SimulatedBurst(Simulation simulation, Plan plan) {
    this.simulation = simulation;
    this.plan = plan;
    NicSettings nic =
        new NicSettings(
            RateSettings.UNLIMITED,
            RateSettings.of(plan.bitsPerSecond() / Byte.SIZE, plan.queueBytes()));
    NetworkSettings network = NetworkSettings.clean(DELAY_NS).withNic(nic);
    cluster =
        new FullCluster(
            simulation, network.withLink(network.link().withMtu(datagram(), true)), null);
    cluster.add(plan.peers() + 1, NodeSettings.DEFAULT);
    for (int i = 0; i <= plan.peers(); i++) {
      nodes.add(start(cluster.node(i)));
    }
  }

  /** The words of a {@link Plan}. */
  public static void main(String[] args) throws Exception {
    System.out.println(run(Plan.parse(args)).format());
    Runtime.getRuntime().halt(0);
  }

  static Result run(Plan plan) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            return new SimulatedBurst(simulation, plan).burst();
          }
        });
  }

  private int datagram() {
    return plan.mtu() - LinkModel.DATAGRAM_OVERHEAD_BYTES;
  }

  private Transport start(FullNode node) {
    node.boot();
    boolean isReceiver = node.number() == 0;
    String settings =
        isReceiver
            ? """
            millrace.nic { max-datagram = %d, send-buffers = 256 }
            millrace.limits { peers = %d, inline-budget = 256 MiB, inline-credit = 1 MiB }
            millrace.limits { waiting-calls = 65536, executor-queue = 65536, answer-budget = 1 GiB }
            millrace.workers.submission-depth = 65536
            millrace.regions { sizes = [64 KiB], counts = [2048], grant-budget = 1 GiB }
            millrace.regions { idle-revoke = 1 s, send-revoke = off }
            millrace.nic { bandwidth = "%d bit/s", queue = %d B }
            """
                .formatted(datagram(), ROOM * plan.peers(), plan.bitsPerSecond(), plan.queueBytes())
            : """
            millrace.nic.max-datagram = %d
            millrace.limits { inline-budget = 8 MiB, waiting-calls = 4096 }
            millrace.workers.submission-depth = 4096
            millrace.regions { sizes = [64 KiB], counts = [2], per-peer = 64 KiB, grant-budget = 64 KiB }
            """
                .formatted(datagram());
    Transport transport =
        Transport.builder(SimCluster.settings(node.number(), SimTransportSettings.parse(settings)))
            .environment(node.environment())
            .start();
    transport.serve(SINK, _ -> CompletableFuture.completedFuture(bytes(1)));
    transport.serve(SOURCE, _ -> CompletableFuture.completedFuture(bytes(plan.sizeBytes())));
    return transport;
  }

  private static ByteString bytes(int length) {
    return ByteString.fromArrayUnsafe(new byte[length]);
  }

  private Result burst() {
    connect();
    long lost = cluster.network().counters().lost();
    long sent = cluster.network().counters().sent();
    long startNs = simulation.nowNs();
    for (int i = 0; i < plan.transfers(); i++) {
      int peer = 1 + i % plan.peers();
      CompletableFuture<ByteString> call =
          plan.isFanOut() ? call(0, peer, SOURCE, 1) : call(peer, 0, SINK, plan.sizeBytes());
      CompletableFuture<Void> _ = call.thenAccept(_ -> done++);
    }
    require(simulation.runUntil(() -> done == plan.transfers(), startNs + LIMIT_NS), "transfers");
    double seconds = (double) (simulation.nowNs() - startNs) / SECOND_NS;
    LinkModel link = new LinkModel(plan.bitsPerSecond(), plan.mtu());
    // The simulator's link counts datagrams alone, without the headers around these.
    double most = plan.bitsPerSecond() / 8.0 * link.fullPayloadBytes() / datagram();
    double payload = (double) plan.transfers() * plan.sizeBytes();
    return new Result(
        payload / seconds / most,
        (double) (cluster.network().counters().sent() - sent) / plan.transfers(),
        cluster.network().counters().lost() - lost);
  }

  /** A call of each peer to the receiver, and a time without calls. */
  private void connect() {
    for (int i = 1; i <= plan.peers(); i++) {
      CompletableFuture<Void> _ = call(i, 0, SINK, 1).thenAccept(_ -> warm++);
      int begun = i;
      if (i % DIALS_AT_ONCE == 0 || i == plan.peers()) {
        require(
            simulation.runUntil(() -> warm == begun, simulation.nowNs() + LIMIT_NS), "connections");
      }
    }
    boolean _ = simulation.runUntil(() -> false, simulation.nowNs() + SECOND_NS);
  }

  private CompletableFuture<ByteString> call(
      int from, int to, Route<ByteString, ByteString> route, int length) {
    return nodes.get(from).peer(SimCluster.handshakeAddress(to)).unary(route, bytes(length));
  }

  private static void require(boolean isDone, String what) {
    if (!isDone) {
      throw new IllegalStateException("the simulated burst did not end: " + what);
    }
  }
}
