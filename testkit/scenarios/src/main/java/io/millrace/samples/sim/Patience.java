package io.millrace.samples.sim;

import io.millrace.config.SilenceSettings;
import io.millrace.event.PeerHealthChange;
import io.millrace.event.TransportEvents;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.sim.SimRun;
import io.millrace.transfer.PeerHealth;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Checks the patience of a node during one life. No call fails for a silent peer before the peer's
 * health says that the peer was given up. No peer is given up before a silence as long as the
 * settings say. Looked up only, never walked.
 */
final class Patience implements TransportEvents {
  private static final String RULE = "patience";

  /** The text in the reason of a closed path after which the peer was given up. */
  private static final String UNANSWERED = " did not answer its probes";

  /** The text in the reason if this node's own NICs keep the node from the peer. */
  private static final String NO_NIC = "no NIC of this node";

  private final SimRun run;
  private final NodeLife life;
  private final HeardPaths heard;
  private final Consumer<PeerHealthChange> onHealth;
  private final long leastSilenceNs;

  /** The time at which each peer was given up last; virtual ns. */
  private final Map<String, Long> givenUpNs = new HashMap<>();

  Patience(
      SimRun run,
      NodeLife life,
      HeardPaths heard,
      SilenceSettings settings,
      Consumer<PeerHealthChange> onHealth) {
    this.run = run;
    this.life = life;
    this.heard = heard;
    this.onHealth = onHealth;
    leastSilenceNs = leastSilenceNs(settings);
  }

  /** Returns the silence before the first probe, plus as many periods, each twice as long. */
  static long leastSilenceNs(SilenceSettings settings) {
    long probingNs = 0;
    long periodNs = settings.probePeriodNs();
    for (int probe = 0; probe < settings.unansweredProbes(); probe++) {
      probingNs += Math.min(periodNs, settings.failAfterNs());
      periodNs *= 2;
    }
    return settings.silenceNs() + Math.min(probingNs, settings.failAfterNs());
  }

  @Override
  public void onPeerHealth(PeerHealthChange change) {
    onHealth.accept(change);
    if (change.to() == PeerHealth.FAILED) {
      givenUpNs.put(change.peer(), run.simulation().nowNs());
    }
  }

  @Override
  public void onPathOpened(int worker, String peer, long pathId) {
    heard.onHeard(life, worker, pathId);
  }

  @Override
  public void onPathClosed(int worker, String peer, long pathId, String reason) {
    if (!reason.contains(UNANSWERED)) {
      return;
    }
    if (reason.contains(NO_NIC)) {
      // This reason says nothing of the peer, so the peer's health does not say so, either.
      givenUpNs.put(peer, run.simulation().nowNs());
    }
    long silenceNs = heard.silenceNs(life, worker, pathId);
    if (silenceNs < leastSilenceNs) {
      fail(
          "worker %d gives %s up, silent for %d ns, %d ns are promised"
              .formatted(worker, peer, silenceNs, leastSilenceNs));
    }
  }

  /** A call to this peer, made at this time, has ended because the peer did not answer. */
  void onUnresponsive(String peer, long madeNs) {
    Long lastNs = givenUpNs.get(peer);
    if (lastNs == null || lastNs < madeNs) {
      fail("gave " + peer + " up at " + lastNs + " ns, a call says so that was made at " + madeNs);
    }
  }

  private void fail(String what) {
    run.fail(RULE, life.node().name() + ": " + what);
  }
}
