package io.millrace.testkit.internal.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimViolation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs that do not end, or not in time: the report names these runs, and no thread waits for their
 * end.
 */
@Timeout(180)
final class WatchedRunsTest {
  private static final Duration SHORT = Duration.ofMillis(500);

  /** For a run that starts an actor system before it loops. */
  private static final Duration LONGER = Duration.ofSeconds(4);

  private final CountDownLatch begun = new CountDownLatch(1);
  private volatile boolean isReleased;

  @BeforeAll
  static void loadWhatARunNeeds() throws Exception {
    Scenario scenario = run -> run.add(1, node -> {});
    assertNull(new SimRunner(scenario, 1).run(RunSettings.of(1)).violation());
  }

  @AfterEach
  void release() {
    isReleased = true;
  }

  /** A program of an application with a loop inside an event. */
  private void loopForEver() {
    begun.countDown();
    while (!isReleased) {
      Thread.onSpinWait();
    }
  }

  private Scenario endlessProgram() {
    return run -> {
      run.runUntil(5_000);
      run.add(1, node -> loopForEver());
      run.runUntil(1_000_000);
    };
  }

  private Scenario endlessStep() {
    return run -> {
      run.at(5_000, "loops", this::loopForEver);
      run.runUntil(1_000_000);
    };
  }

  private static SimViolation violation(RunResult result) {
    SimViolation violation = result.violation();
    assertNotNull(violation);
    return violation;
  }

  @Test
  void shouldNameARunThatLoopsInsideOneEventAndWhereItIs() throws Exception {
    SimRunner runner = new SimRunner(endlessProgram(), 1).patience(LONGER);
    SimViolation violation = violation(runner.replay(RunSettings.of(7)));
    assertEquals("real time", violation.rule());
    assertEquals(7, violation.seed());
    assertEquals(5_000, violation.timeNs());
    String message = String.valueOf(violation.getMessage());
    String late = "the run was ended after " + LONGER.toMillis() + " ms of real time";
    assertTrue(message.contains(late), message);
    assertTrue(message.contains("-Dmillrace.sim.patience=SECONDS"), message);
    assertTrue(message.contains("; its thread is\n    at "), message);
    assertTrue(message.contains("WatchedRunsTest.loopForEver("), message);
  }

  @Test
  void shouldBeginNoMoreRunsAfterOneThatDoesNotEnd() throws Exception {
    BatchResult batch =
        new SimRunner(endlessStep(), 2).patience(SHORT).run(SeedRange.parse("1..500"));
    assertTrue(batch.ran() <= 2, batch.ran() + " of them were begun by two threads");
    assertEquals(batch.ran(), batch.failures().size());
    assertEquals("real time", violation(batch.failures().getFirst()).rule());
  }

  private void goOn(FullRun run) {
    if (!isReleased) {
      run.simulation().at(run.simulation().nowNs() + 1, () -> goOn(run));
    }
  }

  @Test
  void shouldEndARunThatHasEventsForEverAndKeepItsThread() throws Exception {
    Thread[] threads = new Thread[1];
    Scenario endless =
        run -> {
          threads[0] = Thread.currentThread();
          goOn(run);
          run.runUntil(Long.MAX_VALUE);
        };
    RunResult result = new SimRunner(endless, 1).patience(SHORT).run(RunSettings.of(3));
    assertEquals("real time", violation(result).rule());
    assertTrue(result.counts().events() > 0);
    assertEquals(32, result.traceHash().length());
    threads[0].join();
  }

  @Test
  void shouldNotWaitForRunsWhenInterruptedAndNameThem() throws Exception {
    AtomicReference<InterruptedException> thrown = new AtomicReference<>();
    SimRunner runner = new SimRunner(endlessStep(), 1).patience(Duration.ZERO);
    Thread caller =
        new Thread(
            () -> {
              try {
                runner.run(SeedRange.parse("8..9"));
              } catch (InterruptedException e) {
                thrown.set(e);
              }
            });
    caller.start();
    begun.await();
    caller.interrupt();
    caller.join();
    assertEquals("while simulations ran: seed 8 at 5000 ns", thrown.get().getMessage());
    StackTraceElement[] where = thrown.get().getSuppressed()[0].getStackTrace();
    assertTrue(
        Stream.of(where).anyMatch(frame -> frame.getMethodName().equals("loopForEver")),
        () -> List.of(where).toString());
  }

  @Test
  void shouldChangeNothingOfARunThatIsInTime() throws Exception {
    SeedRange seeds = SeedRange.parse("1..10");
    BatchResult watched = new SimRunner(new PlantedBug(), 2).run(seeds);
    BatchResult alone = new SimRunner(new PlantedBug(), 2).patience(Duration.ZERO).run(seeds);
    assertEquals(alone.traceHash(), watched.traceHash());
    assertFalse(watched.totals().events() == 0);
  }
}
