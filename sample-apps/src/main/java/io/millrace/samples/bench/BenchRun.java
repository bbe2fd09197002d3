package io.millrace.samples.bench;

import io.millrace.samples.process.ScratchDirectory;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Starts the processes of all peers and gives them turns: A, B, C, A, B, C and so on, so that
 * whatever else the machine does falls on all of them alike. A turn during which another program
 * took a side's core is repeated, a bounded number of times.
 */
final class BenchRun implements AutoCloseable {
  private static final Path IN_MEMORY = Path.of("/dev/shm");
  private static final long SLICE_MS = 1000;
  private static final double QUIET_JVM_SHARE = 0.05;
  private static final int QUIET_SLICES = 3;
  private static final int LONGEST_WARMUP = 15;
  private static final int REPEATS = 3;

  private final BenchOptions options;
  private final CoreMap cores;
  private final PrintStream progress;
  private final ScratchDirectory scratch;
  private final List<PeerPair> pairs = new ArrayList<>();
  private final Thread cleaner = new Thread(this::end, "bench-cleaner");

  BenchRun(BenchOptions options, CoreMap cores, PrintStream progress) throws IOException {
    this.options = options;
    this.cores = cores;
    this.progress = progress;
    scratch =
        Files.isWritable(IN_MEMORY)
            ? ScratchDirectory.createIn(IN_MEMORY, "millrace-bench")
            : ScratchDirectory.create("millrace-bench");
    Runtime.getRuntime().addShutdownHook(cleaner);
  }

  /** Runs everything; results in the order of workloads, then of peers. */
  List<Measured> run(List<BenchPeer> peers) throws IOException, InterruptedException {
    start(
        peers.stream().filter(peer -> options.workloads().stream().anyMatch(peer::runs)).toList());
    if (options.warmupSeconds() > 0) {
      // many calls at a time first: they bring the compilers soonest to what is worth compiling
      for (Workload workload : options.workloads().reversed()) {
        for (PeerPair pair : pairsOf(workload)) {
          warmUp(workload, pair);
        }
      }
    }
    List<Measured> all = new ArrayList<>();
    for (Workload workload : options.workloads()) {
      all.addAll(measure(workload));
    }
    return all;
  }

  /** The server of the next pair starts while the client of this one does: each has its core. */
  private void start(List<BenchPeer> peers) throws IOException, InterruptedException {
    PeerPair.Launch launch = new PeerPair.Launch(cores, scratch.path(), options.driver());
    PeerPair starting = null;
    for (BenchPeer peer : peers) {
      progress.println("bench: starting " + peer.name());
      PeerPair next = PeerPair.launch(peer, launch);
      addPair(next);
      if (starting != null) {
        starting.connect();
      }
      starting = next;
    }
    if (starting != null) {
      starting.connect();
    }
  }

  /** Until the compilers of both sides have little left to do, slice after slice. */
  private void warmUp(Workload workload, PeerPair pair) throws IOException, InterruptedException {
    long leastNs = (long) (options.warmupSeconds() * TimeUnit.SECONDS.toNanos(1));
    long startNs = System.nanoTime();
    long spentNs = 0;
    int quiet = 0;
    while ((quiet < QUIET_SLICES || spentNs < leastNs) && spentNs < LONGEST_WARMUP * leastNs) {
      Round slice = pair.run(workload, SLICE_MS);
      report(workload, "warm-up", pair, slice);
      quiet = slice.jvmShare() < QUIET_JVM_SHARE && !slice.isDisturbed() ? quiet + 1 : 0;
      spentNs = System.nanoTime() - startNs;
    }
  }

  private List<Measured> measure(Workload workload) throws IOException, InterruptedException {
    List<Measured> measured = new ArrayList<>();
    List<PeerPair> taking = pairsOf(workload);
    for (PeerPair pair : taking) {
      measured.add(new Measured(pair.peer(), workload, new ArrayList<>()));
      if (options.warmupSeconds() > 0) {
        report(workload, "warm-up", pair, pair.run(workload, SLICE_MS));
      }
    }
    for (int number = 1; number <= options.rounds(); number++) {
      String phase = "round " + number + "/" + options.rounds();
      for (int i = 0; i < taking.size(); i++) {
        measured.get(i).rounds().add(undisturbed(workload, phase, taking.get(i)));
      }
    }
    return measured;
  }

  private List<PeerPair> pairsOf(Workload workload) {
    return pairs.stream().filter(pair -> pair.peer().runs(workload)).toList();
  }

  /** One turn; the last attempt counts whatever happened to it. */
  private Round undisturbed(Workload workload, String phase, PeerPair pair)
      throws IOException, InterruptedException {
    long durationMs = Math.round(options.roundSeconds() * 1000);
    Round round = pair.run(workload, durationMs);
    report(workload, phase, pair, round);
    for (int repeat = 0; repeat < REPEATS && round.isDisturbed(); repeat++) {
      round = pair.run(workload, durationMs);
      report(workload, phase + " again", pair, round);
    }
    return round;
  }

  private void report(Workload workload, String phase, PeerPair pair, Round round) {
    Workload.Metric metric = workload.metrics().getFirst();
    progress.printf(
        "bench: %-22s %-15s %-16s %,13.0f %-11s jvm %2.0f %%%s%n",
        workload.label(),
        phase,
        pair.peer().name(),
        metric.of(round.result()),
        metric.unit(),
        round.jvmShare() * 100,
        round.isDisturbed() ? ", disturbed" : "");
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(cleaner);
    } catch (IllegalStateException e) {
      // the JVM is ending; the hook has nothing left to do
    }
  }

  private synchronized void addPair(PeerPair pair) {
    pairs.add(pair);
  }

  private synchronized void end() {
    pairs.forEach(PeerPair::askToEnd);
    pairs.forEach(PeerPair::close);
    pairs.clear();
    try {
      scratch.close();
    } catch (IOException e) {
      progress.println("bench: " + scratch.path() + " could not be removed: " + e.getMessage());
    }
  }
}
