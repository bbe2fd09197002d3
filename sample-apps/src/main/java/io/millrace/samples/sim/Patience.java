package io.millrace.samples.sim;

import io.millrace.config.RecoverySettings;
import io.millrace.event.TransportEvents;
import io.millrace.protocol.health.PeerHealth;
import io.millrace.testkit.sim.node.NodeLife;
import io.millrace.testkit.sim.node.SimCluster;
import io.millrace.testkit.sim.scenario.SimRun;
import java.util.HashSet;
import java.util.Set;

/**
 * No call ends because its peer does not answer before the health of that peer says that it was
 * given up, and none is given up before it was silent for as long as the settings say; one life of
 * a node. Looked up only, never walked.
 */
final class Patience implements TransportEvents {
  private static final String RULE = "patience";

  private final SimRun run;
  private final NodeLife life;
  private final HeardPeers heard;
  private final long leastSilenceNs;
  private final Set<String> givenUp = new HashSet<>();

  Patience(SimRun run, NodeLife life, HeardPeers heard, RecoverySettings settings) {
    this.run = run;
    this.life = life;
    this.heard = heard;
    leastSilenceNs = leastSilenceNs(settings);
  }

  /** The silence before the first probe, and then as many periods, each twice as long. */
  static long leastSilenceNs(RecoverySettings settings) {
    long probingNs = 0;
    long periodNs = settings.probePeriodNs();
    for (int probe = 0; probe < settings.unansweredProbes(); probe++) {
      probingNs += Math.min(periodNs, settings.failAfterNs());
      periodNs *= 2;
    }
    return settings.silenceNs() + Math.min(probingNs, settings.failAfterNs());
  }

  @Override
  public void onPeerHealthChanged(int worker, String peer, String from, String to) {
    if (to.equals(PeerHealth.FAILED.name())) {
      givenUp.add(peer);
      long silenceNs = heard.onGivenUp(life, worker, number(peer));
      if (silenceNs < leastSilenceNs) {
        fail(
            "worker %d gives %s up, silent for %d ns, %d ns are promised"
                .formatted(worker, peer, silenceNs, leastSilenceNs));
      }
    }
  }

  private int number(String peer) {
    for (int node = 0; node < run.nodes(); node++) {
      if (SimCluster.handshakeAddress(node).equals(peer)) {
        return node;
      }
    }
    throw new IllegalArgumentException("there is no node at " + peer);
  }

  /** A call to this peer has ended because it did not answer. */
  void onUnresponsive(String peer) {
    if (!givenUp.contains(peer)) {
      fail("never gave " + peer + " up, but a call says so");
    }
  }

  private void fail(String what) {
    run.fail(RULE, life.node().name() + ": " + what);
  }
}
