package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.TraceLog;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs a seed twice. Where the two runs differ, the seed has broken the rule of determinism, and
 * the result says where the runs part. Simulation thread only.
 */
final class RepeatedRun {
  /** The rule broken by a run that differs the second time. */
  static final String RULE = "determinism";

  private final Scenario scenario;
  private final RunSettings settings;
  private final RunWatch watch;

  RepeatedRun(Scenario scenario, RunSettings settings, RunWatch watch) {
    this.scenario = scenario;
    this.settings = settings;
    this.watch = watch;
  }

  /** Runs the seed twice, and keeps logs of both runs. */
  RunResult twice() {
    TraceLog firstLog = new TraceLog();
    RunResult first = SingleRun.of(scenario, settings, watch, firstLog);
    if (watch.isStopped()) {
      return first;
    }
    TraceLog secondLog = new TraceLog();
    RunResult second = SingleRun.of(scenario, settings, watch, secondLog);
    if (isSame(first, second)) {
      return first;
    }
    TraceLog.Parting parting = firstLog.partingFrom(secondLog);
    return parting == null
        ? broken(first, second, first.virtualNs(), "the runs part behind event " + firstLog.size())
        : broken(first, second, parting.timeNs(), "the runs part where " + parting);
  }

  /**
   * Runs the seed once more, without a log; runs twice with logs only if the second run differs.
   */
  RunResult again(RunResult first) {
    if (watch.isStopped()) {
      return first;
    }
    RunResult second = SingleRun.of(scenario, settings, watch, null);
    if (isSame(first, second)) {
      return first;
    }
    RunResult logged = twice();
    return isDeterminism(logged)
        ? logged
        : broken(first, second, first.virtualNs(), "two more runs, with logs, were the same");
  }

  private static boolean isDeterminism(RunResult result) {
    SimViolation violation = result.violation();
    return violation != null && violation.rule().equals(RULE);
  }

  private static boolean isSame(RunResult first, RunResult second) {
    return first.traceHash().equals(second.traceHash())
        && Objects.equals(ruleOf(first), ruleOf(second));
  }

  private static @Nullable String ruleOf(RunResult result) {
    SimViolation violation = result.violation();
    return violation == null ? null : violation.rule();
  }

  private static RunResult broken(RunResult first, RunResult second, long timeNs, String where) {
    if (isCut(second)) {
      return second;
    }
    String detail =
        where
            + "; hashes "
            + first.traceHash()
            + " and "
            + second.traceHash()
            + ends(first, second);
    return first.withViolation(new SimViolation(first.seed(), timeNs, RULE, detail, null));
  }

  private static boolean isCut(RunResult result) {
    return CurrentRun.RULE.equals(ruleOf(result));
  }

  private static String ends(RunResult first, RunResult second) {
    if (!first.isFailed() && !second.isFailed()) {
      return "";
    }
    return "; the first one broke " + rule(first) + ", the second one " + rule(second);
  }

  private static String rule(RunResult result) {
    String rule = ruleOf(result);
    return rule == null ? "no rule" : "\"" + rule + "\"";
  }
}
