package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.sim.Scenarios;
import io.millrace.testkit.internal.drawn.Drawn;
import io.millrace.testkit.internal.drawn.FaultKind;
import io.millrace.testkit.internal.scenario.BatchResult;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.internal.scenario.SeedRange;
import io.millrace.testkit.internal.scenario.SimRunner;
import io.millrace.testkit.sim.FaultSchedule;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

final class DrawnDemandsTest {
  private static final String DEFAULT = "default";

  /**
   * Returns all draws demanded of a scenario's seeds, with the faults, patterns and pairs chosen by
   * these arguments.
   */
  private static Drawn drawn(
      Predicate<FaultKind> isDrawn, Predicate<String> isMade, boolean isPaired) {
    Drawn all = new Drawn();
    long nowNs = 0;
    for (FaultKind first : DrawnDemands.faults(DEFAULT)) {
      for (FaultKind second : DrawnDemands.faults(DEFAULT)) {
        nowNs += 2 * Drawn.AFTER_NS;
        boolean isLeftOut = !isPaired && first == FaultKind.CRASH && second == FaultKind.MTU;
        if (isDrawn.test(first) && isDrawn.test(second) && !isLeftOut) {
          all.fault(first, nowNs, 0);
          all.fault(second, nowNs, 0);
        }
      }
    }
    DrawnDemands.patterns(DEFAULT).stream().filter(isMade).forEach(all::pattern);
    return all;
  }

  private static List<String> missing(Drawn drawn) {
    return DrawnDemands.missing(DEFAULT, DrawnDemands.MANY_FOR_FRAMES, drawn);
  }

  @Test
  void shouldWantNothingMoreOfThoseThatDrewEverything() {
    assertEquals(List.of(), missing(drawn(kind -> true, pattern -> true, true)));
  }

  @Test
  void shouldNameAKindOfFaultThatNeverCame() {
    Drawn drawn = drawn(kind -> kind != FaultKind.SWIZZLE, pattern -> true, true);
    assertEquals(List.of("a fault swizzle"), missing(drawn));
    assertEquals(List.of(), DrawnDemands.missing(DEFAULT, DrawnDemands.MANY_SEEDS - 1, drawn));
  }

  @Test
  void shouldNameAPairThatNeverOccurred() {
    Drawn drawn = drawn(kind -> true, pattern -> true, false);
    assertEquals(List.of("a fault crash followed by mtu"), missing(drawn));
  }

  @Test
  void shouldNameAPatternThatWasNeverMade() {
    Drawn drawn = drawn(kind -> true, pattern -> !pattern.equals("stream denied"), true);
    assertEquals(List.of("a call of the pattern stream denied"), missing(drawn));
  }

  /** Read by reflection. */
  public record Settings(int constant, int varied, Inner inner) {}

  /** Read by reflection. */
  public record Inner(boolean isConstant, String varied) {}

  @Test
  void shouldNameASettingThatNeverVaried() {
    Drawn drawn = drawn(kind -> true, pattern -> true, true);
    for (int i = 0; i < 3; i++) {
      Drawn run = new Drawn();
      run.settings("x.", new Settings(1, i, new Inner(true, "v" + i)));
      drawn.merge(run);
    }
    assertEquals(
        List.of(
            "another value of the setting x.constant",
            "another value of the setting x.inner.isConstant"),
        missing(drawn));
    assertEquals(3, drawn.settings().get("x.inner.varied"));
  }

  @Test
  void shouldWantPairsWithAFrameOfManyMoreSeedsAndPairsOfFramesOfNone() {
    Drawn poor = new Drawn();
    Set<FaultKind> frames = EnumSet.range(FaultKind.FRAME_LOST, FaultKind.FRAME_WITHHELD);
    for (FaultKind kind : DrawnDemands.faults(DEFAULT)) {
      for (FaultKind other : DrawnDemands.faults(DEFAULT)) {
        Drawn run = new Drawn();
        run.fault(kind, 0, 0);
        long laterNs = frames.contains(kind) || frames.contains(other) ? 2 * Drawn.AFTER_NS : 1;
        run.fault(other, laterNs, 0);
        poor.merge(run);
      }
    }
    DrawnDemands.patterns(DEFAULT).forEach(poor::pattern);
    assertEquals(List.of(), DrawnDemands.missing(DEFAULT, DrawnDemands.MANY_SEEDS, poor));
    List<String> missing = missing(poor);
    assertTrue(missing.contains("a fault crash followed by frame-late"), missing::toString);
    assertFalse(missing.contains("a fault frame-lost followed by frame-late"), missing::toString);
  }

  /** A pair is two faults; the second fault begins during the first, or soon after. */
  @Test
  void shouldPairFaultsThatOverlapOrFollow() {
    Drawn drawn = new Drawn();
    drawn.fault(FaultKind.CUT, 0, 1_000);
    drawn.fault(FaultKind.CRASH, 1_000 + Drawn.AFTER_NS, 0);
    drawn.fault(FaultKind.MTU, 1_001 + Drawn.AFTER_NS, 0);
    assertEquals(1, drawn.pairs(FaultKind.CUT, FaultKind.CRASH));
    assertEquals(0, drawn.pairs(FaultKind.CRASH, FaultKind.CUT));
    assertEquals(0, drawn.pairs(FaultKind.CUT, FaultKind.MTU));
    assertEquals(1, drawn.pairs(FaultKind.CRASH, FaultKind.MTU));
  }

  /** Generators that have lost a kind of fault: no seed shows the loss, but the report does. */
  @Test
  void shouldNoticeGeneratorsThatHaveLostAKind() throws Exception {
    Scenario poor =
        run -> {
          run.add(2, node -> {});
          new FaultSchedule(run, 1_000_000).crashes();
          run.runUntil(5_000_000);
          run.heal();
        };
    BatchResult result = new SimRunner(poor, 1).run(SeedRange.parse("1..12"));
    assertEquals(List.of(), result.failures());
    Drawn drawn = result.coverage().drawn();
    assertEquals(
        List.of("a fault stop"), DrawnDemands.missing("crash", DrawnDemands.MANY_SEEDS, drawn));
  }

  @Test
  void shouldWantFaultsOfScenariosThatExist() {
    Set<String> names = Set.copyOf(Scenarios.names());
    for (String scenario : List.of(DEFAULT, "calls", "crash", "loss")) {
      assertTrue(names.contains(scenario), scenario);
      assertFalse(DrawnDemands.faults(scenario).isEmpty(), scenario);
    }
  }
}
