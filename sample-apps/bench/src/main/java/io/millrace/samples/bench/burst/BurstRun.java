package io.millrace.samples.bench.burst;

import io.millrace.samples.bench.burst.link.PacketLoss;
import io.millrace.samples.bench.burst.link.QueueSample;
import io.millrace.samples.bench.burst.link.QueueSampler;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The rounds of one transport of the comparison, with one shape and size. */
final class BurstRun {
  private static final long LEAD_NS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(5);

  private final BurstOptions options;
  private final Laboratory laboratory;
  private final Path directory;
  private final PrintStream err;

  BurstRun(BurstOptions options, Laboratory laboratory, Path directory, PrintStream err) {
    this.options = options;
    this.laboratory = laboratory;
    this.directory = directory;
    this.err = err;
  }

  /**
   * Runs all rounds in the same processes; if the rounds cannot run, prints a line and returns no
   * row.
   */
  Optional<BurstRow> run(BurstSubject subject, BurstShape shape, int sizeBytes)
      throws InterruptedException {
    String what = what(subject, shape, sizeBytes);
    err.println("burst: " + what + ": starting");
    try {
      laboratory.resetBottleneck();
      Path own =
          Files.createDirectories(
              directory.resolve(subject.name() + "-" + shape.label() + "-" + sizeBytes));
      try (BurstCrowd crowd = BurstCrowd.open(options, laboratory, subject, own, err)) {
        crowd.warmUp();
        crowd.connect(shape);
        BurstRow row = rounds(crowd, subject, shape, sizeBytes, !options.cold);
        crowd.sayFailures();
        return Optional.of(row);
      }
    } catch (IOException e) {
      err.println("bench: " + what + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private String what(BurstSubject subject, BurstShape shape, int sizeBytes) {
    return options.nameOf(shape) + " of " + sizeBytes + " B over " + subject.name();
  }

  /**
   * Runs all rounds in the processes of a crowd, which is connected in this shape.
   *
   * @param hasUncounted whether a round runs first that does not count: the compilers work on new
   *     code meanwhile
   */
  BurstRow rounds(
      BurstCrowd crowd, BurstSubject subject, BurstShape shape, int sizeBytes, boolean hasUncounted)
      throws IOException, InterruptedException {
    if (options.stepLossPercent > 0) {
      PacketLoss.prepare();
    }
    String what = what(subject, shape, sizeBytes);
    List<BurstRound> rounds = new ArrayList<>();
    boolean isGivenUp = false;
    if (hasUncounted) {
      BurstRound first =
          round(crowd, SystemCalls.none(), subject.kind(), sizeBytes, what + ", not counted");
      isGivenUp = first.end().isGivenUp();
      if (isGivenUp) {
        rounds.add(first);
      }
    }
    // An abandoned round leaves calls under way, which would disturb the next round.
    while (rounds.size() < options.rounds && !isGivenUp) {
      BurstLoad.parkUntil(System.nanoTime() + options.calmNs());
      rounds.add(round(crowd, SystemCalls.none(), subject.kind(), sizeBytes, what));
      isGivenUp = rounds.getLast().end().isGivenUp();
    }
    if (options.systemCalls && !isGivenUp) {
      countCalls(crowd, subject.kind(), sizeBytes, what, rounds);
    }
    return BurstRow.of(options, subject.name(), shape, sizeBytes, rounds);
  }

  /** Adds the system calls of one more round to the counters of the rounds. */
  private void countCalls(
      BurstCrowd crowd, BurstKind kind, int sizeBytes, String what, List<BurstRound> rounds)
      throws IOException, InterruptedException {
    try (SystemCalls calls = crowd.attach()) {
      BurstRound traced = round(crowd, calls, kind, sizeBytes, what + ", for its system calls");
      if (!traced.end().isGivenUp()) {
        rounds.replaceAll(round -> round.with(traced.systemCalls()));
      }
    }
  }

  private BurstRound round(
      BurstCrowd crowd, SystemCalls calls, BurstKind kind, int sizeBytes, String what)
      throws IOException, InterruptedException {
    laboratory.resetBottleneck();
    Map<String, Long> before = crowd.counters();
    try (QueueSampler sampler = laboratory.startSampler()) {
      long startNs = System.nanoTime() + LEAD_NS;
      crowd.begin(options.transfers, startNs, sizeBytes);
      BurstLoad.parkUntil(startNs);
      calls.start();
      BurstRound.Processor processor = crowd.processor(List.of());
      List<SystemCounters.Core> cores = SystemCounters.cores();
      BurstWatch watch =
          new BurstWatch(
              options,
              options.transfers,
              sizeBytes,
              kind.isLossy(),
              startNs,
              sampler.last().bytes());
      MiddleThird middle = new MiddleThird(options, laboratory, startNs, sizeBytes);
      BurstWatch.End end = await(crowd, watch, sampler, middle, what);
      middle.end();
      List<Double> busy = SystemCounters.busy(cores, SystemCounters.cores());
      processor = crowd.processor(busy).since(processor);
      Map<String, Long> systemCalls = calls.finish();
      List<QueueSample> samples = sampler.finish();
      BurstRound.Times times = crowd.finish();
      Map<String, Long> counted = BurstCrowd.difference(before, crowd.counters());
      return new BurstRound(
          times,
          end,
          startNs,
          samples,
          processor,
          retransmissions(counted),
          counted,
          systemCalls,
          middle.change());
    }
  }

  /** Waits until the round is over. */
  private BurstWatch.End await(
      BurstCrowd crowd, BurstWatch watch, QueueSampler sampler, MiddleThird middle, String what)
      throws IOException, InterruptedException {
    long startNs = System.nanoTime();
    long saidNs = startNs;
    while (true) {
      int[] status = crowd.status();
      long nowNs = System.nanoTime();
      if (watch.isOver(status[0] + status[1], sampler.last().bytes(), nowNs)) {
        BurstWatch.End end = watch.end(status[1], nowNs);
        String why = end.isGivenUp() ? ", gave up: " + end.gaveUp() : "";
        say(what, status, end.overNs(), why);
        return end;
      }
      if (nowNs - saidNs > PROGRESS_NS) {
        saidNs = nowNs;
        say(what, status, nowNs - startNs, "");
      }
      middle.onTime(nowNs);
      BurstLoad.parkUntil(nowNs + POLL_NS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private void say(String what, int[] status, long elapsedNs, String why) {
    err.printf(
        "burst: %s: %,d of %,d done, %,d failed, after %.1f s%s%n",
        what, status[0], options.transfers, status[1], elapsedNs / 1e9, why);
  }

  /** Frames count as packets, and bytes of chunks as full packets. */
  private long retransmissions(Map<String, Long> counted) {
    long packets = 0;
    for (Map.Entry<String, Long> counter : counted.entrySet()) {
      if (counter.getKey().endsWith("frames_again")
          || counter.getKey().equals("tcp_segments_again")) {
        packets += counter.getValue();
      } else if (counter.getKey().endsWith("chunk_bytes_again")) {
        packets += Math.ceilDiv(counter.getValue(), options.link().fullPayloadBytes());
      }
    }
    return packets;
  }
}
