package io.millrace.testkit.sim.junit;

import io.millrace.testkit.sim.core.SimViolation;
import io.millrace.testkit.sim.scenario.BatchResult;
import io.millrace.testkit.sim.scenario.RunResult;
import io.millrace.testkit.sim.scenario.RunSettings;
import io.millrace.testkit.sim.scenario.Scenario;
import io.millrace.testkit.sim.scenario.SeedRange;
import io.millrace.testkit.sim.scenario.Shrinker;
import io.millrace.testkit.sim.scenario.Shrunk;
import io.millrace.testkit.sim.scenario.SimRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.opentest4j.AssertionFailedError;

/** The runs of one test, and what it says about those that failed. */
final class Campaign {
  private static final String PCAP = "millrace.sim.pcap";
  private static final int MOST_NAMED = 20;

  private final Scenario scenario;
  private final String test;
  private final SimRunner runner;
  private final int shrinkRuns;

  Campaign(Scenario scenario, String test, int threads, int shrinkRuns) {
    this.scenario = scenario;
    this.test = test;
    this.shrinkRuns = shrinkRuns;
    runner = new SimRunner(scenario, threads);
  }

  /** Fails unless this run succeeds. */
  void replay(RunSettings settings) throws InterruptedException, IOException {
    RunResult result = runner.run(settings);
    if (result.isFailed()) {
      throw failure(List.of(result), new Shrunk(settings.keep(), result, 1));
    }
  }

  /** Fails unless all of these runs succeed. */
  void run(List<RunSettings> corpus, SeedRange seeds) throws InterruptedException, IOException {
    for (RunSettings settings : corpus) {
      replay(settings);
    }
    BatchResult batch = runner.run(seeds);
    if (!batch.failures().isEmpty()) {
      RunResult first = batch.failures().getFirst();
      throw failure(batch.failures(), new Shrinker(scenario, shrinkRuns).shrink(first));
    }
    if (batch.totals().events() == 0) {
      throw new AssertionFailedError(test + ": nothing happened in any run");
    }
  }

  private AssertionFailedError failure(List<RunResult> failures, Shrunk shrunk)
      throws InterruptedException, IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(failures.size(), MOST_NAMED); i++) {
      SimViolation violation = failures.get(i).violation();
      text.append(violation == null ? "?" : violation.getMessage()).append('\n');
    }
    if (failures.size() > MOST_NAMED) {
      text.append("and ").append(failures.size() - MOST_NAMED).append(" more runs failed\n");
    }
    long seed = shrunk.result().seed();
    SimViolation violation = shrunk.result().violation();
    text.append("what is left of seed ").append(seed).append(":\n");
    shrunk.words().forEach(line -> text.append("  ").append(line).append('\n'));
    text.append("  ").append(violation == null ? "?" : violation.getMessage()).append('\n');
    text.append("again with: ").append(command(shrunk)).append('\n');
    capture(shrunk, text);
    return new AssertionFailedError(text.toString(), violation);
  }

  private String command(Shrunk shrunk) {
    String keep = shrunk.keep().isAll() ? "" : " '-Dmillrace.sim.keep=" + shrunk.keep() + "'";
    // Where Maven has several modules, only one of them has the test.
    return "mvn test -Dtest="
        + test
        + " -Dsurefire.failIfNoSpecifiedTests=false -Dmillrace.sim.seed="
        + shrunk.result().seed()
        + keep;
  }

  private void capture(Shrunk shrunk, StringBuilder text) throws InterruptedException, IOException {
    String folder = System.getProperty(PCAP);
    if (folder != null) {
      long seed = shrunk.result().seed();
      Path file = Path.of(folder, test.replace('#', '.') + "-" + seed + ".pcapng");
      Files.createDirectories(file.getParent());
      runner.run(RunSettings.of(seed).withKeep(shrunk.keep()).withCapture(file));
      text.append("its datagrams are in ").append(file).append('\n');
    }
  }
}
