package io.millrace.samples.bench;

import io.millrace.samples.bench.peer.BenchPeer;
import io.millrace.samples.bench.peer.Workload;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Gives turns to the peers of a run: A, B, C, A, B, C and so on, so that all peers suffer alike
 * from other work of the machine. A turn during which another program took a side's core is
 * repeated, a bounded number of times and as the {@link BenchBudget} allows. Each peer gets a round
 * of each workload, however late the round is. Time comes from {@code clock}, in ns.
 */
final class BenchTurns {
  private static final long SLICE_MS = 1000;
  private static final double QUIET_JVM_SHARE = 0.05;
  private static final int QUIET_SLICES = 3;
  private static final int LONGEST_WARMUP = 15;
  private static final int REPEATS = 3;

  /** The planned time for the start of a peer's processes. */
  private static final long START_MS = 3000;

  /** The planned time around each turn. */
  private static final long AROUND_TURN_MS = 100;

  /** Compilers are quiet after about this many times the least warm-up. */
  private static final int USUAL_WARMUP = 2;

  private final BenchOptions options;
  private final LongSupplier clock;
  private final PrintStream progress;
  private final BenchBudget budget;
  private final long startNs;
  private final long leastWarmUpNs;
  private final long roundMs;
  private int repeats;
  private boolean isOutOfTime;

  /** A peer that works on command. */
  interface Taker {
    /** The peer. */
    BenchPeer peer();

    /** Lets the peer work for a duration. */
    Round run(Workload workload, long durationMs) throws IOException, InterruptedException;
  }

  /**
   * The result of a run.
   *
   * @param measured the rounds, in the order of workloads, then of peers
   * @param plannedRounds the planned number of rounds of each peer in each workload
   * @param repeats the number of additional attempts at disturbed rounds
   * @param announcedNs the announced duration of the run
   * @param tookNs the actual duration of the run
   * @param isOutOfTime whether lack of time prevented a round, or the repeat of a disturbed round
   */
  record Outcome(
      List<Measured> measured,
      int plannedRounds,
      int repeats,
      long announcedNs,
      long tookNs,
      boolean isOutOfTime) {
    /** Rounds of the plan, of all peers. */
    int planned() {
      return plannedRounds * measured.size();
    }

    /** The number of undisturbed rounds. */
    long clean() {
      return measured.stream().mapToLong(Measured::clean).sum();
    }

    /** The number of rounds whose every attempt was disturbed. */
    long disturbed() {
      return run() - clean();
    }

    /** The number of rounds that were left out. */
    long notRun() {
      return planned() - run();
    }

    private long run() {
      return measured.stream().mapToLong(m -> m.rounds().size()).sum();
    }
  }

  /** A run that begins, whose peers have not been started yet. */
  BenchTurns(
      BenchOptions options, List<BenchPeer> peers, LongSupplier clock, PrintStream progress) {
    this.options = options;
    this.clock = clock;
    this.progress = progress;
    startNs = clock.getAsLong();
    leastWarmUpNs = (long) (options.warmupSeconds() * TimeUnit.SECONDS.toNanos(1));
    roundMs = Math.round(options.roundSeconds() * 1000);
    long starts = peers.stream().filter(this::takesPart).count();
    long pairs = options.workloads().stream().mapToLong(w -> count(peers, w)).sum();
    budget =
        new BenchBudget(
            starts * ns(START_MS) + pairs * plannedWarmUpNs(),
            pairs * (settlingNs() + options.rounds() * plannedRoundNs()),
            startNs);
    announce("");
  }

  private void announce(String why) {
    progress.printf(
        "bench: %sabout %s; at most %s if the machine is disturbed%n",
        why,
        BenchBudget.text(budget.announcedNs()),
        BenchBudget.text(BenchBudget.MOST * budget.announcedNs()));
  }

  private boolean takesPart(BenchPeer peer) {
    return options.workloads().stream().anyMatch(peer::runs);
  }

  private static long count(List<BenchPeer> peers, Workload workload) {
    return peers.stream().filter(peer -> peer.runs(workload)).count();
  }

