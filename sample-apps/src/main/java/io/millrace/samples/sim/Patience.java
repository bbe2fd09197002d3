package io.millrace.samples.sim;

import io.millrace.event.TransportEvents;
import io.millrace.protocol.health.PeerHealth;
import io.millrace.testkit.sim.scenario.SimRun;
import java.util.HashSet;
import java.util.Set;

/**
 * No call ends because its peer does not answer before the health of that peer says that it was
 * given up; one life of a node. Looked up only, never walked.
 */
final class Patience implements TransportEvents {
  private final SimRun run;
  private final int node;
  private final Set<String> givenUp = new HashSet<>();

  Patience(SimRun run, int node) {
    this.run = run;
    this.node = node;
  }

  @Override
  public void onPeerHealthChanged(int worker, String peer, String from, String to) {
    if (to.equals(PeerHealth.FAILED.name())) {
      givenUp.add(peer);
    }
  }

  /** A call to this peer has ended because it did not answer. */
  void onUnresponsive(String peer) {
    if (!givenUp.contains(peer)) {
      run.fail("patience", "n" + node + " never gave " + peer + " up, but a call says so");
    }
  }
}
