package io.millrace.testkit.internal.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.sim.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class SimulationTest {
  private static void simulate(long seed, Consumer<Simulation> scenario) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed, new SimSettings(1_000, 3, 0))) {
            scenario.accept(simulation);
          }
          return true;
        });
  }

  /** Returns the order of ten events of one instant, posted by two entities in turns. */
  private static List<Integer> order(long seed, int fromFirst) throws Exception {
    List<Integer> order = new ArrayList<>();
    simulate(
        seed,
        simulation -> {
          VirtualTime first = simulation.newTime("test", 1);
          VirtualTime second = simulation.newTime("test", 2);
          for (int i = 0; i < 10; i++) {
            int event = i;
            if (i < fromFirst) {
              first.at(5, () -> order.add(100 + event));
            }
            second.at(5, () -> order.add(event));
          }
          simulation.runUntil(5);
        });
    return order;
  }

  @Test
  void shouldRunEventsInTheOrderOfTime() throws Exception {
    List<Long> times = new ArrayList<>();
    simulate(
        1,
        simulation -> {
          for (int i = 0; i < 1_000; i++) {
            simulation.at(i * 7_919L % 1_000, () -> times.add(simulation.nowNs()));
          }
          simulation.runUntil(499);
          assertEquals(500, times.size());
          assertEquals(499, simulation.nowNs());
          assertTrue(simulation.runUntilQuiescent(10_000));
        });
    assertEquals(1_000, times.size());
    for (int i = 0; i < times.size(); i++) {
      assertEquals(i, times.get(i));
    }
  }

  @Test
  void shouldDrawTheOrderOfOneInstantFromTheSeed() throws Exception {
    assertEquals(order(1, 10), order(1, 10));
    assertNotEquals(order(1, 10), order(2, 10));
  }

  @Test
  void shouldKeepTheOrderOfAnEntityWhateverOthersDo() throws Exception {
    List<Integer> with = new ArrayList<>(order(1, 10));
    with.removeIf(event -> event >= 100);
    assertEquals(order(1, 0), with);
  }

  @Test
  void shouldPutPastEventsNow() throws Exception {
    simulate(
        1,
        simulation -> {
          simulation.runUntil(100);
          List<Long> times = new ArrayList<>();
          simulation.at(50, () -> times.add(simulation.nowNs()));
          simulation.runUntil(100);
          assertEquals(List.of(100L), times);
        });
  }

  @Test
  void shouldCallManyEventsAtOneInstantALivelock() throws Exception {
    simulate(
        1,
        simulation -> {
          simulation.at(1, new Again(simulation));
          SimViolation violation = assertThrows(SimViolation.class, () -> simulation.runUntil(100));
          assertEquals("livelock", violation.rule());
          assertEquals(1, violation.timeNs());
          assertEquals(1, violation.seed());
        });
  }

  private record Again(Simulation simulation) implements Runnable {
    @Override
    public void run() {
      simulation.at(simulation.nowNs(), this);
    }
  }

  @Test
  void shouldRefuseOtherThreadsAndRememberThem() throws Exception {
    simulate(
        1,
        simulation -> {
          AtomicReference<Throwable> refusal = new AtomicReference<>();
          Thread stray = new Thread(() -> simulation.at(1, () -> {}), "stray");
          stray.setUncaughtExceptionHandler((thread, failure) -> refusal.set(failure));
          stray.start();
          try {
            stray.join();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          assertTrue(refusal.get() instanceof IllegalStateException);
          SimViolation violation = assertThrows(SimViolation.class, () -> simulation.runUntil(1));
          assertEquals("confinement", violation.rule());
        });
  }

  @Test
  void shouldLetTimePassInsideAnEventThatWaits() throws Exception {
    simulate(
        1,
        simulation -> {
          List<String> seen = new ArrayList<>();
          simulation.at(20, () -> seen.add("inner"));
          simulation.at(
              10,
              () -> {
                assertTrue(simulation.runUntil(() -> seen.contains("inner"), 100));
                seen.add("outer at " + simulation.nowNs());
              });
          simulation.runUntil(50);
          assertEquals(List.of("inner", "outer at 20"), seen);
        });
  }

  @Test
  void shouldEndAWaitAtItsDeadline() throws Exception {
    simulate(
        1,
        simulation -> {
          assertFalse(simulation.runUntil(() -> false, 70));
          assertEquals(70, simulation.nowNs());
        });
  }

  @Test
  void shouldBoundWaitsInsideOneAnother() throws Exception {
    simulate(
        1,
        simulation -> {
          for (int i = 0; i < 10; i++) {
            simulation.at(i, () -> simulation.runUntil(() -> false, 1_000));
          }
          SimViolation violation =
              assertThrows(SimViolation.class, () -> simulation.runUntil(2_000));
          assertEquals("nested waits", violation.rule());
        });
  }

  @Test
  void shouldMakeAnEscapedExceptionAViolation() throws Exception {
    simulate(
        1,
        simulation -> {
          IllegalStateException cause = new IllegalStateException("planted");
          simulation.at(
              3,
              () -> {
                throw cause;
              });
          SimViolation violation = assertThrows(SimViolation.class, () -> simulation.runUntil(9));
          assertEquals("escaped exception", violation.rule());
          assertEquals(cause, violation.getCause());
          assertEquals(3, simulation.nowNs());
        });
  }

  @Test
  void shouldCloseInReverse() throws Exception {
    List<Integer> closed = new ArrayList<>();
    simulate(
        1,
        simulation -> {
          simulation.onClose(() -> closed.add(1));
          simulation.onClose(() -> closed.add(2));
        });
    assertEquals(List.of(2, 1), closed);
  }
}
