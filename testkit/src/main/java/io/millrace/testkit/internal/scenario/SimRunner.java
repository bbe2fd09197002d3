package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.TraceHash;
import io.millrace.testkit.internal.oracle.Coverage;
import io.millrace.testkit.internal.patch.PatchAgent;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs a scenario with many seeds on several simulation threads; every run is isolated from all
 * others. Of each 20 runs, and of each batch, at least one run is repeated and must have the same
 * hash. The caller's thread waits and watches that no run takes too long in real time.
 */
public final class SimRunner {
  /** Names the property with the limit of one run, s. */
  public static final String PATIENCE = "millrace.sim.patience";

  private static final int USUAL_PATIENCE_S = 60;
  private static final int REPEATED_EACH = 20;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Scenario scenario;
  private final int threads;
  private Consumer<RunResult> listener = result -> {};
  private Duration patience = usualPatience();

  /**
   * Creates a runner.
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

  /** Calls {@code told} after each run of many, on the thread of the run or the caller's. */
  public SimRunner onRun(Consumer<RunResult> told) {
    listener = told;
    return this;
  }

  /** How long one run may take, real time; zero is for ever. A longer run has failed. */
  public SimRunner patience(Duration most) {
    if (most.isNegative()) {
      throw new IllegalArgumentException("patience must not be less than none: " + most);
    }
    patience = most;
    return this;
  }

  /** The limit of one run without a setting: the property's seconds, else a minute. */
  static Duration usualPatience() {
    return Duration.ofSeconds(Integer.getInteger(PATIENCE, USUAL_PATIENCE_S));
  }

  /**
   * Runs a seed once.
   *
   * @throws InterruptedException if the calling thread is interrupted; this method does not wait
   *     for the run
   */
  public RunResult run(RunSettings settings) throws InterruptedException {
    return watched(settings, watch -> SingleRun.of(scenario, settings, watch, null));
  }

  /**
   * Runs a seed twice, and compares: for the repetition of a failed or a successful run.
   *
   * @return the first run's result; of rule "determinism" if the second run differed
   * @throws InterruptedException if the calling thread is interrupted; this method does not wait
   *     for the run
   */
  public RunResult replay(RunSettings settings) throws InterruptedException {
    return watched(settings, watch -> new RepeatedRun(scenario, settings, watch).twice());
  }

  /** Runs a seed as {@link #replay}, and reports the result as for many runs. */
  public BatchResult replayOne(RunSettings settings) throws InterruptedException {
    Batch batch = new Batch(SeedRange.of(settings.seed()));
    long startNs = System.nanoTime();
    batch.repeated.incrementAndGet();
    RunResult result =
        watched(
            settings,
            watch -> {
              long startCpuNs = THREADS.getCurrentThreadCpuTime();
              RunResult run = new RepeatedRun(scenario, settings, watch).twice();
              batch.cpuNs.addAndGet(THREADS.getCurrentThreadCpuTime() - startCpuNs);
              return run;
            });
    batch.results.set(0, result);
    listener.accept(result);
    return batch.result(System.nanoTime() - startNs);
  }

  /**
   * Runs the scenario with each of these seeds. After a run that takes too long, no further run
   * begins.
   *
   * @throws InterruptedException if the calling thread is interrupted, naming the runs under way;
   *     this method does not wait for these runs
   */
  public BatchResult run(SeedRange seeds) throws InterruptedException {
    Batch batch = new Batch(seeds);
    long startNs = System.nanoTime();
    WatchedThreads.run(threads, patience, batch::work, batch::onAbandoned);
    return batch.result(System.nanoTime() - startNs);
  }

  private RunResult watched(RunSettings settings, Function<RunWatch, RunResult> task)
      throws InterruptedException {
    AtomicReference<@Nullable RunResult> result = new AtomicReference<>();
    WatchedThreads.run(
        1,
        patience,
        watch -> result.compareAndSet(null, task.apply(watch)),
        (late, violation) -> result.set(RunResult.abandoned(settings, violation)));
    return Objects.requireNonNull(result.get(), "the result of a run");
  }

  /** The runs of a range of seeds; shared by the threads. */
  private final class Batch {
    private final SeedRange seeds;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger repeated = new AtomicInteger();
    private final AtomicReferenceArray<@Nullable RunResult> results;
    private final AtomicLong cpuNs = new AtomicLong();

    private Batch(SeedRange seeds) {
      this.seeds = seeds;
      results = new AtomicReferenceArray<>(seeds.count());
    }

    /** Takes seeds until the range is used up. */
    private void work(RunWatch watch) {
      long startNs = THREADS.getCurrentThreadCpuTime();
      while (!watch.isStopped()) {
        int i = next.getAndIncrement();
        if (i >= seeds.count()) {
          break;
        }
        RunSettings settings = RunSettings.of(seeds.first() + i);
        RunResult result = SingleRun.of(scenario, settings, watch, null);
        if (isRepeated(i) && !watch.isStopped()) {
          repeated.incrementAndGet();
          result = new RepeatedRun(scenario, settings, watch).again(result);
        }
        if (results.compareAndSet(i, null, result)) {
          listener.accept(result);
        }
      }
      cpuNs.addAndGet(THREADS.getCurrentThreadCpuTime() - startNs);
    }

    /** Whether run {@code i} is repeated: the last run of a small batch, or a run of each 20. */
    private boolean isRepeated(int i) {
      int each = Math.min(REPEATED_EACH, seeds.count());
      return i % each == each - 1;
    }

    private void onAbandoned(RunSettings settings, SimViolation violation) {
      RunResult result = RunResult.abandoned(settings, violation);
      if (results.compareAndSet((int) (settings.seed() - seeds.first()), null, result)) {
        listener.accept(result);
      }
    }

    private BatchResult result(long wallNs) {
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
          seeds, ran, repeated.get(), failures, hash.hex(), totals, coverage, cpuNs.get(), wallNs);
    }
  }
}
