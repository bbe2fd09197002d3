package io.millrace.samples.cli;

import io.millrace.samples.sim.Scenarios;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.oracle.Coverage.Mark;
import io.millrace.testkit.internal.scenario.BatchResult;
import io.millrace.testkit.internal.scenario.Keep;
import io.millrace.testkit.internal.scenario.RunResult;
import io.millrace.testkit.internal.scenario.Shrunk;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The report of {@code millrace sim} on its runs. */
final class SimReport {
  /** The variable whose options the launcher gives to the JVM. */
  private static final String JAVA_OPTIONS = "MILLRACE_JAVA_OPTS";

  private static final double NS_PER_S = 1e9;
  private static final int MOST_FAILURES = 20;

  private final String scenario;
  private final BatchResult result;
  private final @Nullable Shrunk shrunk;
  private final @Nullable String vacuous;

  /**
   * A report.
   *
   * @param vacuous the reason why the runs say nothing, for people; null for runs that say
   *     something
   */
  SimReport(
      String scenario, BatchResult result, @Nullable Shrunk shrunk, @Nullable String vacuous) {
    this.vacuous = vacuous;
    this.scenario = scenario;
    this.shrunk = shrunk;
    this.result = result;
  }

  void print(PrintStream out) {
    out.printf(
        Locale.ROOT,
        "scenario %s, seeds %s: %s ran, %s failed%n",
        scenario,
        result.seeds(),
        Figures.count(result.ran()),
        Figures.count(result.failures().size()));
    out.printf(
        Locale.ROOT,
        "  %s of virtual time, %s events, %s datagrams, %s executions, %s planned faults%n",
        Figures.seconds(result.totals().virtualNs()),
        Figures.count(result.totals().events()),
        Figures.count(result.totals().datagrams()),
        Figures.count(result.totals().executions()),
        Figures.count(result.totals().faults()));
    out.printf(
        Locale.ROOT,
        "  %s, %.1f seeds and %s events per second of processor time%n",
        Figures.seconds(result.wallNs()),
        result.seedsPerCpuSecond(),
        Figures.count(Math.round(result.eventsPerCpuSecond())));
    List<Mark> missing = result.coverage().missing(List.of(Mark.values()));
    out.printf(
        Locale.ROOT,
        "  %d of %d rare things happened%s%n",
        Mark.values().length - missing.size(),
        Mark.values().length,
        missing.isEmpty() ? "" : ", not " + missing);
    new DrawnReport(result.coverage().drawn()).print(out);
    out.println("  trace hash " + result.traceHash());
    printFailures(out);
    printCanary(out);
  }

  private void printCanary(PrintStream out) {
    if (Scenarios.isCanary(scenario)) {
      out.println(
          result.failures().isEmpty()
              ? "this scenario has a bug that was not found: take more seeds"
              : "this scenario has a bug on purpose, which was found");
    }
  }

  void printFailures(PrintStream out) {
    printRuns(out);
    if (vacuous != null) {
      out.println(vacuous);
    }
    if (shrunk != null) {
      long seed = shrunk.result().seed();
      SimViolation violation = shrunk.result().violation();
      out.println("after " + shrunk.runs() + " runs, this is left of seed " + seed + ":");
      shrunk.words().forEach(line -> out.println("  " + line));
      out.println("  " + (violation == null ? "?" : violation.getMessage()));
      out.println("  again with: " + replay(shrunk));
    }
  }

  private String replay(Shrunk smaller) {
    return replay(smaller.result().seed(), smaller.keep());
  }

  private void printRuns(PrintStream out) {
    int printed = 0;
    for (RunResult run : result.failures()) {
      if (printed++ == MOST_FAILURES) {
        out.println("... and " + (result.failures().size() - MOST_FAILURES) + " more");
        return;
      }
      SimViolation violation = run.violation();
      out.println(violation == null ? "?" : violation.getMessage());
      out.println("  again with: " + replay(run));
    }
  }

  private String replay(RunResult run) {
    return replay(run.seed(), run.kept().keep());
  }

  private String replay(long seed, Keep keep) {
    String all =
        withOptions(System.getenv(JAVA_OPTIONS))
            + "millrace sim --scenario "
            + scenario
            + " --seed "
            + seed;
    return keep.isAll() ? all : all + " --keep '" + keep + "'";
  }

  /** Returns the options of the JVM in front of a command; empty without a property among these. */
  static String withOptions(@Nullable String options) {
    return options == null || !options.contains("-D")
        ? ""
        : JAVA_OPTIONS + "='" + options.strip() + "' ";
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("scenario", scenario);
    json.put("seeds", result.ran());
    json.put("failed", result.failures().size());
    json.put("trace_hash", result.traceHash());
    json.put("virtual_s", result.totals().virtualNs() / NS_PER_S);
    json.put("events_per_s", result.eventsPerCpuSecond());
    json.put("seeds_per_cpu_s", result.seedsPerCpuSecond());
    json.put("seconds", result.wallNs() / NS_PER_S);
    json.put("repeated", result.repeated());
    json.put("datagrams", result.totals().datagrams());
    json.put("executions", result.totals().executions());
    json.put("faults", result.totals().faults());
    json.put("coverage", coverage());
    json.put("drawn", new DrawnReport(result.coverage().drawn()).json());
    if (vacuous != null) {
      json.put("vacuous", vacuous);
    }
    if (!result.failures().isEmpty()) {
      json.put("first_failure", failure(result.failures().getFirst()));
    }
    if (shrunk != null) {
      json.put("shrunk", smaller(shrunk));
    }
    return json;
  }

  private Map<String, Object> coverage() {
    Map<String, Object> json = new LinkedHashMap<>();
    for (Mark mark : Mark.values()) {
      json.put(mark.name().toLowerCase(Locale.ROOT), result.coverage().hits(mark));
    }
    return json;
  }

  private Map<String, Object> smaller(Shrunk smaller) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("seed", smaller.result().seed());
    putViolation(json, smaller.result());
    json.put("runs", smaller.runs());
    json.put("faults", smaller.faults());
    json.put("events", smaller.words());
    json.put("replay", replay(smaller));
    return json;
  }

  private Map<String, Object> failure(RunResult run) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("seed", run.seed());
    putViolation(json, run);
    json.put("replay", replay(run));
    return json;
  }

  private static void putViolation(Map<String, Object> json, RunResult run) {
    SimViolation violation = run.violation();
    if (violation != null) {
      json.put("rule", violation.rule());
      json.put("virtual_ns", violation.timeNs());
      json.put("message", violation.getMessage());
    }
  }
}
