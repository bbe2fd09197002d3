package io.millrace.samples.sim;

import io.millrace.testkit.internal.oracle.Coverage.Mark;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.PolicerSettings;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.testkit.sim.SimRun;
import io.millrace.transfer.CallOutcome;
import java.util.BitSet;

/**
 * What fails has a reason. A peer may be given up only where something happened to it, to its
 * caller or to a link of theirs, or where the network loses so much that probes may get lost in a
 * row. A call may be told that its transport is closed only while its node is being stopped, and
 * that its peer's is only where that was stopped of late; no loss makes it so. Where nothing
 * happens at all, nobody is too busy either.
 */
final class DeservedFailures {
  private static final int MOST_PPM = 20_000;

  private final FullRun run;
  private final NodesSettings settings;
  private final boolean isKind;
  private final boolean isCalm;
  private final BitSet stopping = new BitSet();
  private final BitSet stopped = new BitSet();

  /** Of a network whose links are like this one, in which something goes wrong. */
  DeservedFailures(SimRun run, LinkSettings link, NodesSettings settings) {
    this(run, link, settings, false);
  }

  /**
   * Of a network whose links are like this one.
   *
   * @param isCalm nothing goes wrong at all
   */
  DeservedFailures(SimRun run, LinkSettings link, NodesSettings settings, boolean isCalm) {
    this.run = FullRun.of(run);
    this.settings = settings;
    this.isCalm = isCalm;
    int lostPpm = link.loss().ppm() + link.damage().corruptPpm() + link.damage().truncatePpm();
    isKind =
        isCalm
            || (lostPpm <= MOST_PPM
                && link.loss().burstPpm() == 0
                && link.policer().equals(PolicerSettings.NONE)
                && link.rate().equals(RateSettings.UNLIMITED));
  }

  /** Whether the network itself never gives a reason. */
  boolean isKind() {
    return isKind;
  }

  /** A node begins to live. */
  void onStarted(int node) {
    stopping.clear(node);
  }

  /** A node is stopped in order. */
  void onStopped(int node) {
    stopping.set(node);
    stopped.set(node);
  }

  /** What was asked for from one node at another ended so. */
  void check(int from, int to, Object what, CallOutcome outcome) {
    if (isKind && !isDisturbed(from, to)) {
      run.coverage().hit(Mark.PEACE_JUDGED);
    }
    switch (outcome) {
      case PEER_UNREACHABLE,
          PEER_UNRESPONSIVE,
          PEER_RESET,
          PEER_FAULT,
          HANDSHAKE_FAILED,
          NOT_AUTHENTIC -> {
        if (isKind) {
          judge(Mark.FAILURE_JUDGED, isDisturbed(from, to), what, outcome);
        }
      }
      // No plan has it that a worker stops.
      case WORKER_STOPPED -> judge(Mark.FAILURE_JUDGED, false, what, outcome);
      case CLOSED -> judge(Mark.CLOSE_JUDGED, stopping.get(from), what, outcome);
      case SHUTTING_DOWN ->
          // A node that is being stopped makes no calls of its own in the end; rule T-11.
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
        // What the plan says of this call is its reason.
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
