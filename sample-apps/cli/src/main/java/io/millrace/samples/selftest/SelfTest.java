package io.millrace.samples.selftest;

import io.millrace.driver.DriverProvider;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs all checks on a driver within a limited time. The checks run on a thread of their own: a
 * call into the library that never returns ends the self-test with a failed check.
 */
public final class SelfTest {
  private final DriverProvider driver;
  private final InetSocketAddress bind;
  private final Times times;
  private final Consumer<String> progress;
  private final Map<Check, Finding> findings = new EnumMap<>(Check.class);
  private @Nullable Check current;
  private boolean isOver;

  private SelfTest(
      DriverProvider driver, InetSocketAddress bind, Times times, Consumer<String> progress) {
    this.driver = driver;
    this.bind = bind;
    this.times = times;
    this.progress = progress;
  }

  /**
   * The times of a self-test.
   *
   * @param limit the time limit of all checks together
   * @param answer the time limit of a message or a write
   * @param rate how long each rate is measured
   */
  public record Times(Duration limit, Duration answer, Duration rate) {}

  /**
   * Runs the checks.
   *
   * @param driver the driver, which may be unavailable here
   * @param bind the local address of the endpoints, with port 0
   * @param times the times of the self-test
   * @param progress receives the name of each check before the check runs, on another thread: a
   *     library may end the process
   * @return a finding for each check, in order
   * @throws InterruptedException if the calling thread is interrupted; the running check goes on
   */
  public static List<Finding> run(
      DriverProvider driver, InetSocketAddress bind, Times times, Consumer<String> progress)
      throws InterruptedException {
    SelfTest test = new SelfTest(driver, bind, times, progress);
    Thread thread = Thread.ofPlatform().name("self-test").daemon().start(test::runAll);
    try {
      thread.join(times.limit());
    } finally {
      test.end();
    }
    return test.result(
        "did not end within the " + times.limit().toSeconds() + " s of the self-test");
  }

  private void runAll() {
    SelfTestSteps.run(driver, bind, times, this::run);
  }

  /** Runs one check, unless a check before has failed that this check needs. */
  private void run(Check check, SelfTestSteps.Step step) {
    Check needed = check.needed();
    if (needed != null && statusOf(needed) != Finding.Status.OK) {
      record(Finding.skipped(check, "needs '" + needed.label() + "'"));
      return;
    }
    if (!begin(check)) {
      return;
    }
    progress.accept(check.label());
    record(outcome(check, step));
  }

  private static Finding outcome(Check check, SelfTestSteps.Step step) {
    try {
      return step.run();
    } catch (Exception | LinkageError | OutOfMemoryError e) {
      String message = e.getMessage();
      return Finding.failed(
          check, message == null ? e.getClass().getSimpleName() : message.replace('\n', ' '));
    }
  }

  private synchronized Finding.@Nullable Status statusOf(Check check) {
    Finding finding = findings.get(check);
    return finding == null ? null : finding.status();
  }

  private synchronized boolean begin(Check check) {
    current = check;
    return !isOver;
  }

  private synchronized void record(Finding finding) {
    if (!isOver) {
      findings.put(finding.check(), finding);
      current = null;
    }
  }

  private synchronized void end() {
    isOver = true;
  }

  private synchronized List<Finding> result(String reason) {
    List<Finding> all = new ArrayList<>();
    for (Check check : Check.values()) {
      Finding missing =
          check == current
              ? Finding.failed(check, reason)
              : Finding.skipped(check, "the self-test ended before");
      all.add(findings.getOrDefault(check, missing));
    }
    return all;
  }
}
