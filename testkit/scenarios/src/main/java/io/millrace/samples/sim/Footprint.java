package io.millrace.samples.sim;

import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimCluster;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;

/**
 * Measures the heap of open calls and streams at both sides. Two simulated nodes open few
 * transfers, and then two other nodes open many; the difference is the footprint of the transfers.
 * The server's share is the memory that its end sets free while the client stands still.
 */
public final class Footprint {
  private static final int MOST_CALL_BYTES = 2_000;
  private static final long LEAST_REQUEST_BYTES = 256L << 20;
  private static final int FEW = 1_000;
  private static final int WAVE = 500;
  private static final int COLLECTIONS = 3;
  private static final long DELAY_NS = 50_000;
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);
  private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(2);

  /**
   * The heap bytes of an open transfer.
   *
   * @param kind the kind of the open transfers
   * @param open the number of open transfers
   * @param clientBytes the bytes at the opening side
   * @param serverBytes the bytes at the serving side
   * @param classes the classes of the objects on both sides together, if wanted
   */
  public record Result(
      OpenKind kind,
      int open,
      long clientBytes,
      long serverBytes,
      List<ClassHistogram.Share> classes) {}

  /** The heap bytes of both sides, with everything needed once. */
  private record Heap(long client, long server, ClassHistogram classes) {}

  private Footprint() {}

  /** Opens {@code count} transfers, at least 2,000; takes their memory several times over. */
  public static Result of(OpenKind kind, int count) throws Exception {
    return of(kind, count, false);
  }

  /** Measures as {@link #of(OpenKind, int)}; with the classes of the objects, if wanted. */
  public static Result of(OpenKind kind, int count, boolean withClasses) throws Exception {
    // Classes loaded on the way belong to no transfer.
    SimThread.call(() -> open(kind, FEW, count, false));
    Heap few = SimThread.call(() -> open(kind, FEW, count, withClasses));
    Heap many = SimThread.call(() -> open(kind, count, count, withClasses));
    long more = (long) count - FEW;
    return new Result(
        kind,
        count,
        (many.client - few.client) / more,
        (many.server - few.server) / more,
        many.classes.since(few.classes, more));
  }

  private static Heap open(OpenKind kind, int count, int most, boolean withClasses)
      throws Exception {
    try (Simulation simulation = new Simulation(1)) {
      FullCluster cluster = new FullCluster(simulation, NetworkSettings.clean(DELAY_NS));
      cluster.add(2, NodeSettings.DEFAULT);
      FullNode server = cluster.node(0);
      List<Object> held = new ArrayList<>(count);
      List<Object> served = new ArrayList<>(count);
      long before = usedHeap();
      try {
        openAll(cluster, kind, held, served, count, most);
        long both = usedHeap();
        ClassHistogram classes = withClasses ? ClassHistogram.take() : ClassHistogram.NONE;
        cluster.node(1).pause(Long.MAX_VALUE >> 1);
        server.crash();
        served.clear();
        // Timers planned for the ended life are released at their times.
        simulation.runFor(LIMIT_NS);
        long rest = usedHeap();
        return new Heap(rest - before, both - rest, classes);
      } finally {
        Reference.reachabilityFence(held);
        Reference.reachabilityFence(served);
      }
    }
  }

  /** Opens so many transfers between two new nodes; returns the client's view of the server. */
  static Peer openAll(
      FullCluster cluster,
      OpenKind kind,
      List<Object> held,
      List<Object> served,
      int count,
      int most) {
    Transport server = start(cluster.node(0), most);
    kind.serve(server, served);
    Transport client = start(cluster.node(1), most);
    Peer peer = client.peer(server.address());
    Simulation simulation = cluster.simulation();
    while (held.size() < count) {
      for (int i = 0; i < WAVE && held.size() < count; i++) {
        kind.open(peer, client.materializer(), held);
      }
      if (!kind.isServed()) {
        simulation.runFor(DELAY_NS);
      } else if (!simulation.runUntil(
          () -> served.size() == held.size(), simulation.nowNs() + LIMIT_NS)) {
        throw new IllegalStateException(
            served.size() + " of " + held.size() + " were opened, no more come");
      }
    }
    simulation.runFor(SETTLE_NS);
    return peer;
  }

  private static Transport start(FullNode node, int most) {
    node.boot();
    int room = Integer.highestOneBit(most) << 1;
    long bytes = (long) room * MOST_CALL_BYTES;
    // Every counted or budgeted resource has room.
    String settings =
        String.format(
            Locale.ROOT,
            """
            millrace {
              workers.submission-depth = 4096
              limits {
                peers = 2
                waiting-calls = %1$d
                executor-queue = %1$d
                concurrent-transfers = %1$d
                inline-credit = %2$d
                inline-budget = %3$d
                answer-budget = %3$d
                request-budget = %4$d
              }
            }
            """,
            room,
            bytes,
            bytes << 1,
            Math.max(LEAST_REQUEST_BYTES, bytes << 3));
    return Transport.builder(
            SimCluster.settings(node.number(), SimTransportSettings.parse(settings)))
        .environment(node.environment())
        .start();
  }

  private static long usedHeap() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /**
   * Measures the processor time of an answered call while many other calls are open between the
   * same two simulated nodes: both nodes and the simulated network together, without the collector.
   * Work that grows with the number of open calls shows as a longer time.
   */
  public static final class CallCost {
    private static final int ROUNDS = 9;
    private static final int CALLS = 20_000;
    private static final int AT_ONCE = 100;
    static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");

    private CallCost() {}

    /** Processor time of an answered call beside {@code open} calls, ns: the median of rounds. */
    public static long ofNs(int open) throws Exception {
      return SimThread.call(() -> measure(open));
    }

    private static long measure(int open) throws Exception {
      try (Simulation simulation = new Simulation(1)) {
        FullCluster cluster = new FullCluster(simulation, NetworkSettings.clean(DELAY_NS));
        cluster.add(2, NodeSettings.DEFAULT);
        List<Object> held = new ArrayList<>(open);
        List<Object> served = new ArrayList<>(open);
        long[] tookNs = new long[ROUNDS];
        try {
          Peer peer = openAll(cluster, OpenKind.UNARY, held, served, open, open + AT_ONCE);
          ThreadMXBean threads = ManagementFactory.getThreadMXBean();
          for (int round = 0; round < ROUNDS; round++) {
            long fromNs = threads.getCurrentThreadCpuTime();
            call(peer, simulation);
            tookNs[round] = (threads.getCurrentThreadCpuTime() - fromNs) / CALLS;
          }
        } finally {
          Reference.reachabilityFence(held);
          Reference.reachabilityFence(served);
        }
        Arrays.sort(tookNs);
        return tookNs[ROUNDS / 2];
      }
    }

    private static void call(Peer peer, Simulation simulation) {
      List<CompletableFuture<ByteString>> wave = new ArrayList<>(AT_ONCE);
      for (int called = 0; called < CALLS; called += AT_ONCE) {
        wave.clear();
        for (int i = 0; i < AT_ONCE; i++) {
          wave.add(peer.unary(ECHO, ByteString.emptyByteString()));
        }
        CompletableFuture<Void> all =
            CompletableFuture.allOf(wave.toArray(CompletableFuture[]::new));
        if (!simulation.runUntil(all::isDone, simulation.nowNs() + LIMIT_NS)) {
          throw new IllegalStateException("calls are not answered");
        }
        all.join();
      }
    }
  }
}
