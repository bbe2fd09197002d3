package io.millrace.samples.sim;

import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;

/**
 * Measures the processor time of an answered call while many other calls are open between the same
 * two simulated nodes: both nodes and the simulated network together, without the collector. Work
 * that grows with the number of open calls shows as a longer time.
 */
public final class CallCost {
  private static final int ROUNDS = 9;
  private static final int CALLS = 20_000;
  private static final int WAVE = 100;
  private static final long DELAY_NS = 50_000;
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);
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
      Peer peer = Footprint.openAll(cluster, OpenKind.UNARY, held, served, open, open + WAVE);
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long[] tookNs = new long[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        long fromNs = threads.getCurrentThreadCpuTime();
        call(peer, simulation);
        tookNs[round] = (threads.getCurrentThreadCpuTime() - fromNs) / CALLS;
      }
      Reference.reachabilityFence(held);
      Reference.reachabilityFence(served);
      Arrays.sort(tookNs);
      return tookNs[ROUNDS / 2];
    }
  }

  private static void call(Peer peer, Simulation simulation) {
    List<CompletableFuture<ByteString>> wave = new ArrayList<>(WAVE);
    for (int called = 0; called < CALLS; called += WAVE) {
      wave.clear();
      for (int i = 0; i < WAVE; i++) {
        wave.add(peer.unary(ECHO, ByteString.emptyByteString()));
      }
      CompletableFuture<Void> all = CompletableFuture.allOf(wave.toArray(CompletableFuture[]::new));
      if (!simulation.runUntil(all::isDone, simulation.nowNs() + LIMIT_NS)) {
        throw new IllegalStateException("calls are not answered");
      }
      all.join();
    }
  }
}
