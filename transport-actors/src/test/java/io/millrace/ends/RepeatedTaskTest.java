package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A task whose turns throw: the task and the thread's handler receive the exception, and further
 * turns follow.
 */
class RepeatedTaskTest {
  private final Queue<Runnable> executor = new ArrayDeque<>();
  private final List<String> told = new ArrayList<>();
  private final List<Throwable> handled = new ArrayList<>();
  private final Error planted = new Error("planted");
  private boolean isRefusing;
  private boolean isFaultThrowing;
  private boolean isWishing;
  private final Task task = new Task(new ExecutorLane(this::execute, 4, 1));

  private final class Task extends RepeatedTask {
    Task(ExecutorLane lane) {
      super(lane);
    }

    void wish() {
      schedule();
    }

    @Override
    protected void onTurn() {
      told.add("turn");
      if (told.size() == 1) {
        schedule();
        throw planted;
      }
    }

    @Override
    protected void onFault(Throwable thrown) {
      assertSame(planted, thrown);
      told.add("fault");
      if (isFaultThrowing) {
        throw new IllegalStateException("and so does this");
      }
    }

    @Override
    protected void onRefused() {
      if (!isWishing) {
        throw planted;
      }
      told.add("refused");
      if (isRefusing) {
        isRefusing = false;
        schedule();
        runExecutor();
        told.add("refused so far");
      }
    }
  }

  private void execute(Runnable task) {
    if (isRefusing) {
      throw new RejectedExecutionException("planted");
    }
    executor.add(task);
  }

  @BeforeEach
  void listen() {
    Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> handled.add(thrown));
  }

  @AfterEach
  void stopListening() {
    Thread.currentThread().setUncaughtExceptionHandler(null);
  }

  private void runExecutor() {
    Runnable next;
    while ((next = executor.poll()) != null) {
      next.run();
    }
  }

  @Test
  void shouldHaveAnotherTurnAfterOneThatThrew() {
    task.wish();
    runExecutor();
    assertEquals(List.of("turn", "fault", "turn"), told);
    assertEquals(List.of(planted), handled);
    task.wish();
    runExecutor();
    assertEquals(List.of("turn", "fault", "turn", "turn"), told);
  }

  @Test
  void shouldHaveAnotherTurnThoughItsEndThrewToo() {
    isFaultThrowing = true;
    task.wish();
    runExecutor();
    assertEquals(List.of("turn", "fault", "turn"), told);
    assertEquals(2, handled.size());
    assertEquals(planted, handled.getLast());
  }

  @Test
  void shouldBeToldWhenWhatItDoesWithARefusalThrows() {
    isRefusing = true;
    task.wish();
    assertEquals(List.of("fault"), told);
    assertEquals(List.of(planted), handled);
  }

  /**
   * The executor takes tasks again during the report of the refusal: no turn runs beside the
   * report.
   */
  @Test
  void shouldHaveNoTurnWhileItIsToldOfARefusal() {
    isRefusing = true;
    isWishing = true;
    task.wish();
    runExecutor();
    assertEquals(List.of("refused", "refused so far", "refused"), told);
    task.wish();
    runExecutor();
    assertEquals("turn", told.getLast());
  }
}
