package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.samples.sim.RareThings;
import io.millrace.samples.sim.Scenarios;
import io.millrace.testkit.internal.oracle.Coverage;
import io.millrace.testkit.internal.oracle.Coverage.Mark;
import io.millrace.testkit.internal.scenario.BatchResult;
import io.millrace.testkit.internal.scenario.BatchResult.Totals;
import io.millrace.testkit.internal.scenario.SeedRange;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class VacuityTest {
  private static @Nullable String words(
      String scenario, int ran, long executions, Coverage coverage) {
    Totals totals = new Totals(1, 1, 1, executions, 0);
    return Vacuity.words(
        scenario,
        new BatchResult(new SeedRange(1, ran), ran, 1, List.of(), "", totals, coverage, 1, 1));
  }

  private static Coverage allBut(String scenario, Mark missing) {
    Coverage coverage = new Coverage();
    RareThings.of(scenario).stream().filter(mark -> mark != missing).forEach(coverage::hit);
    return coverage;
  }

  @Test
  void shouldSayThatNothingWasExecuted() {
    Coverage coverage = allBut("fabric", Mark.REVOKED_WHILE_READ);
    String expected = "nothing was executed in any run, so that no rule was tried";
    assertEquals(expected, words("fabric", 1, 0, coverage));
    assertEquals(expected, words("fabric", 2_000, 0, coverage));
    assertNull(words("fabric", 2_000, 1, coverage));
  }

  @Test
  void shouldWantFromManySeedsThatTheyComeToWhatIsRare() {
    Coverage coverage = allBut("fabric", Mark.WRITE_LANDED_LATE);
    assertNull(words("fabric", 999, 1, coverage));
    assertEquals(
        "1,000 runs never came to these rare situations: [WRITE_LANDED_LATE]",
        words("fabric", 1_000, 1, coverage));
  }

  @Test
  void shouldWantFromManySeedsThatTheyDrewEverything() {
    Coverage coverage = allBut("crash", Mark.REVOKED_WHILE_READ);
    assertNull(words("crash", 999, 1, coverage));
    assertEquals(
        "1,000 runs never drew a fault crash, a fault stop", words("crash", 1_000, 1, coverage));
  }

  @Test
  void shouldWantSomethingOfEachScenarioThatMustNotFail() {
    for (String scenario : Scenarios.names()) {
      assertEquals(
          Scenarios.isCanary(scenario), RareThings.of(scenario).isEmpty(), "rare in " + scenario);
    }
  }

  @Test
  void shouldAskNothingOfABugOnPurpose() {
    assertFalse(Scenarios.isCanary("default"));
    assertNull(words(Scenarios.CANARY, 1_000, 0, new Coverage()));
  }
}
