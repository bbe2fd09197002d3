package io.millrace.samples.sim;

import io.millrace.api.TransferOptions;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import io.millrace.transfer.CallOutcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Draws the calls and streams that end early, a function of the seed and the id of each. Some have
 * a deadline, and some are given up by their caller. Most times are short, as the calls are.
 */
final class EarlyEnds {
  private static final int PPM = 1_000_000;
  private static final long SHORTEST_NS = 20_000;
  private static final long LONGEST_NS = 200_000_000;

  private final @Nullable Draws draws;
  private final int deadlinePpm;
  private final int cancelPpm;

  private EarlyEnds(@Nullable Draws draws, int deadlinePpm, int cancelPpm) {
    this.draws = draws;
    this.deadlinePpm = deadlinePpm;
    this.cancelPpm = cancelPpm;
  }

  /**
   * Returns the early ends of this seed: half of all seeds have deadlines, half have callers that
   * give up.
   */
  static EarlyEnds of(SimRun run) {
    return new EarlyEnds(
        run.swarm().draws("early"),
        run.swarm().has("early.deadlines") ? run.swarm().between("early.deadline", 0, PPM / 4) : 0,
        run.swarm().has("early.cancels") ? run.swarm().between("early.cancel", 0, PPM / 4) : 0);
  }

  /** Returns no early ends: every transfer may go on for as long as it likes. */
  static EarlyEnds none() {
    return new EarlyEnds(null, 0, 0);
  }

  /** Returns the time after which the transfer must have ended, ns; 0 for never. */
  long deadlineNs(long id) {
    return timeNs(id, 0, deadlinePpm);
  }

  /** Returns the time after which the caller gives the transfer up, ns; 0 for never. */
  private long cancelNs(long id) {
    return timeNs(id, 2, cancelPpm);
  }

  private long timeNs(long id, int ordinal, int ppm) {
    if (draws == null || CallPlans.isProbe(id) || !draws.chance(id, ordinal, ppm)) {
      return 0;
    }
    double share = draws.unit(id, ordinal + 1);
    return (long) (SHORTEST_NS * StrictMath.pow((double) LONGEST_NS / SHORTEST_NS, share));
  }

  /** Returns these options with the deadline, if drawn. */
  TransferOptions options(long id, TransferOptions usual) {
    long deadlineNs = deadlineNs(id);
    return deadlineNs == 0 ? usual : usual.withDeadline(Duration.ofNanos(deadlineNs));
  }

  /** Lets the caller give the transfer up in time, if the caller's life goes on for so long. */
  void cancelLater(SimNode node, long id, Runnable cancel) {
    long cancelNs = cancelNs(id);
    if (cancelNs > 0) {
      node.system()
          .scheduler()
          .scheduleOnce(Duration.ofNanos(cancelNs), cancel, node.system().executionContext());
    }
  }

  /** Returns whether the early end explains this outcome. */
  boolean explains(long id, CallOutcome outcome) {
    return switch (outcome) {
      case EXPIRED -> deadlineNs(id) > 0;
      case CANCELLED -> cancelNs(id) > 0;
      default -> false;
    };
  }

  /** Returns the draws for this transfer, for people, to follow its description. */
  String words(long id) {
    long deadlineNs = deadlineNs(id);
    long cancelNs = cancelNs(id);
    return (deadlineNs == 0 ? "" : ", deadline " + deadlineNs + " ns")
        + (cancelNs == 0 ? "" : ", cancelled after " + cancelNs + " ns");
  }
}
