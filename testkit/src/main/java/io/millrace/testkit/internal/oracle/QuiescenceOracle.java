package io.millrace.testkit.internal.oracle;

import io.millrace.engine.NodeCensus;
import io.millrace.engine.TransportPool;
import io.millrace.path.peer.WorkerCensus;
import io.millrace.protocol.region.RegionCensus;
import io.millrace.protocol.region.RegionState;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.SimFabric;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.NodeLife;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * When all calls have ended, nothing of these calls is left on the paths: no call, body, stream,
 * answer, buffer, memory of a message, or unconsumed byte. Every revoked region is in the pool
 * again. When all transports are closed, nothing of the transports is left: no path, call, body,
 * token, timer, buffer, region with a key, cipher, actor, or datagram on its way. Remains of a
 * crashed life do not count, the network's memory does. After the end of a worker, an application
 * thread that outlives the worker may still read a region with a void key. Farewells without a send
 * buffer end with the worker.
 */
public final class QuiescenceOracle implements LifeOracle {
  private static final String NAME = "nothing left at the end";

  /** The actor that runs a stream of the application. */
  private static final Pattern STREAM = Pattern.compile("/StreamSupervisor-\\d+/");

  private final Simulation simulation;
  private final FullCluster cluster;
  private final RunningPools pools;

  /** Watches the transports of a cluster before the first node boots. */
  public QuiescenceOracle(FullCluster cluster) {
    this.cluster = cluster;
    simulation = cluster.simulation();
    pools = new RunningPools(cluster);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Checks the running transports. */
  @Override
  public @Nullable String unfinished() {
    List<String> left = new ArrayList<>();
    pools.forEach(
        (life, pool) -> {
          NodeCensus census = pool.census();
          addCalls(Lives.text(life), census, left);
          addVoid(Lives.text(life), census, left);
        });
    return left.isEmpty() ? null : String.join(", ", left);
  }

  /** Checks the transports of this life. */
  @Override
  public @Nullable String remains(NodeLife stopped) {
    List<String> left = new ArrayList<>();
    pools.forEach(
        (life, pool) -> {
          if (life == stopped) {
            addAll(life, pool, left);
          }
        });
    return left.isEmpty() ? null : String.join(", ", left);
  }

  /** No actor of a transport, and no stream in a transport's system. */
  @Override
  public @Nullable String unclosed() {
    List<String> left = new ArrayList<>();
    pools.forEach(
        (life, pool) ->
            Actors.of(life.node().system()).stream()
                .filter(path -> Actors.isOfTransport(path) || STREAM.matcher(path).find())
                .forEach(path -> left.add(Lives.text(life) + " still has the actor " + path)));
    return left.isEmpty() ? null : String.join(", ", left);
  }

  /** All transports were closed, all their actor systems ended or idle, and time went on. */
  @Override
  public void onQuiescent() {
    List<String> left = new ArrayList<>();
    pools.forEach((life, pool) -> addAll(life, pool, left));
    add(left, "the network", "datagrams on their way", cluster.network().counters().inFlight());
    add(left, "the network", "send buffers", cluster.network().buffersInUse());
    for (SimFabric fabric : cluster.fabrics()) {
      add(left, fabric.family(), "buffers", fabric.buffersInUse());
      for (FullNode node : cluster.nodes()) {
        int registrations = fabric.registrations(node.number());
        add(left, node.name(), "registrations of memory", registrations);
      }
    }
    if (!left.isEmpty()) {
      simulation.fail(NAME, String.join(", ", left), null);
    }
  }

  private static void addAll(NodeLife life, TransportPool pool, List<String> left) {
    String who = Lives.text(life);
    NodeCensus census = pool.census();
    addCalls(who, census, left);
    long inlineBytes = pool.settings().limits().inlineBudgetBytes() - census.inlineLeftBytes();
    add(left, who, "inline bytes of paths", inlineBytes);
    for (WorkerCensus worker : census.workers()) {
      String at = at(who, worker);
      add(left, at, "paths", worker.paths());
      add(left, at, "tokens", worker.transfers().tokens());
      add(left, at, "timers", worker.waiting().timers());
      add(left, at, "outstanding bytes", worker.regions().sums().outstandingBytes());
      add(left, at, "granted bytes", worker.regions().sums().grantedBytes());
    }
    add(left, who, "packet keys", FullNode.of(life.node()).openPacketCiphers());
    add(left, who, "record keys", FullNode.of(life.node()).openRecordCiphers());
    Actors.of(life.node().system()).stream()
        .filter(Actors::isOfTransport)
        .forEach(path -> left.add(who + " still has the actor " + path));
  }

  /** Adds the remains of ended calls, bodies and streams. */
  private static void addCalls(String who, NodeCensus census, List<String> left) {
    add(left, who, "bytes of buffers", census.bufferBytes());
    add(left, who, "bytes of messages put together", census.assemblyBytes());
    add(left, who, "bytes of elements that wait", census.elementBytes());
    add(left, who, "bytes of requests", census.requestBytes());
    for (WorkerCensus worker : census.workers()) {
      String at = at(who, worker);
      WorkerCensus.Transfers transfers = worker.transfers();
      add(left, at, "calls", transfers.calls());
      add(left, at, "served calls", transfers.served());
      add(left, at, "served bodies", transfers.servedBodies());
      add(left, at, "served streams", transfers.servedStreams());
      add(left, at, "fills", transfers.fills());
      add(left, at, "bytes of answers", transfers.answerBytes());
      add(left, at, "inline bytes", transfers.inlineBytes());
      add(left, at, "submissions", worker.waiting().submissions());
      add(left, at, "regions being read", worker.regions().count(RegionState.CONSUMING));
    }
  }

  /** Adds regions on their way back to the pool; a worker that is gone brings no region there. */
  private static void addVoid(String who, NodeCensus census, List<String> left) {
    for (WorkerCensus worker : census.workers()) {
      String at = at(who, worker);
      RegionCensus regions = worker.regions();
      add(left, at, "regions being read without a key", regions.count(RegionState.REVOKING));
      add(left, at, "regions that rest", regions.count(RegionState.QUARANTINED));
    }
  }

  private static String at(String who, WorkerCensus worker) {
    return who + ", worker " + worker.worker();
  }

  private static void add(List<String> left, String who, String what, long count) {
    if (count > 0) {
      left.add(who + " still has " + count + " " + what);
    }
  }
}
