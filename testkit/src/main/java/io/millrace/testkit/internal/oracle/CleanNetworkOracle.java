package io.millrace.testkit.internal.oracle;

import io.millrace.ends.PathCounters;
import io.millrace.engine.TransportPool;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.net.NetworkCounters;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.sim.StepOracle;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * For scenarios in which nothing goes wrong, until the first transport closes. The network loses
 * nothing, and nothing comes twice or damaged. No node declares a packet lost, or retransmits,
 * drops or refuses a frame, except writes that cross the revocation of their token. Looks after
 * every {@value #STEPS}th event.
 */
public final class CleanNetworkOracle implements StepOracle {
  private static final String NAME = "nothing repeated on a clean network";
  private static final int STEPS = 64;

  /** A count that must not grow on a worker. */
  private record Count(String words, ToLongFunction<PathCounters> counted) {
    private long of(PathCounters counters) {
      return counted.applyAsLong(counters);
    }
  }

  private static final List<Count> COUNTS =
      List.of(
          new Count("packets declared lost", each -> each.packetsLost),
          new Count("frames sent again", each -> each.framesRetransmitted),
          new Count("bytes of chunks sent again", each -> each.chunkBytesRetransmitted),
          new Count("datagrams dropped", each -> each.datagramsDropped),
          new Count("packets that came again", each -> each.duplicatesDropped),
          new Count("packets with a wrong tag", each -> each.authenticationFailures),
          new Count("requests that came again", each -> each.duplicateRequests),
          new Count("notifications that came again", each -> each.duplicateNotifications),
          new Count("writes refused", CleanNetworkOracle::writesRefused),
          new Count("chunks of fills that are over", each -> each.chunksStale),
          new Count("records with a wrong tag", each -> each.recordsNotAuthentic));

  private final Simulation simulation;
  private final NetworkCounters network;
  private final RunningPools pools;

  /** The counts of workers at the beginning; looked up by worker, never walked. */
  private final IdentityHashMap<PathCounters, long[]> before = new IdentityHashMap<>();

  private long lostBefore;
  private long steps;
  private boolean isClosing;

  /** Watches a cluster before the first node boots. */
  public CleanNetworkOracle(FullCluster cluster) {
    simulation = cluster.simulation();
    network = cluster.network().counters();
    pools = new RunningPools(cluster);
  }

  /**
   * Counts from now on, for a scenario that lets its nodes meet first: the first packet over a path
   * may overtake the end of the handshake, and is retransmitted.
   */
  public CleanNetworkOracle fromNowOn() {
    lostBefore = network.lost();
    before.clear();
    pools.forEach(
        (life, pool) -> {
          for (int worker = 0; worker < pool.settings().workers().count(); worker++) {
            PathCounters counters = pool.port(worker).counters();
            before.put(counters, COUNTS.stream().mapToLong(count -> count.of(counters)).toArray());
          }
        });
    return this;
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
    require("the network", "datagrams lost", network.lost() - lostBefore);
    pools.forEach(this::check);
  }

  private void check(NodeLife life, TransportPool pool) {
    for (int worker = 0; worker < pool.settings().workers().count(); worker++) {
      PathCounters counters = pool.port(worker).counters();
      long @Nullable [] known = before.get(counters);
      for (int i = 0; i < COUNTS.size(); i++) {
        Count count = COUNTS.get(i);
        long more = count.of(counters) - (known == null ? 0 : known[i]);
        if (more > 0) {
          require(Lives.text(life) + ", worker " + worker, count.words(), more);
        }
      }
    }
  }

  /** The first write under a token that was revoked after lying idle may be on its way. */
  private static long writesRefused(PathCounters counters) {
    return counters.tokensRevoked == 0 ? counters.writesRejected : 0;
  }

  private void require(String who, String what, long count) {
    if (count > 0) {
      simulation.fail(NAME, who + ": " + count + " " + what, null);
    }
  }
}
