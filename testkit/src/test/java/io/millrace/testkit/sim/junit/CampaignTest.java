package io.millrace.testkit.sim.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.TraceKind;
import io.millrace.testkit.internal.scenario.Corpus;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.internal.scenario.Keep;
import io.millrace.testkit.internal.scenario.PlantedBug;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.Scenario;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class CampaignTest {
  private static final Pattern COMMAND =
      Pattern.compile(
          "again with: mvn test '-Dtest=A#b' -Dsurefire.failIfNoSpecifiedTests=false"
              + " -Dmillrace.sim.seed=(\\d+) '-Dmillrace.sim.keep=([^']+)'");

  private static final Pattern LINE =
      Pattern.compile("keep the line\n  (.*)\nin acme/A\\.b\\.seeds\n");

  private static Campaign campaign() {
    return campaign(new PlantedBug(), 200);
  }

  private static Campaign campaign(Scenario scenario, int shrinkRuns) {
    return new Campaign(scenario, CampaignSettings.of("A#b", "acme/A.b.seeds", 2, shrinkRuns));
  }

  private static List<TestSeeds> seeds(String text) {
    return List.of(TestSeeds.parse(text));
  }

  @Test
  void shouldSayHowToRunAFailureAgain() throws Exception {
    AssertionError failure =
        assertThrows(AssertionError.class, () -> campaign().run(List.of(), seeds("1..20")));
    Matcher command = COMMAND.matcher(String.valueOf(failure.getMessage()));
    assertTrue(command.find(), failure.getMessage());
    assertTrue(String.valueOf(failure.getMessage()).contains(" crashes and is down for "));
    RunSettings again =
        RunSettings.of(Long.parseLong(command.group(1))).withKeep(Keep.parse(command.group(2)));
    AssertionError same = assertThrows(AssertionError.class, () -> campaign().replay(again));
    assertEquals(
        Objects.requireNonNull(failure.getCause()).getMessage(),
        Objects.requireNonNull(same.getCause()).getMessage());
  }

  @Test
  void shouldRunTheCorpusFirst() {
    RunSettings known = RunSettings.of(1).withKeep(Keep.parse("f:;w:"));
    campaignOf(known);
    AssertionError nothing =
        assertThrows(AssertionError.class, () -> campaign(run -> {}, 1).run(List.of(), seeds("1")));
    assertEquals("A#b: nothing happened in any run", nothing.getMessage());
  }

  private static void campaignOf(RunSettings known) {
    Campaign failing =
        campaign(
            run -> {
              throw new IllegalStateException("seed " + run.seed());
            },
            1);
    AssertionError first =
        assertThrows(AssertionError.class, () -> failing.run(List.of(known), seeds("2")));
    assertTrue(message(first).contains("the rest of seed 1:"));
    assertTrue(message(first).contains("it is the line\n  1 f:;w:\nin acme/A.b.seeds\n"));
  }

  /** A line of the message, read back, is the failed run. */
  @Test
  void shouldSayWhichLineToKeepAndWhere() throws Exception {
    AssertionError failure =
        assertThrows(AssertionError.class, () -> campaign().run(List.of(), seeds("1..20")));
    Matcher line = LINE.matcher(message(failure));
    assertTrue(line.find(), message(failure));
    Matcher command = COMMAND.matcher(message(failure));
    assertTrue(command.find(), message(failure));
    assertEquals(command.group(1) + " " + command.group(2), line.group(1));
    List<RunSettings> corpus =
        Corpus.read(new ByteArrayInputStream(line.group(1).getBytes(StandardCharsets.UTF_8)));
    AssertionError same =
        assertThrows(AssertionError.class, () -> campaign().run(corpus, seeds("2")));
    assertEquals(
        Objects.requireNonNull(failure.getCause()).getMessage(),
        Objects.requireNonNull(same.getCause()).getMessage());
  }

  @Test
  void shouldFailALineOfTheCorpusThatNamesWhatIsGone() throws Exception {
    RunSettings gone = RunSettings.of(1).withKeep(Keep.parse("f:;w:39-41"));
    AssertionError failure =
        assertThrows(AssertionError.class, () -> campaign().run(List.of(gone), seeds("1")));
    assertTrue(message(failure).contains(" keep: the run has no w:40-41 any more"));
    campaign().replay(RunSettings.of(1).withKeep(Keep.parse("f:;w:39")));
  }

  @Test
  void shouldFailTheReplayOfARunThatIsNeverTheSame() {
    AtomicLong calls = new AtomicLong();
    Campaign campaign =
        campaign(run -> run.simulation().trace(TraceKind.NOTE, calls.incrementAndGet(), 0), 1_000);
    AssertionError few =
        assertThrows(AssertionError.class, () -> campaign.run(List.of(), seeds("4..6")));
    assertTrue(message(few).contains("the rest of seed 6:"), message(few));
    assertTrue(message(few).contains(" determinism: "), message(few));
    assertTrue(
        message(few).contains("-Dmillrace.sim.seed=6" + OwnProperties.ofThisRun() + "\n"),
        message(few));
    assertTrue(calls.get() <= 6, "nothing is left out of such a run, but it ran " + calls);
    AssertionError again =
        assertThrows(AssertionError.class, () -> campaign.replay(RunSettings.of(6)));
    assertTrue(message(again).contains(" determinism: "), message(again));
  }

  @Test
  @Timeout(60)
  void shouldSayWhereARunIsThatDoesNotEnd() {
    AtomicBoolean isReleased = new AtomicBoolean();
    Scenario endless =
        run -> {
          run.at(700, "loops", () -> loopUntil(isReleased));
          run.runUntil(1_000);
        };
    CampaignSettings settings =
        new CampaignSettings("A#b", "acme/A.b.seeds", 1, 100, Duration.ofSeconds(1));
    AssertionError failure =
        assertThrows(
            AssertionError.class,
            () -> new Campaign(endless, settings).run(List.of(), seeds("5..9")));
    isReleased.set(true);
    assertTrue(
        message(failure)
            .startsWith("seed 5, 700 ns: real time: the run was ended after 1000 ms of real time"),
        message(failure));
    assertTrue(message(failure).contains(" -Dmillrace.sim.patience=SECONDS gives more time"));
    assertTrue(message(failure).contains("CampaignTest.loopUntil("), message(failure));
    assertTrue(
        message(failure).contains("-Dmillrace.sim.seed=5" + OwnProperties.ofThisRun() + "\n"),
        message(failure));
  }

  /** Reaches "even" with the even seeds, and "never" with no seed. */
  private static void reach(FullRun run) {
    run.mustReach("even", "never");
    if (run.seed() % 2 == 0) {
      run.reached("even");
    }
    run.at(1, "something", () -> {});
    run.runUntil(2);
  }

  @Test
  void shouldFailWhereNoSeedReachesWhatOneMust() throws Exception {
    Campaign campaign = campaign(CampaignTest::reach, 1);
    AssertionError odd =
        assertThrows(AssertionError.class, () -> campaign.run(List.of(), seeds("3")));
    assertEquals("A#b: no run of seeds 3 reached \"even\", nor \"never\"", message(odd));
    List<TestSeeds> two = List.of(TestSeeds.parse("3..4"), TestSeeds.parse("7"));
    AssertionError never = assertThrows(AssertionError.class, () -> campaign.run(List.of(), two));
    assertEquals("A#b: no run of seeds 3..4 and 7 reached \"never\"", message(never));
    campaign.runSome(List.of(), two);
    campaign.replay(RunSettings.of(3));
  }

  @Test
  void shouldNotTakeWhatACorpusReachesForWhatTheSeedsReach() {
    Campaign campaign = campaign(CampaignTest::reach, 1);
    AssertionError odd =
        assertThrows(
            AssertionError.class, () -> campaign.run(List.of(RunSettings.of(4)), seeds("3")));
    assertTrue(message(odd).contains("\"even\""), message(odd));
  }

  /** Takes steps that all matter, in a test where every seed fails. */
  private static void fail(FullRun run) {
    run.add(2, node -> {});
    AtomicLong taken = new AtomicLong();
    for (int i = 0; i < 300; i++) {
      run.at(i, "step " + i, taken::incrementAndGet);
    }
    run.runUntil(1_000);
    assertNotEquals(300, taken.get());
  }

  @Test
  void shouldSayInFewLinesWhatFailed() {
    AssertionError failure =
        assertThrows(
            AssertionError.class,
            () -> campaign(CampaignTest::fail, 10).run(List.of(), seeds("1..30")));
    StringWriter printed = new StringWriter();
    failure.printStackTrace(new PrintWriter(printed));
    assertTrue(message(failure).contains("and 25 more runs failed\n"), message(failure));
    assertTrue(message(failure).contains("  280 more, then\n  w280 at "), message(failure));
    assertTrue(printed.toString().lines().count() < 50, printed::toString);
    AssertionError whole =
        assertThrows(
            AssertionError.class, () -> campaign(CampaignTest::fail, 10).replay(RunSettings.of(1)));
    assertTrue(whole.getStackTrace().length > 1);
  }

  @Test
  void shouldFailWhereNobodySaidThatItMustBeReached() {
    Campaign campaign = campaign(run -> run.reached("misspelt"), 1);
    AssertionError failure =
        assertThrows(AssertionError.class, () -> campaign.run(List.of(), seeds("1..2")));
    assertTrue(message(failure).contains("reached \"misspelt\", which mustReach has not named"));
  }

  private static void loopUntil(AtomicBoolean isReleased) {
    while (!isReleased.get()) {
      Thread.onSpinWait();
    }
  }

  private static String message(AssertionError failure) {
    return String.valueOf(failure.getMessage());
  }
}
