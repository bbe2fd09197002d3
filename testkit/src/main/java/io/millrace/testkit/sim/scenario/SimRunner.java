package io.millrace.testkit.sim.scenario;

import io.millrace.testkit.sim.core.SimThread;
import io.millrace.testkit.sim.core.SimViolation;
import io.millrace.testkit.sim.core.TraceHash;
import io.millrace.testkit.sim.oracle.Coverage;
import io.millrace.testkit.sim.patch.PatchAgent;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * Runs a scenario with many seeds on several simulation threads; every run is isolated from all
 * others. One run of 20 is run a second time, and must have the same hash. The caller's thread only
 * waits.
 */
public final class SimRunner {
  private static final int REPEATED_EACH = 20;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Scenario scenario;
  private final int threads;
  private Consumer<RunResult> listener = result -> {};

  /**
   * A runner.
   *
   * @param threads simulation threads; at least 1
   * @throws IllegalStateException if this JVM runs without the simulator's agent
   */
  public SimRunner(Scenario scenario, int threads) {
    PatchAgent.requireInstalled();
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1, not " + threads);
    }
    this.scenario = scenario;
    this.threads = threads;
  }

  /** Calls {@code told} after each run, on the thread of the run. */
  public SimRunner onRun(Consumer<RunResult> told) {
    listener = told;
    return this;
  }

  /** Runs it once. */
  public RunResult run(RunSettings settings) throws InterruptedException {
    return onSimThread(() -> SingleRun.of(scenario, settings));
  }

  /** Runs it once, and says how that went as for many. */
  public BatchResult runOne(RunSettings settings) throws InterruptedException {
    long startNs = System.nanoTime();
    return onSimThread(
        () -> {
          long startCpuNs = THREADS.getCurrentThreadCpuTime();
          Batch batch = new Batch(SeedRange.of(settings.seed()));
          batch.results.set(0, SingleRun.of(scenario, settings));
          return batch.result(
              THREADS.getCurrentThreadCpuTime() - startCpuNs, System.nanoTime() - startNs);
        });
  }

  /**
   * Runs it with each of these seeds.
   *
   * @throws InterruptedException if the calling thread is interrupted; runs under way end first
   */
  public BatchResult run(SeedRange seeds) throws InterruptedException {
    Batch batch = new Batch(seeds);
    long startNs = System.nanoTime();
    try (ExecutorService starters = Executors.newFixedThreadPool(threads)) {
      List<Future<Long>> cpuNs = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        cpuNs.add(starters.submit(() -> SimThread.call(batch::work)));
      }
      long sumNs = 0;
      for (Future<Long> each : cpuNs) {
        sumNs += await(each, batch);
      }
      return batch.result(sumNs, System.nanoTime() - startNs);
    }
  }

  private static long await(Future<Long> cpuNs, Batch batch) throws InterruptedException {
    try {
      return cpuNs.get();
    } catch (InterruptedException e) {
      batch.stop();
      throw e;
    } catch (ExecutionException e) {
      batch.stop();
      throw new IllegalStateException("a simulation thread failed", e.getCause());
    }
  }

  private static <T> T onSimThread(Callable<T> task) throws InterruptedException {
    try {
      return SimThread.call(task);
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("a run threw what it declares not to", e);
    }
  }

  /** The runs of one range of seeds; shared by the threads. */
  private final class Batch {
    private final SeedRange seeds;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger repeated = new AtomicInteger();
    private final AtomicReferenceArray<RunResult> results;
    private volatile boolean isStopped;

    private Batch(SeedRange seeds) {
      this.seeds = seeds;
      results = new AtomicReferenceArray<>(seeds.count());
    }

    private void stop() {
      isStopped = true;
    }

    /** Takes seeds until there are none; the processor time that it took. */
    private long work() {
      long startNs = THREADS.getCurrentThreadCpuTime();
      for (int i = next.getAndIncrement(); i < seeds.count(); i = next.getAndIncrement()) {
        if (isStopped) {
          break;
        }
        RunSettings settings = RunSettings.of(seeds.first() + i);
        RunResult result = SingleRun.of(scenario, settings);
        if (i % REPEATED_EACH == REPEATED_EACH - 1) {
          repeated.incrementAndGet();
          result = compared(result, SingleRun.of(scenario, settings));
        }
        results.set(i, result);
        listener.accept(result);
      }
      return THREADS.getCurrentThreadCpuTime() - startNs;
    }

    private RunResult compared(RunResult first, RunResult second) {
      if (first.traceHash().equals(second.traceHash())) {
        return first;
      }
      String detail = "hashes " + first.traceHash() + " and " + second.traceHash();
      SimViolation violation =
          new SimViolation(first.seed(), first.virtualNs(), "determinism", detail, null);
      return first.withViolation(violation);
    }

    private BatchResult result(long cpuNs, long wallNs) {
      List<RunResult> failures = new ArrayList<>();
      BatchResult.Totals totals = BatchResult.Totals.NONE;
      Coverage coverage = new Coverage();
      TraceHash hash = new TraceHash();
      int ran = 0;
      for (int i = 0; i < results.length(); i++) {
        RunResult result = results.get(i);
        if (result != null) {
          ran++;
          totals = totals.plus(result);
          coverage.merge(result.coverage());
          hash.add(result.traceHash());
          if (result.isFailed()) {
            failures.add(result);
          }
        }
      }
      return new BatchResult(
          seeds, ran, repeated.get(), failures, hash.hex(), totals, coverage, cpuNs, wallNs);
    }
  }
}
