package io.millrace.testkit.sim.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.sim.scenario.Keep;
import io.millrace.testkit.sim.scenario.PlantedBug;
import io.millrace.testkit.sim.scenario.RunSettings;
import io.millrace.testkit.sim.scenario.SeedRange;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class CampaignTest {
  private static final Pattern COMMAND =
      Pattern.compile(
          "again with: mvn test -Dtest=A#b -Dsurefire.failIfNoSpecifiedTests=false"
              + " -Dmillrace.sim.seed=(\\d+) '-Dmillrace.sim.keep=([^']+)'");

  private static Campaign campaign() {
    return new Campaign(new PlantedBug(), "A#b", 2, 200);
  }

  @Test
  void shouldSayHowToRunAFailureAgain() throws Exception {
    AssertionError failure =
        assertThrows(
            AssertionError.class, () -> campaign().run(List.of(), SeedRange.parse("1..20")));
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
        assertThrows(
            AssertionError.class,
            () -> new Campaign(run -> {}, "A#b", 1, 1).run(List.of(), SeedRange.of(1)));
    assertEquals("A#b: nothing happened in any run", nothing.getMessage());
  }

  private static void campaignOf(RunSettings known) {
    Campaign failing =
        new Campaign(
            run -> {
              throw new IllegalStateException("seed " + run.seed());
            },
            "A#b",
            1,
            1);
    AssertionError first =
        assertThrows(AssertionError.class, () -> failing.run(List.of(known), SeedRange.of(2)));
    assertTrue(String.valueOf(first.getMessage()).contains("left of seed 1:"));
  }
}
