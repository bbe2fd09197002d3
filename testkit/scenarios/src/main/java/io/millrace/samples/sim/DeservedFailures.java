package io.millrace.samples.sim;

import io.millrace.event.PeerHealthChange;
import io.millrace.testkit.internal.oracle.Coverage.Mark;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.PolicerSettings;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimRun;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.PeerHealth;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks that each failure has a reason. A peer may be given up only after a fault of the peer, of
 * its caller or of a link between both. Loss is a reason, too, if several probes in a row may get
 * lost. A call may hear that its transport is closed only while its node is stopping. A call may
 * hear that its peer's transport is closed only soon after a stop of the peer. No loss is such a
 * reason. A call may be refused unsent while the health of its peer allows no calls. Without any
 * fault in the run, no node is too busy either.
 */
final class DeservedFailures {
  private static final int MOST_PPM = 20_000;

  private final FullRun run;
  private final NodesSettings settings;
  private final boolean isKind;
  private final boolean isCalm;
  private final KnownHealth health;
  private final BitSet stopping = new BitSet();
  private final BitSet stopped = new BitSet();

  /**
   * The nodes that get no calls from a node, as the node's events tell: a call to such a peer is
   * refused at once. Looked up only, never walked.
   */
  private static final class KnownHealth {
    /** A caller hears of a refusal within so long. */
    private static final long TELLING_NS = 1_000_000_000;

    /** The node refuses calls now. */
    private static final long NOW = Long.MAX_VALUE;

    private final FullRun run;

    /**
     * The time until which calls were refused; from the life of a node and the number of its peer.
     */
    private final Map<String, Long> refusedUntilNs = new HashMap<>();

    private final Map<Integer, Integer> lives = new HashMap<>();

    /** Begins with healthy nodes only. */
    KnownHealth(FullRun run) {
      this.run = run;
    }

    /** A node begins to live. */
    void onStarted(int node) {
      lives.merge(node, 1, Integer::sum);
    }

    /** A node tells a change of a peer's health. */
    void onChange(int node, PeerHealthChange change) {
      String key = key(node, peer(change));
      if (!change.to().takesCalls()) {
        refusedUntilNs.put(key, NOW);
      } else {
        refusedUntilNs.replace(key, NOW, change.atNs());
      }
    }

    /** Returns the node whose health has changed. */
    int peer(PeerHealthChange change) {
      for (int peer = 0; peer < run.nodes(); peer++) {
        if (SimCluster.handshakeAddress(peer).equals(change.peer())) {
          return peer;
        }
      }
      throw new IllegalArgumentException("no node is at " + change.peer());
    }

    /** Returns whether this node refuses calls to the peer now, or did a moment ago. */
    boolean isRefusing(int node, int peer, long nowNs) {
      Long untilNs = refusedUntilNs.get(key(node, peer));
      return untilNs != null && (untilNs == NOW || nowNs - untilNs < TELLING_NS);
    }

    private String key(int node, int peer) {
      return node + "." + lives.getOrDefault(node, 0) + " to " + peer;
    }
  }

  /** Judges a network with links like this, with faults. */
  DeservedFailures(SimRun run, LinkSettings link, NodesSettings settings) {
    this(run, link, settings, false);
  }

  /**
   * Judges a network with links like this.
   *
   * @param isCalm whether the run has no faults at all
   */
  DeservedFailures(SimRun run, LinkSettings link, NodesSettings settings, boolean isCalm) {
    this.run = FullRun.of(run);
    this.settings = settings;
    this.isCalm = isCalm;
    health = new KnownHealth(this.run);
    int lostPpm = link.loss().ppm() + link.damage().corruptPpm() + link.damage().truncatePpm();
    isKind =
        isCalm
            || (lostPpm <= MOST_PPM
                && link.loss().burstPpm() == 0
                && link.policer().equals(PolicerSettings.NONE)
                && link.rate().equals(RateSettings.UNLIMITED));
  }

  /** Returns whether the network itself never gives a reason. */
  boolean isKind() {
    return isKind;
  }

  /** A node begins to live. */
  void onStarted(int node) {
    stopping.clear(node);
    health.onStarted(node);
  }

  /** A node tells of a peer's health. */
  void onHealth(int node, PeerHealthChange change) {
    health.onChange(node, change);
    if (isKind && change.to() == PeerHealth.FAILED) {
      CallOutcome outcome = CallOutcome.PEER_UNRESPONSIVE;
      judge(Mark.FAILURE_JUDGED, isDisturbed(node, health.peer(change)), change, outcome);
    }
  }

  /** A node is stopped in order. */
  void onStopped(int node) {
    stopping.set(node);
    stopped.set(node);
  }

  /** A transfer from one node to another has ended with this outcome. */
  void check(int from, int to, Object what, CallOutcome outcome) {
    if (isKind && !isDisturbed(from, to)) {
      run.coverage().hit(Mark.PEACE_JUDGED);
    }
    switch (outcome) {
      case PEER_UNREACHABLE -> {
        if (isKind) {
          boolean isRefusing = health.isRefusing(from, to, run.simulation().nowNs());
          judge(Mark.FAILURE_JUDGED, isRefusing || isDisturbed(from, to), what, outcome);
        }
      }
      case PEER_UNRESPONSIVE, PEER_RESET, PEER_FAULT, HANDSHAKE_FAILED, NOT_AUTHENTIC -> {
        if (isKind) {
          judge(Mark.FAILURE_JUDGED, isDisturbed(from, to), what, outcome);
        }
      }
      // No plan stops a worker.
      case WORKER_STOPPED -> judge(Mark.FAILURE_JUDGED, false, what, outcome);
      case CLOSED -> judge(Mark.CLOSE_JUDGED, stopping.get(from), what, outcome);
      case SHUTTING_DOWN ->
          // A stopping node makes no calls of its own in the end; rule T-11.
          judge(
              Mark.CLOSE_JUDGED,
              stopping.get(from) || stopped.get(to) && isDisturbed(from, to),
              what,
              outcome);
      case OVERLOADED, SUBMISSION_FULL, RESPONSE_DROPPED -> {
        if (isCalm) {
          judge(Mark.FAILURE_JUDGED, false, what, outcome);
        }
      }
      default -> {
        // The plan of this call gives its reason.
      }
    }
  }

  private boolean isDisturbed(int from, int to) {
    long sinceNs = run.simulation().nowNs() - settings.between(from, to).aftermathNs();
    return run.faults().isDisturbed(from, to, sinceNs);
  }

  private void judge(Mark mark, boolean isDeserved, Object what, CallOutcome outcome) {
    run.coverage().hit(mark);
    if (!isDeserved) {
      run.fail("deserved failures", what + " ended with " + outcome + ", nothing had happened");
    }
  }
}
