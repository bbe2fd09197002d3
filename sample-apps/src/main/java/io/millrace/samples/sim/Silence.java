package io.millrace.samples.sim;

import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.sim.SimRun;

/**
 * When nothing is left to do, nodes ask each other now and then whether they are there, and say
 * nothing else: no acknowledgement is acknowledged, and no two nodes keep each other awake.
 */
final class Silence {
  private static final long SETTLES_NS = 2_000_000_000;
  private static final long WATCHED_NS = 20_000_000_000L;

  /** A probe and its answer, once more if that is late, over each of the two paths of a pair. */
  private static final int DATAGRAMS_A_PROBE = 8;

  private final FullRun run;
  private final NodesSettings settings;

  Silence(SimRun run, NodesSettings settings) {
    this.run = FullRun.of(run);
    this.settings = settings;
  }

  void run() {
    run.runUntil(run.simulation().nowNs() + SETTLES_NS);
    long before = run.cluster().network().counters().sent();
    run.runUntil(run.simulation().nowNs() + WATCHED_NS);
    long sent = run.cluster().network().counters().sent() - before;
    long most = 0;
    for (int node = 0; node < run.nodes(); node++) {
      long keepAliveNs = settings.of(node).recovery().silence().keepAliveNs();
      most += (run.nodes() - 1L) * DATAGRAMS_A_PROBE * (1 + WATCHED_NS / keepAliveNs);
    }
    if (sent > most) {
      run.fail("silence", sent + " datagrams in " + WATCHED_NS + " ns, though nothing was to do");
    }
  }
}
