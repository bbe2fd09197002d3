package io.millrace.testkit.sim.oracle;

import io.millrace.actor.peer.WorkerCensus;
import io.millrace.actor.pool.NodeCensus;
import io.millrace.actor.pool.TransportPool;
import io.millrace.protocol.region.RegionState;
import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.node.NodeLife;
import io.millrace.testkit.sim.node.SimCluster;
import io.millrace.testkit.sim.node.SimNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When all calls have ended, nothing of them is left on the paths: no call, body, stream, answer,
 * buffer, memory of a message, byte that was not consumed. When all transports are closed, nothing
 * is left of them: no path, call, body, token, timer, buffer, region with a key, cipher, actor,
 * datagram on its way. What a crashed life leaves behind does not count, the network's memory does.
 * A region whose key is void may still be read by an application thread that has outlived the
 * worker, and words of farewell that found no send buffer go with it.
 */
public final class QuiescenceOracle implements Oracle {
  private static final String NAME = "nothing left at the end";

  private final Simulation simulation;
  private final SimCluster cluster;
  private final RunningPools pools;

  /** Watches the transports of a cluster whose nodes have not booted yet. */
  public QuiescenceOracle(SimCluster cluster) {
    this.cluster = cluster;
    simulation = cluster.simulation();
    pools = new RunningPools(cluster);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Of the transports that run. */
  @Override
  public @Nullable String unfinished() {
    List<String> left = new ArrayList<>();
    pools.forEach((life, pool) -> addUnfinished(Lives.text(life), pool.census(), left));
    return left.isEmpty() ? null : String.join(", ", left);
  }

  private static void addUnfinished(String who, NodeCensus census, List<String> left) {
    add(left, who, "bytes of buffers", census.bufferBytes());
    add(left, who, "bytes of messages put together", census.assemblyBytes());
    for (WorkerCensus worker : census.workers()) {
      WorkerCensus.Transfers transfers = worker.transfers();
      add(left, who, "calls", transfers.calls());
      add(left, who, "served calls", transfers.served());
      add(left, who, "served bodies", transfers.servedBodies());
      add(left, who, "served streams", transfers.servedStreams());
      add(left, who, "fills", transfers.fills());
      add(left, who, "bytes of answers", transfers.answerBytes());
      add(left, who, "inline bytes", transfers.inlineBytes());
      add(left, who, "submissions", worker.waiting().submissions());
      add(left, who, "regions being read", worker.regions().count(RegionState.CONSUMING));
    }
  }

  private static void add(List<String> left, String who, String what, long count) {
    if (count > 0) {
      left.add(who + " has " + count + " " + what);
    }
  }

  /** All transports were closed, all actor systems of them ended or idle, and time went on. */
  @Override
  public void onQuiescent() {
    pools.forEach(this::check);
    requireNone("the network", "datagrams on their way", cluster.network().counters().inFlight());
    requireNone("the network", "send buffers", cluster.network().buffersInUse());
    if (cluster.hasFabric()) {
      requireNone("the fabric", "buffers", cluster.fabric().buffersInUse());
      for (SimNode node : cluster.nodes()) {
        int registrations = cluster.fabric().registrations(node.number());
        requireNone(node.name(), "registrations of memory", registrations);
      }
    }
  }

  private void check(NodeLife life, TransportPool pool) {
    String who = Lives.text(life);
    NodeCensus census = pool.census();
    requireNone(who, "bytes of buffers", census.bufferBytes());
    requireNone(who, "bytes of messages put together", census.assemblyBytes());
    long inlineBytes = pool.settings().limits().inlineBudgetBytes() - census.inlineLeftBytes();
    requireNone(who, "inline bytes of paths", inlineBytes);
    for (WorkerCensus worker : census.workers()) {
      check(who + ", worker " + worker.worker(), worker);
    }
    requireNone(who, "packet keys", life.openPacketCiphers());
    requireNone(who, "record keys", life.openRecordCiphers());
    Actors.of(life.system()).stream()
        .filter(path -> path.contains("/millrace-"))
        .forEach(path -> fail(who, "the actor " + path));
  }

  private void check(String who, WorkerCensus worker) {
    requireNone(who, "paths", worker.paths());
    WorkerCensus.Transfers transfers = worker.transfers();
    requireNone(who, "calls", transfers.calls());
    requireNone(who, "served calls", transfers.served());
    requireNone(who, "served bodies", transfers.servedBodies());
    requireNone(who, "served streams", transfers.servedStreams());
    requireNone(who, "fills", transfers.fills());
    requireNone(who, "tokens", transfers.tokens());
    requireNone(who, "bytes of answers", transfers.answerBytes());
    requireNone(who, "inline bytes", transfers.inlineBytes());
    requireNone(who, "submissions", worker.waiting().submissions());
    // The timer of the pool of regions may stay: its worker is gone, and the wheel with it.
    requireAtMost(who, "timers", worker.waiting().timers(), 1);
    requireNone(who, "outstanding bytes", worker.regions().sums().outstandingBytes());
    requireNone(who, "granted bytes", worker.regions().sums().grantedBytes());
    requireNone(who, "regions being read", worker.regions().count(RegionState.CONSUMING));
  }

  private void requireNone(String who, String what, long value) {
    requireAtMost(who, what, value, 0);
  }

  private void requireAtMost(String who, String what, long value, long most) {
    if (value > most) {
      fail(who, value + " " + what);
    }
  }

  private void fail(String who, String what) {
    simulation.fail(NAME, who + " still has " + what, null);
  }
}
