package io.millrace.samples.sim;

import io.millrace.engine.TransportPool;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.sim.SimRun;
import java.util.stream.IntStream;

/**
 * Checks the silence of idle nodes: nodes probe each other now and then, and send nothing else. No
 * acknowledgement is acknowledged, and no two nodes keep each other awake.
 */
final class Silence {
  private static final long SETTLES_NS = 2_000_000_000;
  private static final long WATCHED_NS = 20_000_000_000L;

  /**
   * A probe and its answer, and a repetition of a late answer, over each of the two paths of a
   * pair.
   */
  private static final int DATAGRAMS_A_PROBE = 8;

  /**
   * Half of a handshake and of the packets at the beginning of its secret: both ends count the
   * renewal.
   */
  private static final int DATAGRAMS_A_RENEWAL = 10;

  /** A handshake without success is begun again after so long, at the earliest. */
  private static final long RETRY_NS = 1_000_000_000;

  private final FullRun run;
  private final NodesSettings settings;

  Silence(SimRun run, NodesSettings settings) {
    this.run = FullRun.of(run);
    this.settings = settings;
  }

  void run() {
    run.runUntil(run.simulation().nowNs() + SETTLES_NS);
    long before = run.cluster().network().counters().sent();
    long renewedBefore = renewals();
    run.runUntil(run.simulation().nowNs() + WATCHED_NS);
    long sent = run.cluster().network().counters().sent() - before;
    long most = DATAGRAMS_A_RENEWAL * (renewals() - renewedBefore);
    for (int node = 0; node < run.nodes(); node++) {
      long keepAliveNs = settings.of(node).recovery().silence().keepAliveNs();
      most += (run.nodes() - 1L) * DATAGRAMS_A_PROBE * (1 + WATCHED_NS / keepAliveNs);
      if (settings.of(node).handshake().renewEveryNs() > 0) {
        most += (run.nodes() - 1L) * DATAGRAMS_A_RENEWAL * (1 + WATCHED_NS / RETRY_NS);
      }
    }
    if (sent > most) {
      run.fail("silence", sent + " datagrams in " + WATCHED_NS + " ns, though nothing was to do");
    }
  }

  /** Returns the number of paths that went on under a new secret, counted at each end. */
  private long renewals() {
    return run.cluster().nodes().stream()
        .filter(FullNode::isUp)
        .flatMap(node -> node.life().pools().stream())
        .mapToLong(Silence::renewals)
        .sum();
  }

  private static long renewals(TransportPool pool) {
    return IntStream.range(0, pool.settings().workers().count())
        .mapToLong(worker -> pool.port(worker).counters().pathsRenewed)
        .sum();
  }
}
