package io.millrace.testkit.sim.junit;

import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.oracle.Probes;
import io.millrace.testkit.internal.scenario.BatchResult;
import io.millrace.testkit.internal.scenario.Corpus;
import io.millrace.testkit.internal.scenario.LastDatagrams;
import io.millrace.testkit.internal.scenario.RunResult;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.internal.scenario.Shrinker;
import io.millrace.testkit.internal.scenario.Shrunk;
import io.millrace.testkit.internal.scenario.SimRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/** The runs of one test, and the report about the failed runs. */
final class Campaign {
  private static final String PCAP = "millrace.sim.pcap";
  private static final int MOST_NAMED = 5;
  private static final int MOST_LEFT = 20;
  private static final int MOST_CHARACTERS = 2_000;

  private final Scenario scenario;
  private final CampaignSettings settings;
  private final SimRunner runner;

  Campaign(Scenario scenario, CampaignSettings settings) {
    this.scenario = scenario;
    this.settings = settings;
    runner = new SimRunner(scenario, settings.threads()).patience(settings.patience());
  }

  /**
   * Fails unless this run succeeds, twice and both times with the same course; with whole stacks.
   */
  void replay(RunSettings run) throws InterruptedException, IOException {
    AssertionFailedError failure = replay(run, false);
    if (failure != null) {
      throw failure;
    }
  }

  private @Nullable AssertionFailedError replay(RunSettings run, boolean isKnown)
      throws InterruptedException, IOException {
    RunResult result = runner.replay(run);
    if (result.isFailed()) {
      return failure(List.of(result), new Shrunk(run.keep(), result, 1), isKnown);
    }
    String packets = result.kept().packetWords();
    if (!packets.isEmpty()) {
      System.out.println(settings.test() + ", " + Corpus.line(run) + ": " + packets);
    }
    return null;
  }

  private static AssertionFailedError shortened(AssertionFailedError failure) {
    ShortStacks.shorten(failure);
    return failure;
  }

  /**
   * Fails unless all of these runs succeed, and the runs of the seeds together reach all events
   * that the test must reach.
   */
  void run(List<RunSettings> corpus, List<TestSeeds> seeds)
      throws InterruptedException, IOException {
    List<String> missing = runAll(corpus, seeds).missing();
    if (!missing.isEmpty()) {
      throw new AssertionFailedError(missingText(seeds, missing));
    }
  }

  /**
   * Fails unless all of these runs succeed. Missed events are printed only: a person has chosen the
   * seeds, and the seeds may be too few.
   */
  void runSome(List<RunSettings> corpus, List<TestSeeds> seeds)
      throws InterruptedException, IOException {
    List<String> missing = runAll(corpus, seeds).missing();
    if (!missing.isEmpty()) {
      System.out.println(missingText(seeds, missing));
    }
  }

  private String missingText(List<TestSeeds> seeds, List<String> missing) {
    String ranges = seeds.stream().map(TestSeeds::toString).collect(Collectors.joining(" and "));
    return settings.test()
        + ": no run of seeds "
        + ranges
        + " reached \""
        + String.join("\", nor \"", missing)
        + "\"";
  }

  private Probes runAll(List<RunSettings> corpus, List<TestSeeds> seeds)
      throws InterruptedException, IOException {
    for (RunSettings known : corpus) {
      AssertionFailedError failure = replay(known, true);
      if (failure != null) {
        throw shortened(failure);
      }
    }
    Probes probes = new Probes();
    for (TestSeeds each : seeds) {
      probes.merge(run(each));
    }
    return probes;
  }

  private Probes run(TestSeeds seeds) throws InterruptedException, IOException {
    if (seeds.isOfCommit()) {
      System.out.println(settings.test() + ": seeds " + seeds);
    }
    BatchResult batch = runner.run(seeds.range());
    if (!batch.failures().isEmpty()) {
      Shrinker shrinker = new Shrinker(scenario, settings.shrinkRuns());
      RunResult first = batch.failures().getFirst();
      Shrunk shrunk = shrinker.patience(settings.patience()).shrink(first);
      throw shortened(failure(batch.failures(), shrunk, false));
    }
    if (batch.totals().events() == 0) {
      throw new AssertionFailedError(settings.test() + ": nothing happened in any run");
    }
    if (seeds.isOfCommit()) {
      System.out.printf(
          "%s: %d runs, %d of them twice, none failed%n",
          settings.test(), batch.ran(), batch.repeated());
    }
    return batch.coverage().probes();
  }

