package io.millrace.samples.sim;

import io.millrace.config.RecoverySettings;
import io.millrace.event.TransportEvents;
import io.millrace.protocol.health.PeerHealth;
import io.millrace.testkit.sim.scenario.SimRun;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A node gives a peer up only after it has probed it for as long, or as often, as its settings say;
 * one life of a node. Looked up only, never walked.
 */
final class Patience implements TransportEvents {
  /** Clocks of nodes run up to 500 ppm fast. */
  private static final int DRIFT = 1_000;

  private final SimRun run;
  private final int node;
  private final long leastNs;
  private final Map<String, Long> probingSince = new HashMap<>();
  private final Set<String> givenUp = new HashSet<>();

  Patience(SimRun run, int node, RecoverySettings settings) {
    this.run = run;
    this.node = node;
    long periodsNs = settings.unansweredProbes() * settings.probePeriodNs();
    long patienceNs = Math.min(settings.failAfterNs(), periodsNs);
    leastNs = patienceNs - patienceNs / DRIFT;
  }

  @Override
  public void onPeerHealthChanged(int worker, String peer, String from, String to) {
    long nowNs = run.simulation().nowNs();
    String path = worker + " " + peer;
    if (to.equals(PeerHealth.PROBING.name())) {
      probingSince.putIfAbsent(path, nowNs);
      return;
    }
    Long sinceNs = probingSince.remove(path);
    if (to.equals(PeerHealth.FAILED.name())) {
      givenUp.add(peer);
      if (sinceNs != null && nowNs - sinceNs < leastNs) {
        long probedNs = nowNs - sinceNs;
        run.fail("patience", "n" + node + " gave " + peer + " up after " + probedNs + " ns");
      }
    }
  }

  /** A call to this peer has ended because it did not answer. */
  void onUnresponsive(String peer) {
    if (!givenUp.contains(peer)) {
      run.fail("patience", "n" + node + " never gave " + peer + " up, but a call says so");
    }
  }
}
