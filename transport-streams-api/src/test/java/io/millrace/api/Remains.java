package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.engine.NodeCensus;
import io.millrace.path.peer.WorkerCensus;
import io.millrace.protocol.region.RegionState;
import io.millrace.testkit.cluster.ClusterException;
import io.millrace.testkit.cluster.NodeHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.DispatcherSelector;

/**
 * The remaining resources of a real node: the same resources as in the simulator's rule about
 * leftovers.
 */
final class Remains {
  private static final long LIMIT_S = 20;

  private Remains() {}

  /** Waits until no calls, bodies, streams, regions or tokens are left. */
  static void awaitNoneOfTransfers(NodeHandle self, Transport node) throws InterruptedException {
    await(self, node, false);
  }

  /** Waits until no path is left, either. */
  static void awaitNoneOfPeers(NodeHandle self, Transport node) throws InterruptedException {
    await(self, node, true);
  }

  private static void await(NodeHandle self, Transport node, boolean isWithPaths)
      throws InterruptedException {
    AtomicReference<List<String>> seen = new AtomicReference<>(List.of());
    try {
      self.awaitUntil(
          "nothing is left",
          () -> {
            seen.set(list(node, isWithPaths));
            return seen.get().isEmpty();
          });
    } catch (ClusterException e) {
      throw new AssertionError("still there: " + seen.get(), e);
    }
  }

  /**
   * Waits until no thread is left that would keep the process alive; threads of the harness do not.
   */
  static void awaitNoThread(NodeHandle self) throws InterruptedException {
    AtomicReference<List<Thread>> seen = new AtomicReference<>(List.of());
    try {
      self.awaitUntil(
          "no thread keeps the process",
          () -> {
            seen.set(
                Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> !thread.isDaemon() && thread != Thread.currentThread())
                    .toList());
            return seen.get().isEmpty();
          });
    } catch (ClusterException e) {
      throw new AssertionError("still there: " + seen.get(), e);
    }
  }

  /** Waits until neither node has resources of transfers left. */
  static void awaitNone(NodePair nodes, PatternWorld world) {
    for (Transport node : List.of(nodes.client(), nodes.server())) {
      AtomicReference<List<String>> seen = new AtomicReference<>(List.of());
      assertTrue(
          nodes.awaitUntil(
              () -> {
                seen.set(
                    world == PatternWorld.SIMULATED ? listSimulated(node) : listOfTransfers(node));
                return seen.get().isEmpty();
              }),
          () -> "still there: " + seen.get());
    }
  }

  /**
   * Returns the remaining resources of transfers on a simulated node; on the simulation's thread.
   */
  static List<String> listSimulated(Transport node) {
    return list(node.pool().census(), node, false);
  }

  /**
   * Returns the remaining resources of transfers on a node with sockets, without tokens, which rest
   * for seconds.
   */
  static List<String> listOfTransfers(Transport node) {
    return list(node, false).stream()
        .filter(line -> !line.contains("tokens") && !line.contains("region"))
        .filter(line -> !line.contains("granted") && !line.contains("outstanding"))
        .toList();
  }

  /** Lists the remaining resources; on the thread of the single worker, between two turns. */
  private static List<String> list(Transport node, boolean isWithPaths) {
    ActorSystem<?> system = node.pool().system();
    String thread = node.pool().workers().getFirst().thread();
    DispatcherSelector worker =
        DispatcherSelector.fromConfig(thread.substring(system.name().length() + 1));
    NodeCensus census =
        CompletableFuture.supplyAsync(
                () -> node.pool().census(), system.dispatchers().lookup(worker))
            .orTimeout(LIMIT_S, TimeUnit.SECONDS)
            .join();
    return list(census, node, isWithPaths);
  }

  private static List<String> list(NodeCensus census, Transport node, boolean isWithPaths) {
    List<String> left = new ArrayList<>();
    add(left, "bytes of buffers", census.bufferBytes());
    add(left, "bytes of messages put together", census.assemblyBytes());
    add(left, "bytes of elements that wait", census.elementBytes());
    add(left, "bytes of requests", census.requestBytes());
    add(left, "streams", StreamCensus.open(node));
    for (WorkerCensus each : census.workers()) {
      addTransfers(left, each);
      if (isWithPaths) {
        add(left, "paths", each.paths());
        add(left, "words of farewell", each.waiting().farewells());
      }
    }
    return left;
  }

  private static void addTransfers(List<String> left, WorkerCensus worker) {
    WorkerCensus.Transfers transfers = worker.transfers();
    add(left, "calls", transfers.calls());
    add(left, "served calls", transfers.served());
    add(left, "served bodies", transfers.servedBodies());
    add(left, "served streams", transfers.servedStreams());
    add(left, "fills", transfers.fills());
    add(left, "tokens", transfers.tokens());
    add(left, "bytes of answers", transfers.answerBytes());
    add(left, "inline bytes", transfers.inlineBytes());
    add(left, "submissions", worker.waiting().submissions());
    add(left, "granted bytes", worker.regions().sums().grantedBytes());
    add(left, "outstanding bytes", worker.regions().sums().outstandingBytes());
    for (RegionState state : RegionState.values()) {
      add(left, "regions " + state, state == RegionState.FREE ? 0 : worker.regions().count(state));
    }
  }

  private static void add(List<String> left, String what, long count) {
    if (count > 0) {
      left.add(count + " " + what);
    }
  }
}
