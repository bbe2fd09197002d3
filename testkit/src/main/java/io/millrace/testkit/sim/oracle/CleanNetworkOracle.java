package io.millrace.testkit.sim.oracle;

import io.millrace.actor.peer.PathCounters;
import io.millrace.actor.pool.TransportPool;
import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.net.NetworkCounters;
import io.millrace.testkit.sim.node.NodeLife;
import io.millrace.testkit.sim.node.SimCluster;

/**
 * For scenarios in which nothing goes wrong, until the first transport closes: the network loses
 * nothing, nothing is declared lost, sent again, dropped or refused, and nothing comes twice. Looks
 * after every {@value #STEPS}th event.
 */
public final class CleanNetworkOracle implements StepOracle {
  private static final String NAME = "nothing repeated on a clean network";
  private static final int STEPS = 64;

  private final Simulation simulation;
  private final NetworkCounters network;
  private final RunningPools pools;
  private long steps;
  private boolean isClosing;

  /** Watches a cluster whose nodes have not booted yet. */
  public CleanNetworkOracle(SimCluster cluster) {
    simulation = cluster.simulation();
    network = cluster.network().counters();
    pools = new RunningPools(cluster);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void onStep() {
    if (!isClosing && steps++ % STEPS == 0) {
      look();
    }
  }

  @Override
  public void onHealed() {
    if (!isClosing) {
      look();
    }
  }

  private void look() {
    pools.forEach((life, pool) -> isClosing |= pool.isClosing());
    if (isClosing) {
      return;
    }
    require("the network", "datagrams lost", network.lost());
    pools.forEach(this::check);
  }

  private void check(NodeLife life, TransportPool pool) {
    for (int worker = 0; worker < pool.settings().workers().count(); worker++) {
      String who = Lives.text(life) + ", worker " + worker;
      PathCounters counters = pool.port(worker).counters();
      require(who, "packets declared lost", counters.packetsLost);
      require(who, "frames sent again", counters.framesRetransmitted);
      require(who, "bytes of chunks sent again", counters.chunkBytesRetransmitted);
      require(who, "datagrams dropped", counters.datagramsDropped);
      require(who, "requests that came again", counters.duplicateRequests);
      require(who, "notifications that came again", counters.duplicateNotifications);
      require(who, "writes refused", counters.writesRejected);
      require(who, "chunks of fills that are over", counters.chunksStale);
      require(who, "records with a wrong tag", counters.recordsNotAuthentic);
    }
  }

  private void require(String who, String what, long count) {
    if (count > 0) {
      simulation.fail(NAME, who + ": " + count + " " + what, null);
    }
  }
}
