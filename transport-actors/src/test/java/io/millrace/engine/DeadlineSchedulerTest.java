package io.millrace.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.Scheduler;
import org.apache.pekko.actor.SchedulerException;
import org.apache.pekko.event.NoLogging;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.concurrent.ExecutionContext;

@Timeout(30)
class DeadlineSchedulerTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<Thread> threads = new ArrayList<>();
  private final DeadlineScheduler scheduler =
      new DeadlineScheduler(
          ConfigFactory.empty(),
          NoLogging.getInstance(),
          task -> {
            Thread thread = new Thread(task, "timers");
            threads.add(thread);
            return thread;
          });
  private final BlockingQueue<Runnable> given = new LinkedBlockingQueue<>();
  private final AtomicInteger runs = new AtomicInteger();
  private final ExecutionContext executor =
      new ExecutionContext() {
        @Override
        public void execute(Runnable task) {
          given.add(task);
        }

        @Override
        public void reportFailure(Throwable cause) {
          throw new AssertionError(cause);
        }
      };

  /** A dispatcher's own end, for example. */
  private static final class Last implements Scheduler.TaskRunOnClose {
    private final AtomicInteger runs;

    private Last(AtomicInteger runs) {
      this.runs = runs;
    }

    @Override
    public void run() {
      runs.incrementAndGet();
    }
  }

  @AfterEach
  void close() {
    scheduler.close();
  }

  private void runNext() throws InterruptedException {
    Runnable next = given.poll(20, TimeUnit.SECONDS);
    assertTrue(next != null, "no timer fired");
    next.run();
  }

  @Test
  void shouldHaveNoThreadBeforeTheFirstTimer() throws InterruptedException {
    assertEquals(0, threads.size());
    scheduler.scheduleOnce(Duration.ofNanos(1), runs::incrementAndGet, executor);
    runNext();
    assertEquals(1, threads.size());
  }

  /** The thread waits for the first deadline, and does not look at intervals. */
  @Test
  void shouldFireInTheOrderOfDeadlinesAndNeverEarly() throws InterruptedException {
    List<String> order = new ArrayList<>();
    long startNs = System.nanoTime();
    scheduler.scheduleOnce(HOUR, () -> order.add("never"), executor);
    scheduler.scheduleOnce(Duration.ofMillis(40), () -> order.add("late"), executor);
    scheduler.scheduleOnce(Duration.ofMillis(20), () -> order.add("early"), executor);
    runNext();
    runNext();
    assertEquals(List.of("early", "late"), order);
    assertTrue(System.nanoTime() - startNs >= TimeUnit.MILLISECONDS.toNanos(40));
  }

  @Test
  void shouldRepeatUntilCancelled() throws InterruptedException {
    Cancellable timer =
        scheduler.scheduleAtFixedRate(
            Duration.ZERO, Duration.ofNanos(10), runs::incrementAndGet, executor);
    runNext();
    runNext();
    Runnable third = given.take();
    assertTrue(timer.cancel());
    assertTrue(timer.isCancelled());
    assertFalse(timer.cancel());
    third.run();
    assertEquals(2, runs.get());
  }

  @Test
  void shouldRepeatAfterADelay() throws InterruptedException {
    Cancellable timer =
        scheduler.scheduleWithFixedDelay(
            Duration.ZERO, Duration.ofNanos(10), runs::incrementAndGet, executor);
    runNext();
    runNext();
    assertTrue(timer.cancel());
    assertEquals(2, runs.get());
  }

  @Test
  void shouldNotRunWhatWasCancelledNorCancelWhatRan() throws InterruptedException {
    Cancellable cancelled = scheduler.scheduleOnce(HOUR, runs::incrementAndGet, executor);
    assertTrue(cancelled.cancel());
    Cancellable ran = scheduler.scheduleOnce(Duration.ZERO, runs::incrementAndGet, executor);
    runNext();
    assertFalse(ran.cancel());
    assertFalse(ran.isCancelled());
    assertEquals(1, runs.get());
  }

  /** The task's executor gets the report of the task's own failure, as of any failure. */
  @Test
  void shouldEndARepeatedTaskThatThrowsAndTellWhy() throws InterruptedException {
    Cancellable timer =
        scheduler.scheduleAtFixedRate(
            Duration.ZERO,
            Duration.ofNanos(10),
            () -> {
              throw new IllegalStateException("its own");
            },
            executor);
    Runnable first = given.take();
    assertThrows(IllegalStateException.class, first::run);
    assertFalse(timer.cancel());
  }

  @Test
  void shouldRunTheTasksOfTheEndWhenClosedAndRefuseNewOnes() {
    Last last = new Last(runs);
    scheduler.scheduleOnce(HOUR, last, executor);
    scheduler.scheduleOnce(HOUR, last, executor).cancel();
    scheduler.scheduleOnce(HOUR, () -> runs.addAndGet(100), executor);
    scheduler.close();
    scheduler.close();
    assertEquals(1, runs.get());
    IllegalStateException refusal =
        assertThrows(
            IllegalStateException.class, () -> scheduler.scheduleOnce(HOUR, last, executor));
    // Pekko's repeated timers recognise the end by this cause, and do not log an error.
    assertInstanceOf(SchedulerException.class, refusal.getCause());
    assertEquals(1, runs.get());
  }

  @Test
  void shouldReportAnExecutorThatRefuses() throws InterruptedException {
    BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
    ExecutionContext ended =
        new ExecutionContext() {
          @Override
          public void execute(Runnable task) {
            throw new IllegalStateException("ended");
          }

          @Override
          public void reportFailure(Throwable cause) {
            told.add(cause);
          }
        };
    scheduler.scheduleOnce(Duration.ZERO, runs::incrementAndGet, ended);
    assertTrue(told.poll(20, TimeUnit.SECONDS) instanceof IllegalStateException);
    assertEquals(0, runs.get());
  }
}
