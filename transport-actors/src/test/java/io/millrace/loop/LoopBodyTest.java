package io.millrace.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoopBodyTest {
  private static final int TASKS_PER_TURN = 4;

  private final List<String> trace = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private final RecordingCycle cycle = new RecordingCycle();
  private long nowNs = 1_000;
  private int wakeUps;
  private final LoopBody loop =
      new LoopBody(
          "loop",
          new LoopLimits(8, TASKS_PER_TURN),
          () -> nowNs,
          () -> wakeUps++,
          (thread, failure) -> failures.add(failure));

  @BeforeEach
  void enter() {
    loop.enter();
  }

  @AfterEach
  void exit() {
    if (loop.inLoop()) {
      loop.exit();
    }
  }

  @Test
  void shouldRunTasksBeforeDutyCycleInEachTurn() {
    loop.register(cycle);
    loop.execute(
        () -> {
          nowNs = 2_000;
          trace.add("task");
        });
    cycle.work =
        now -> {
          trace.add("cycle");
          return 3;
        };

    assertEquals(4, loop.runTurn());
    assertEquals(List.of("task", "cycle"), trace);
    assertEquals(List.of(2_000L), cycle.turnsNs, "the clock is read after the tasks");
    assertEquals(3, loop.runTurn());
    assertEquals(2, loop.counters().iterations());
    assertEquals(1, loop.counters().tasks());
  }

  @Test
  void shouldGiveDutyCycleItsTurnHoweverManyTasksWait() {
    loop.register(cycle);
    loop.execute(() -> resubmit(100));
    for (int turn = 1; turn <= 25; turn++) {
      assertEquals(TASKS_PER_TURN, loop.runTurn());
      assertEquals(turn, cycle.turnsNs.size());
    }
    assertEquals(1, loop.runTurn());
    assertEquals(0, loop.runTurn());
  }

  @Test
  void shouldServeOtherThreadsTasksBesideItsOwn() throws InterruptedException {
    Thread other =
        new Thread(
            () -> {
              for (int i = 0; i < 6; i++) {
                loop.execute(() -> trace.add("other"));
              }
            });
    other.start();
    other.join();
    assertEquals(6, wakeUps);
    loop.execute(() -> resubmit(100));
    assertEquals(2 * TASKS_PER_TURN, loop.runTurn());
    assertEquals(4, trace.size());
    loop.runTurn();
    assertEquals(6, trace.size());
  }

  @Test
  void shouldGoOnWhenTaskThrows() {
    RuntimeException failure = new RuntimeException("planted");
    loop.execute(
        () -> {
          throw failure;
        });
    loop.execute(() -> trace.add("next"));
    assertEquals(2, loop.runTurn());
    assertEquals(List.of("next"), trace);
    assertEquals(List.of(failure), failures);
    assertEquals(1, loop.counters().taskFailures());
  }

  @Test
  void shouldTellCycleWhatItThrewAndCallItAgain() {
    loop.register(cycle);
    RecordingCycle neighbour = new RecordingCycle();
    loop.register(neighbour);
    Error failure = new Error("planted");
    cycle.work =
        now -> {
          throw failure;
        };
    assertEquals(0, loop.runTurn());
    cycle.work = now -> 1;
    assertEquals(1, loop.runTurn());
    assertEquals(List.of(failure), cycle.failures);
    assertEquals(2, neighbour.turnsNs.size());
    assertEquals(1, loop.counters().cycleFailures());
    assertTrue(failures.isEmpty());
  }

  @Test
  void shouldReportBothFailuresWhenCyclesHandlerThrowsToo() {
    RuntimeException first = new RuntimeException("first");
    RuntimeException second = new RuntimeException("second");
    loop.register(new FailingCycle(first, second));
    loop.runTurn();
    assertEquals(List.of(second), failures);
    assertSame(first, second.getSuppressed()[0]);
  }

  @Test
  void shouldNotCallCycleThatWasUnregisteredInTheSameTurn() {
    RecordingCycle remover = new RecordingCycle();
    loop.register(remover);
    loop.register(cycle);
    remover.work =
        now -> {
          loop.unregister(cycle);
          return 0;
        };
    loop.runTurn();
    assertEquals(0, cycle.turnsNs.size());
    assertEquals(1, cycle.closed);
    loop.unregister(cycle);
    assertEquals(1, cycle.closed, "closed once");
  }

  @Test
  void shouldLetCycleUnregisterItself() {
    loop.register(cycle);
    RecordingCycle next = new RecordingCycle();
    loop.register(next);
    cycle.work =
        now -> {
          loop.unregister(cycle);
          return 1;
        };
    assertEquals(1, loop.runTurn());
    assertEquals(0, loop.runTurn());
    assertEquals(1, cycle.turnsNs.size());
    assertEquals(2, next.turnsNs.size());
  }

  @Test
  void shouldRefuseToRegisterTwiceOrFromElsewhere() {
    loop.register(cycle);
    assertThrows(IllegalStateException.class, () -> loop.register(cycle));
    loop.exit();
    RecordingCycle other = new RecordingCycle();
    assertThrows(IllegalStateException.class, () -> loop.register(other));
    assertThrows(IllegalStateException.class, () -> loop.unregister(cycle));
    assertEquals(0, cycle.closed);
  }

  @Test
  void shouldKnowItsWorkAndEarliestDeadline() {
    assertFalse(loop.hasWork());
    assertEquals(DutyCycle.NO_DEADLINE_NS, loop.nextDeadlineNs());
    loop.register(cycle);
    RecordingCycle second = new RecordingCycle();
    loop.register(second);
    assertEquals(DutyCycle.NO_DEADLINE_NS, loop.nextDeadlineNs());
    cycle.deadlineNs = Long.MIN_VALUE + 5; // later than the next deadline: clocks wrap
    second.deadlineNs = Long.MAX_VALUE - 5;
    assertEquals(Long.MAX_VALUE - 5, loop.nextDeadlineNs());
    second.deadlineNs = DutyCycle.NO_DEADLINE_NS;
    assertEquals(Long.MIN_VALUE + 5, loop.nextDeadlineNs());
    second.hasWork = true;
    assertTrue(loop.hasWork());
    second.hasWork = false;
    loop.execute(() -> {});
    assertTrue(loop.hasWork());
  }

  @Test
  void shouldStayAwakeWhenCycleFailsToSayWhatItHas() {
    loop.register(new FailingCycle(new RuntimeException("has"), null));
    assertTrue(loop.hasWork());
    assertEquals(nowNs, loop.nextDeadlineNs());
    assertEquals(2, loop.counters().cycleFailures());
  }

  @Test
  void shouldRunWhatItAcceptedThenCloseCyclesThenRefuse() {
    loop.register(cycle);
    for (int i = 0; i < 3 * TASKS_PER_TURN; i++) {
      loop.execute(() -> trace.add("accepted"));
    }
    loop.execute(() -> assertEquals(0, cycle.closed));
    loop.close();
    assertTrue(loop.isClosing());
    assertThrows(RejectedExecutionException.class, () -> loop.execute(() -> trace.add("late")));
    assertThrows(IllegalStateException.class, () -> loop.register(new RecordingCycle()));
    loop.finish();
    assertTrue(loop.isClosed());
    assertEquals(3 * TASKS_PER_TURN, trace.size());
    assertEquals(1, cycle.closed);
    assertEquals(1, loop.counters().rejections());
    assertTrue(failures.isEmpty());
    loop.finish();
    assertEquals(1, cycle.closed);
  }

  @Test
  void shouldBeCurrentOnlyWhileEntered() {
    assertSame(loop, EventLoop.current());
    LoopBody inner =
        new LoopBody(
            "inner", new LoopLimits(8, 1), () -> 0, LoopWaker.NONE, (thread, failure) -> {});
    inner.enter();
    assertSame(inner, EventLoop.current());
    inner.exit();
    assertSame(loop, EventLoop.current());
    loop.exit();
    assertNull(EventLoop.currentOrNull());
    IllegalStateException refusal = assertThrows(IllegalStateException.class, EventLoop::current);
    assertTrue(refusal.toString().contains("not on an event loop"), refusal.getMessage());
  }

  private void resubmit(int times) {
    if (times > 0) {
      loop.execute(() -> resubmit(times - 1));
    }
  }

  private record FailingCycle(RuntimeException first, @Nullable RuntimeException second)
      implements DutyCycle {
    @Override
    public int doWork(long nowNs) {
      throw first;
    }

    @Override
    public boolean hasWork() {
      throw first;
    }

    @Override
    public long nextDeadlineNs() {
      throw first;
    }

    @Override
    public void onClose() {}

    @Override
    public void onCycleFailed(Throwable cause) {
      if (second != null) {
        throw second;
      }
    }
  }
}
