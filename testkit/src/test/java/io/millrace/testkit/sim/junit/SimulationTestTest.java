package io.millrace.testkit.sim.junit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.millrace.testkit.sim.SimRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

final class SimulationTestTest {
  private static final Set<Long> SEEDS = Collections.synchronizedSet(new TreeSet<>());

  private final List<Long> fields = new ArrayList<>();

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
    private static final Set<Long> SEEN = Collections.synchronizedSet(new TreeSet<>());

    /** The line 77 comes from the file with the names of both classes. */
    @SimulationTest(seeds = "78", threads = 1)
    void shouldReadItsOwnCorpus(SimRun run) {
      SEEN.add(run.seed());
      run.add(2, node -> {});
      run.runUntil(1_000_000);
      if (run.seed() == 78) {
        assertEquals(Set.of(77L, 78L), SEEN);
      }
    }
  }

  /** Fields of the object of a run, in a nested class: each run has fields of its own. */
  @Nested
  final class WithFields {
    private static final Set<Long> OVER = Collections.synchronizedSet(new TreeSet<>());

    private final List<String> calls = new ArrayList<>();
    private @Nullable SimRun mine;

    @AfterAll
    static void shouldHaveEndedEachRun() {
      assertEquals(LongStream.rangeClosed(1, 20).boxed().toList(), List.copyOf(OVER));
    }

    @BeforeEach
    void before() {
      calls.add("before");
    }

    @AfterEach
    void after() {
      SimRun over = mine;
      if (over != null) {
        assertEquals(List.of("before", "run"), calls);
        OVER.add(over.seed());
      }
    }

    @SimulationTest(seeds = "1..20", threads = 4)
    void shouldShareNoFieldWithAnotherRun(SimRun run) {
      mine = run;
      calls.add("run");
      fields.add(run.seed());
      run.add(2, node -> {});
      run.runUntil(1_000_000);
      assertSame(run, mine);
      assertEquals(List.of(run.seed()), fields);
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
