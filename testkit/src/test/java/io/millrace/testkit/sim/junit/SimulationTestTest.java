package io.millrace.testkit.sim.junit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.testkit.sim.scenario.SimRun;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class SimulationTestTest {
  private static final Set<Long> SEEDS = Collections.synchronizedSet(new TreeSet<>());

  @BeforeAll
  static void clear() {
    SEEDS.clear();
  }

  @AfterAll
  static void shouldHaveRunEachSeed() {
    assertEquals(LongStream.rangeClosed(3, 12).boxed().toList(), List.copyOf(SEEDS));
  }

  @SimulationTest(seeds = {"3..9", "10..12"})
  void shouldCallTheMethodForEachSeed(SimRun run) {
    SEEDS.add(run.seed());
    run.add(2, node -> {});
    run.runUntil(1_000_000);
  }

  @Nested
  final class Inner {
    private final Set<Long> seen = new TreeSet<>();

    /** The line 77 is of the file that has the names of both classes. */
    @SimulationTest(seeds = "78", threads = 1)
    void shouldReadItsOwnCorpus(SimRun run) {
      seen.add(run.seed());
      run.add(2, node -> {});
      run.runUntil(1_000_000);
      if (run.seed() == 78) {
        assertEquals(Set.of(77L, 78L), seen);
      }
    }
  }

  @Test
  void shouldLeaveOtherTestsAlone() {
    assertArrayEquals(new String[] {"3..9", "10..12"}, annotation().seeds());
  }

  private static SimulationTest annotation() {
    try {
      return SimulationTestTest.class
          .getDeclaredMethod("shouldCallTheMethodForEachSeed", SimRun.class)
          .getAnnotation(SimulationTest.class);
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }
}