  private static long ns(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private long plannedRoundNs() {
    return ns(roundMs + AROUND_TURN_MS);
  }

  private long plannedWarmUpNs() {
    return leastWarmUpNs == 0 ? 0 : USUAL_WARMUP * Math.max(leastWarmUpNs, ns(SLICE_MS));
  }

  /** The planned time of the slice ahead of the rounds of a workload. */
  private long settlingNs() {
    return leastWarmUpNs > 0 ? ns(SLICE_MS + AROUND_TURN_MS) : 0;
  }

  /** Runs the whole plan with started peers. */
  Outcome run(List<? extends Taker> takers) throws IOException, InterruptedException {
    long nowNs = clock.getAsLong();
    if (budget.onStarted(takers.size() * ns(START_MS), nowNs)) {
      announce("the processes took " + BenchBudget.text(nowNs - startNs) + " to start; in all ");
    }
    if (leastWarmUpNs > 0) {
      // workloads with many parallel calls first: these lead the compilers soonest to the hot code
      for (Workload workload : options.workloads().reversed()) {
        for (Taker taker : of(takers, workload)) {
          warmUp(workload, taker);
        }
      }
    }
    budget.onRoundsStart(clock.getAsLong());
    List<Measured> all = new ArrayList<>();
    for (Workload workload : options.workloads()) {
      all.addAll(measure(workload, of(takers, workload)));
    }
    return new Outcome(
        all,
        options.rounds(),
        repeats,
        budget.announcedNs(),
        clock.getAsLong() - startNs,
        isOutOfTime);
  }

  private static List<? extends Taker> of(List<? extends Taker> takers, Workload workload) {
    return takers.stream().filter(taker -> taker.peer().runs(workload)).toList();
  }

  /** Warms up, slice after slice, until the compilers of both sides have little left to do. */
  private void warmUp(Workload workload, Taker taker) throws IOException, InterruptedException {
    budget.onAhead(plannedWarmUpNs());
    long beganNs = clock.getAsLong();
    long spentNs = 0;
    int quiet = 0;
    while (spentNs < leastWarmUpNs
        || quiet < QUIET_SLICES
            && spentNs < LONGEST_WARMUP * leastWarmUpNs
            && (spentNs < plannedWarmUpNs() || budget.mayWarmUp(ns(SLICE_MS), clock.getAsLong()))) {
      Round slice = taker.run(workload, SLICE_MS);
      report(workload, "warm-up", taker, slice);
      quiet = slice.jvmShare() < QUIET_JVM_SHARE && !slice.isDisturbed() ? quiet + 1 : 0;
      spentNs = clock.getAsLong() - beganNs;
    }
  }

  private List<Measured> measure(Workload workload, List<? extends Taker> takers)
      throws IOException, InterruptedException {
    List<Measured> measured = new ArrayList<>();
    for (Taker taker : takers) {
      measured.add(new Measured(taker.peer(), workload, new ArrayList<>()));
      if (leastWarmUpNs > 0 && budget.mayRun(settlingNs(), clock.getAsLong())) {
        long beganNs = clock.getAsLong();
        report(workload, "warm-up", taker, taker.run(workload, SLICE_MS));
        budget.onRun(settlingNs(), clock.getAsLong() - beganNs);
      } else {
        budget.onLeftOut(settlingNs());
      }
    }
    long turnsNs = takers.size() * plannedRoundNs();
    for (int number = 1; number <= options.rounds(); number++) {
      if (number > 1 && !budget.mayRun(turnsNs, clock.getAsLong())) {
        isOutOfTime = true;
        budget.onLeftOut(turnsNs);
        continue;
      }
      String phase = "round " + number + "/" + options.rounds();
      for (int i = 0; i < takers.size(); i++) {
        measured.get(i).rounds().add(undisturbed(workload, phase, takers.get(i)));
      }
    }
    return measured;
  }

  /** Runs one turn; the last attempt counts, disturbed or not. */
  private Round undisturbed(Workload workload, String phase, Taker taker)
      throws IOException, InterruptedException {
    long beganNs = clock.getAsLong();
    Round round = taker.run(workload, roundMs);
    report(workload, phase, taker, round);
    budget.onRun(plannedRoundNs(), clock.getAsLong() - beganNs);
    for (int repeat = 0; repeat < REPEATS && round.isDisturbed(); repeat++) {
      if (!budget.mayRepeat(plannedRoundNs(), clock.getAsLong())) {
        isOutOfTime = true;
        break;
      }
      repeats++;
      round = taker.run(workload, roundMs);
      report(workload, phase + " again", taker, round);
    }
    return round;
  }

  private void report(Workload workload, String phase, Taker taker, Round round) {
    Workload.Metric metric = workload.metrics().getFirst();
    progress.printf(
        "bench: %-22s %-15s %-16s %,13.0f %-11s jvm %2.0f %%%s%n",
        workload.label(),
        phase,
        taker.peer().name(),
        metric.of(round.result()),
        metric.unit(),
        round.jvmShare() * 100,
        round.isDisturbed() ? ", disturbed" : "");
  }
}