  private AssertionFailedError failure(List<RunResult> failures, Shrunk shrunk, boolean isKnown)
      throws InterruptedException, IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(failures.size(), MOST_NAMED); i++) {
      text.append(message(failures.get(i))).append('\n');
    }
    if (failures.size() > MOST_NAMED) {
      text.append("and ").append(failures.size() - MOST_NAMED).append(" more runs failed\n");
    }
    long seed = shrunk.result().seed();
    text.append("the rest of seed ").append(seed).append(":\n");
    List<String> left = shrunk.words();
    int hidden = Math.max(0, left.size() - MOST_LEFT);
    if (hidden > 0) {
      text.append("  ").append(hidden).append(" more, then\n");
    }
    if (left.isEmpty()) {
      text.append("  only what the test does in every run\n");
    }
    left.subList(hidden, left.size()).forEach(line -> text.append("  ").append(line).append('\n'));
    if (isSmaller(failures.getFirst(), shrunk)) {
      text.append("  ").append(message(shrunk.result())).append('\n');
    }
    String packets = shrunk.result().kept().packetWords();
    if (!packets.isEmpty()) {
      text.append("  ").append(packets).append('\n');
    }
    addLast(shrunk, text);
    text.append("again with: ").append(command(shrunk)).append('\n');
    text.append(isKnown ? "it is the line\n  " : "to run it first ever after, keep the line\n  ")
        .append(Corpus.line(RunSettings.of(seed).withKeep(shrunk.keep())))
        .append("\nin ")
        .append(settings.corpus())
        .append('\n');
    capture(shrunk, text);
    return new AssertionFailedError(text.toString(), shrunk.result().violation());
  }

  private static String message(RunResult failure) {
    SimViolation violation = failure.violation();
    String message = violation == null ? "?" : String.valueOf(violation.getMessage());
    return message.length() <= MOST_CHARACTERS
        ? message
        : message.substring(0, MOST_CHARACTERS) + " ...";
  }

  private static boolean isSmaller(RunResult first, Shrunk shrunk) {
    return !message(first).equals(message(shrunk.result()));
  }

  /** Adds the last datagrams before the failure, of a run that can be run once more. */
  private void addLast(Shrunk shrunk, StringBuilder text) throws InterruptedException {
    SimViolation violation = shrunk.result().violation();
    if (violation == null || !Shrinker.isOfParts(violation.rule())) {
      return;
    }
    LastDatagrams last = new LastDatagrams();
    runner.run(RunSettings.of(shrunk.result().seed()).withKeep(shrunk.keep()).withLast(last));
    if (!last.words().isEmpty()) {
      text.append("its last datagrams:\n");
      last.words().forEach(line -> text.append("  ").append(line).append('\n'));
    }
  }

  private String command(Shrunk shrunk) {
    String keep = shrunk.keep().isAll() ? "" : " '-Dmillrace.sim.keep=" + shrunk.keep() + "'";
    // Where Maven has several modules, only one module has the test.
    return "mvn test '-Dtest="
        + settings.test()
        + "' -Dsurefire.failIfNoSpecifiedTests=false -Dmillrace.sim.seed="
        + shrunk.result().seed()
        + keep
        + OwnProperties.ofThisRun();
  }

  private void capture(Shrunk shrunk, StringBuilder text) throws InterruptedException, IOException {
    String folder = System.getProperty(PCAP);
    if (folder != null) {
      long seed = shrunk.result().seed();
      Path file = Path.of(folder, settings.test().replace('#', '.') + "-" + seed + ".pcapng");
      Files.createDirectories(file.getParent());
      runner.run(RunSettings.of(seed).withKeep(shrunk.keep()).withCapture(file));
      text.append("its datagrams are in ").append(file).append('\n');
    }
  }
}
