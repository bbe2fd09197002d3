package io.millrace.samples.bench.reference;

import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.WorkerSnapshot;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NicSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.testkit.sim.SimCluster;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.collections.LongArrayList;
import org.apache.pekko.util.ByteString;

/**
 * One incast in a simulation: the receiver is node 0, the senders follow, then a node with small
 * calls, and a node that receives the flow beside the incast. A turn of a worker takes no time.
 */
final class ReferenceRun {
  private static final Route<ByteString, ByteString> SINK = Route.bytes("reference");
  private static final NodeSettings NO_PROCESSOR_TIME =
      new NodeSettings(0, 0, 1, 1, false, 5, false);
  private static final int DIALS_AT_ONCE = 50;

  /** A sender's own queue holds everything that the sender may have in flight. */
  private static final int OWN_QUEUE_BYTES = 64 << 20;

  /** From so many senders on, each has a few send buffers only, so that all fit into memory. */
  private static final int MANY = 5_000;

  /** From so many senders on, each has the small buffers of {@link SimTransportSettings}. */
  private static final int MANY_POOLS = 200;

  private static final String LARGE_POOL =
      "millrace.transfers { buffer-pool = 8 MiB, window = 1 MiB }\n";
  private static final int FEW_BUFFERS = 4;
  private static final int BUFFERS = 16;
  private static final int SMALL_BYTES = 32;
  private static final long SMALL_EVERY_NS = 10_000;
  private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);
  private static final TransferOptions URGENT = TransferOptions.DEFAULTS.withPriority(0);

  private final Simulation simulation;
  private final ReferenceCase incast;
  private final FullCluster cluster;
  private final LinkTap link;
  private final Transport[] nodes;
  private final ByteString small = ByteString.fromArrayUnsafe(new byte[SMALL_BYTES]);
  private final LongArrayList endsNs = new LongArrayList();
  private final LongArrayList smallNs = new LongArrayList();
  private long startNs;
  private long besideNs;
  private boolean isOver;

  private ReferenceRun(Simulation simulation, ReferenceCase incast, String overrides) {
    this.simulation = simulation;
    this.incast = incast;
    long bytesPerSecond = ReferenceCase.BITS_PER_SECOND / Byte.SIZE;
    NicSettings nic =
        new NicSettings(
            RateSettings.of(bytesPerSecond, OWN_QUEUE_BYTES),
            RateSettings.of(bytesPerSecond, ReferenceCase.QUEUE_BYTES));
    NetworkSettings network = NetworkSettings.clean(ReferenceCase.DELAY_NS).withNic(nic);
    cluster =
        new FullCluster(
            simulation,
            network.withLink(network.link().withMtu(ReferenceCase.DATAGRAM_BYTES, true)));
    link = new LinkTap(0, (double) TimeUnit.SECONDS.toNanos(1) / bytesPerSecond);
    cluster.network().observe(link);
    nodes = new Transport[incast.senders() + 3];
    cluster.add(nodes.length, NO_PROCESSOR_TIME);
    TransportSettings receiver = SimTransportSettings.parse(receiver() + overrides);
    TransportSettings sender = SimTransportSettings.parse(sender() + overrides);
    for (FullNode node : cluster.nodes()) {
      start(node, node.number() == 0 || node.number() == nodes.length - 1 ? receiver : sender);
    }
  }

  /**
   * Runs an incast with the seed 1.
   *
   * @param overrides settings of all nodes, in front of this program's own
   */
  static ReferenceRow of(ReferenceCase incast, String overrides) throws Exception {
    return SimThread.call(
        () -> {
          long fromNs = processorNs();
          try (Simulation simulation = new Simulation(1)) {
            return new ReferenceRun(simulation, incast, overrides).run(fromNs);
          }
        });
  }

  private void start(FullNode node, TransportSettings settings) {
    node.boot();
    Transport transport =
        Transport.builder(SimCluster.settings(node.number(), settings))
            .environment(node.environment())
            .start();
    transport.serve(SINK, _ -> CompletableFuture.completedFuture(ByteString.emptyByteString()));
    nodes[node.number()] = transport;
  }

  private static String link() {
    return String.format(
        Locale.ROOT,
        "millrace.nic { bandwidth = \"%d bit/s\", queue = %d B, max-datagram = %d }%n",
        ReferenceCase.BITS_PER_SECOND,
        ReferenceCase.QUEUE_BYTES,
        ReferenceCase.DATAGRAM_BYTES);
  }

  private String sender() {
    return link()
        + String.format(
            Locale.ROOT,
            """
            millrace.nic { send-buffers = %1$d, max-train-packets = %1$d }
            millrace.workers.wheel-slots = 64
            millrace.limits { concurrent-transfers = 64, waiting-calls = 64, executor-queue = 64 }
            millrace.regions { counts = [2, 1], per-peer = 128 KiB, grant-budget = 128 KiB }
            """,
            incast.senders() > MANY ? FEW_BUFFERS : BUFFERS)
        + (incast.senders() < MANY_POOLS ? LARGE_POOL : "");
  }

  private String receiver() {
    return link()
        + String.format(
            Locale.ROOT,
            """
            millrace.nic { send-buffers = 256, max-train-packets = 16 }
            millrace.limits { peers = %d, inline-budget = 1 GiB, inline-credit = 1 MiB }
            millrace.limits { waiting-calls = 65536, executor-queue = 65536, answer-budget = 1 GiB }
            millrace.limits.request-budget = 1 GiB
            millrace.workers.submission-depth = 4096
            millrace.transfers { assembly = 1 GiB }
            millrace.regions { sizes = [64 KiB, 256 KiB], counts = [4096, 1024], grant-budget = 1 GiB }
            """,
            nodes.length + 1);
  }

  private ReferenceRow run(long fromNs) {
    openPaths();
    double retransmitted = retransmitted();
    long spurious = spurious();
    startNs = simulation.nowNs();
    link.start(startNs);
    begin();
    awaitOrFail(this::isComplete, "the incast does not end");
    isOver = true;
    link.stop();
    long[] smallest = smallNs.toLongArray();
    long[] ends = endsNs.toLongArray();
    Arrays.sort(smallest);
    return new ReferenceRow(
        incast,
        ends,
        besideNs,
        smallest,
        retransmitted() - retransmitted,
        spurious() - spurious,
        link,
        processorNs() - fromNs);
  }

  private void begin() {
    ByteString payload = ByteString.fromArrayUnsafe(new byte[incast.bytes()]);
    Draws draws = simulation.draws("reference");
    for (int i = 1; i <= incast.senders(); i++) {
      Peer receiver = to(i, 0);
      Runnable call =
          () -> {
            var _ = receiver.unary(SINK, payload).thenRun(() -> endsNs.add(sinceStartNs()));
          };
      if (incast.jitterNs() == 0) {
        call.run();
      } else {
        simulation.at(startNs + draws.below(i, 0, incast.jitterNs()), call);
      }
    }
    if (incast.besideBytes() > 0) {
      ByteString beside = ByteString.fromArrayUnsafe(new byte[incast.besideBytes()]);
      var _ = to(1, nodes.length - 1).unary(SINK, beside).thenRun(() -> besideNs = sinceStartNs());
    }
    callSmall();
  }

  private void callSmall() {
    if (isOver) {
      return;
    }
    long begunNs = simulation.nowNs();
    var _ =
        to(nodes.length - 2, 0)
            .unary(SINK, small, URGENT)
            .thenRun(
                () -> {
                  smallNs.add(simulation.nowNs() - begunNs);
                  simulation.at(simulation.nowNs() + SMALL_EVERY_NS, this::callSmall);
                });
  }

  private boolean isComplete() {
    return endsNs.size() == incast.senders() && (incast.besideBytes() == 0 || besideNs > 0);
  }

  /** Each sender makes a small call, and another call when the size of datagrams is known. */
  private void openPaths() {
    int[] open = new int[1];
    int last = nodes.length - 2;
    for (int i = 1; i <= last; i++) {
      var _ = to(i, 0).unary(SINK, small).thenRun(() -> open[0]++);
      int begun = i;
      if (i % DIALS_AT_ONCE == 0 || i == last) {
        awaitOrFail(() -> open[0] == begun, "the paths do not open");
      }
    }
    if (incast.besideBytes() > 0) {
      var _ = to(1, nodes.length - 1).unary(SINK, small).thenRun(() -> open[0]++);
      awaitOrFail(() -> open[0] == last + 1, "the path beside does not open");
    }
    simulation.runFor(SETTLE_NS);
  }

  private void awaitOrFail(BooleanSupplier isDone, String failure) {
    if (!simulation.runUntil(isDone, simulation.nowNs() + LIMIT_NS)) {
      throw new IllegalStateException(incast.name() + ": " + failure + ", " + endsNs.size());
    }
  }

  /** Retransmitted packets: full packets of the retransmitted chunks, and retransmitted frames. */
  private double retransmitted() {
    double packets = 0;
    for (Transport node : nodes) {
      for (WorkerSnapshot worker : node.snapshot().workers()) {
        packets += worker.transfers().framesRetransmitted();
        packets +=
            (double) worker.bodies().records().chunkBytesRetransmitted()
                / ReferenceCase.fullPayloadBytes();
      }
    }
    return packets;
  }

  private long spurious() {
    long packets = 0;
    for (Transport node : nodes) {
      for (WorkerSnapshot worker : node.snapshot().workers()) {
        packets += worker.recovery().spuriousLosses();
      }
    }
    return packets;
  }

  private Peer to(int from, int node) {
    return nodes[from].peer(SimCluster.handshakeAddress(node));
  }

  private long sinceStartNs() {
    return simulation.nowNs() - startNs;
  }

  private static long processorNs() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
