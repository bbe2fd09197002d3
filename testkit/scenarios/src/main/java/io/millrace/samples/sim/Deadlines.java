package io.millrace.samples.sim;

import io.millrace.testkit.internal.oracle.Coverage.Mark;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.sim.SimRun;
import io.millrace.transfer.CallOutcome;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Checks deadlines. No transfer expires before its deadline by its caller's clock. No transfer goes
 * on for long after its deadline while nothing happens to its caller's process.
 */
final class Deadlines {
  private static final String RULE = "deadlines kept";

  /** A wheel rounds up to its tick, and turns a further tick. */
  private static final int TICKS = 2;

  /** The time in which a busy node comes to an expiry, and its executor reports the expiry. */
  private static final long BUSY_NS = 20_000_000;

  private final FullRun run;
  private final NodesSettings settings;
  private final Long2ObjectHashMap<Begun> begun = new Long2ObjectHashMap<>();

  /** A transfer with a deadline; begun by its caller's clock and by virtual time. */
  private record Begun(int node, long deadlineNs, long nodeNs, long virtualNs) {}

  Deadlines(SimRun run, NodesSettings settings) {
    this.run = FullRun.of(run);
    this.settings = settings;
  }

  /** A node begins a transfer now; a deadline of 0 means no deadline. */
  void began(long id, int node, long deadlineNs) {
    if (deadlineNs > 0) {
      long nodeNs = run.node(node).clock().nowNs();
      begun.put(id, new Begun(node, deadlineNs, nodeNs, run.simulation().nowNs()));
    }
  }

  /**
   * The caller of a transfer hears of the end.
   *
   * @param stalledNs the time for which the caller may have been busy elsewhere
   */
  void ended(long id, Object what, CallOutcome outcome, long stalledNs) {
    if (outcome == CallOutcome.CANCELLED) {
      run.coverage().hit(Mark.CALL_CANCELLED);
    }
    Begun ended = begun.remove(id);
    if (ended == null) {
      return;
    }
    long tookNs = run.node(ended.node()).clock().nowNs() - ended.nodeNs();
    if (outcome == CallOutcome.EXPIRED) {
      run.coverage().hit(Mark.CALL_EXPIRED);
      if (tookNs < ended.deadlineNs()) {
        fail(what, "expired", tookNs, ended);
      }
    }
    if (tookNs > ended.deadlineNs() + latenessNs(ended.node()) + stalledNs
        && !run.faults().isDisturbed(ended.node(), ended.node(), ended.virtualNs())) {
      fail(what, "ended with " + outcome, tookNs, ended);
    }
  }

  private long latenessNs(int node) {
    return TICKS * settings.of(node).workers().wheelTickNs() + BUSY_NS;
  }

  private void fail(Object what, String how, long tookNs, Begun ended) {
    run.fail(
        RULE, what + " " + how + " after " + tookNs + " ns, its deadline is " + ended.deadlineNs());
  }
}
