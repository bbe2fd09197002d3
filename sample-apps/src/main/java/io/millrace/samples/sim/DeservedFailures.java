package io.millrace.samples.sim;

import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.testkit.sim.net.LinkSettings;
import io.millrace.testkit.sim.net.PolicerSettings;
import io.millrace.testkit.sim.net.RateSettings;
import io.millrace.testkit.sim.scenario.SimRun;

/**
 * A peer may be given up only where something happened to it, to its caller or to a link of theirs,
 * or where the network loses so much that probes may get lost in a row.
 */
final class DeservedFailures {
  private static final int MOST_PPM = 20_000;

  private final SimRun run;
  private final Bounds bounds;
  private final boolean isKind;

  /** Of a network whose links are like this one. */
  DeservedFailures(SimRun run, LinkSettings link, Bounds bounds) {
    this.run = run;
    this.bounds = bounds;
    int lostPpm = link.loss().ppm() + link.damage().corruptPpm() + link.damage().truncatePpm();
    isKind =
        lostPpm <= MOST_PPM
            && link.loss().burstPpm() == 0
            && link.policer().equals(PolicerSettings.NONE)
            && link.rate().equals(RateSettings.UNLIMITED);
  }

  /** Whether the network itself never gives a reason. */
  boolean isKind() {
    return isKind;
  }

  /** What was asked for from one node at another ended so, and not because its own node closed. */
  void check(int from, int to, Object what, CallOutcome outcome) {
    boolean isGivenUp =
        switch (outcome) {
          case PEER_UNRESPONSIVE, PEER_RESET, PEER_FAULT, HANDSHAKE_FAILED, NOT_AUTHENTIC -> true;
          default -> false;
        };
    long sinceNs = run.simulation().nowNs() - bounds.aftermathNs();
    if (isGivenUp && isKind && !run.faults().isDisturbed(from, to, sinceNs)) {
      run.fail("deserved failures", what + " ended with " + outcome + ", nothing had happened");
    }
  }
}
