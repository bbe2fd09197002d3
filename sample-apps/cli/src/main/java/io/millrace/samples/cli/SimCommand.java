package io.millrace.samples.cli;

import io.millrace.samples.sim.Scenarios;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.scenario.BatchResult;
import io.millrace.testkit.internal.scenario.Keep;
import io.millrace.testkit.internal.scenario.RunResult;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.internal.scenario.SeedRange;
import io.millrace.testkit.internal.scenario.Shrinker;
import io.millrace.testkit.internal.scenario.Shrunk;
import io.millrace.testkit.internal.scenario.SimRunner;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Simulated clusters under faults, one for each seed. */
@Command(
    name = "sim",
    description = {
      "Simulated clusters under faults, one for each seed, in virtual time.",
      "A seed decides everything, so that a failing run can be repeated. Ends 0 only if no run",
      "broke a rule, and the runs came to the rare situations of their scenario."
    })
final class SimCommand extends Subcommand {
  private static final int MOST_THREADS = 1_024;
  private static final int MOST_SHRINK_RUNS = 1_000;

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      defaultValue = "default",
      description =
          "default, calls, crash, loss, clean, fabric, clean-fabric; or canary and canary-ack,"
              + " which must fail. Default: ${DEFAULT-VALUE}.")
  private String scenarioName = "default";

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Run this seed, twice: both runs must be the same.")
  private @Nullable String seed;

  @Option(names = "--seeds", paramLabel = "A..B", description = "Run these seeds, both included.")
  private @Nullable String seeds;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Simulations at once. Default: one for each processor.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--keep",
      paramLabel = "WHAT",
      defaultValue = "",
      description = "Leave out all but WHAT; as printed with a failing seed. Only with --seed.")
  private String keep = "";

  @Option(
      names = "--shrink",
      description = "Leave out of the first failing run everything not needed for the failure.")
  private boolean shrink;

  @Option(
      names = "--pcap",
      paramLabel = "FILE",
      description = "Write every datagram to FILE as pcapng. Only with --seed.")
  private @Nullable Path pcap;

  SimCommand(Screen screen) {
    super(screen);
  }

  @Override
  public Integer call() throws Exception {
    Scenario scenario = Scenarios.of(scenarioName);
    if (scenario == null) {
      throw CommandException.badArgument(
          "unknown scenario '"
              + scenarioName
              + "'; scenarios are: "
              + String.join(", ", Scenarios.names()));
    }
    if (threads < 1 || threads > MOST_THREADS) {
      throw CommandException.badArgument(
          "--threads must be from 1 to " + MOST_THREADS + ", not " + threads);
    }
    SimRunner runner = new SimRunner(scenario, threads);
    BatchResult result = isSingle() ? single(runner) : batch(runner);
    @Nullable Shrunk shrunk = null;
    if (shrink && !result.failures().isEmpty()) {
      shrunk = new Shrinker(scenario, MOST_SHRINK_RUNS).shrink(result.failures().getFirst());
    }
    @Nullable String vacuous = keep.isEmpty() ? Vacuity.words(scenarioName, result) : null;
    SimReport report = new SimReport(scenarioName, result, shrunk, vacuous);
    if (isJson()) {
      report.printFailures(screen().err());
      JsonLine.print(screen().out(), report.json());
    } else {
      report.print(screen().out());
    }
    return result.failures().isEmpty() && vacuous == null ? ExitCode.DONE : ExitCode.FAILED;
  }

  private boolean isSingle() {
    return !keep.isEmpty() || pcap != null || range().count() == 1;
  }

  private SeedRange range() {
    if (seed != null && seeds != null) {
      throw CommandException.badArgument("--seed and --seeds exclude each other");
    }
    String text = seed != null ? seed : seeds != null ? seeds : "1..100";
    try {
      return SeedRange.parse(text);
    } catch (IllegalArgumentException e) {
      throw CommandException.badArgument(String.valueOf(e.getMessage()));
    }
  }

  private BatchResult single(SimRunner runner) throws InterruptedException {
    SeedRange range = range();
    if (range.count() != 1) {
      throw CommandException.badArgument("--keep and --pcap want one --seed");
    }
    RunSettings settings = RunSettings.of(range.first()).withKeep(kept()).withCapture(pcap);
    return runner.onRun(this::sayPackets).replayOne(settings);
  }

  private void sayPackets(RunResult run) {
    String packets = run.kept().packetWords();
    if (!packets.isEmpty()) {
      screen().err().println(packets);
    }
  }

  private Keep kept() {
    try {
      return Keep.parse(keep);
    } catch (IllegalArgumentException e) {
      throw CommandException.badArgument("--keep: " + e.getMessage());
    }
  }

  private BatchResult batch(SimRunner runner) throws InterruptedException {
    SeedRange range = range();
    Progress progress = new Progress(screen(), System.nanoTime());
    AtomicInteger done = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    BatchResult result = runner.onRun(run -> onRun(run, range, progress, done, failed)).run(range);
    progress.clear();
    return result;
  }

  private void onRun(
      RunResult run, SeedRange range, Progress progress, AtomicInteger done, AtomicInteger failed) {
    SimViolation violation = run.violation();
    PrintStream err = screen().err();
    int count = done.incrementAndGet();
    synchronized (progress) {
      if (violation != null) {
        failed.incrementAndGet();
        progress.clear();
        err.println(violation.getMessage());
      }
      long nowNs = System.nanoTime();
      if (progress.isDue(nowNs)) {
        progress.show(
            "seeds " + range + ": " + count + " of " + range.count() + ", failed " + failed, nowNs);
      }
    }
  }
}
