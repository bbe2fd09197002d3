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
 * No call ends because its peer does not answer before the health of that peer says that it was
 * given up, and none is given up before it was silent for as long as the settings say; one life of
 * a node. Looked up only, never walked.
 */
final class Patience implements TransportEvents {
  private static final String RULE = "patience";

  /** What the reason has for which a path is closed over which the peer was given up. */
  private static final String UNANSWERED = " did not answer its probes";

  /** And what it has if this node's own NICs keep it from the peer. */
  private static final String NO_NIC = "no NIC of this node";

  private final SimRun run;
  private final NodeLife life;
  private final HeardPaths heard;
  private final Consumer<PeerHealthChange> onHealth;
  private final long leastSilenceNs;

  /** When each peer was given up last; virtual ns. */
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

  /** The silence before the first probe, and then as many periods, each twice as long. */
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
      // That says nothing of the peer, so its health does not say it, either.
      givenUpNs.put(peer, run.simulation().nowNs());
    }
    long silenceNs = heard.silenceNs(life, worker, pathId);
    if (silenceNs < leastSilenceNs) {
      fail(
          "worker %d gives %s up, silent for %d ns, %d ns are promised"
              .formatted(worker, peer, silenceNs, leastSilenceNs));
    }
  }

  /** A call to this peer that was made then has ended because it did not answer. */
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
