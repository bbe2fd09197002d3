package io.millrace.samples.bench.burst;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.samples.bench.burst.link.QueueSample;
import io.millrace.samples.bench.burst.link.QueueSampler;
import io.millrace.samples.process.ScratchDirectory;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The preset {@code paxos}: a node calls hundreds of peers, thousands of times in one transaction,
 * as the leader of many consensus groups does. The answers meet at the bottleneck. Each number of
 * calls runs with each bound on calls under way, in the same processes.
 */
final class PaxosBurst {
  private static final int ANSWER_BYTES = 64;
  private static final long LEAD_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final double MS = 1e6;
  private static final double US = 1e3;
  private static final String HEAD =
      "peer,size,fanout,in_flight,quorum_ms,all_ms,p50_ms,p99_ms,cpu_us_per_call,drops,failed,"
          + "gave_up";

  private final BurstOptions options;
  private final Laboratory laboratory;
  private final Path directory;
  private final PrintStream err;

  private PaxosBurst(BurstOptions options, Laboratory laboratory, Path directory, PrintStream err) {
    this.options = options;
    this.laboratory = laboratory;
    this.directory = directory;
    this.err = err;
  }

  /**
   * One cell of the matrix: the round with the median time to the last quorum.
   *
   * @param inFlight the largest number of calls under way, 0 for all
   * @param transaction the time at which all groups had answered, and the durations of calls
   * @param allNs the end of the last call; the time of giving up after an unfinished call
   * @param processorNs processor time of all processes
   * @param drops packets dropped by the bottleneck
   * @param end the end of the round
   * @param perCall the counters of both sides for each call
   */
  record Cell(
      String peer,
      int sizeBytes,
      int fanout,
      int inFlight,
      BurstLoad.Transaction transaction,
      long allNs,
      long processorNs,
      long drops,
      BurstWatch.End end,
      PerCall perCall) {
    /** Time until all groups have a quorum, or until the run was given up, ms. */
    double quorumMs() {
      return (transaction.quorumNs() < 0 ? allNs : transaction.quorumNs()) / MS;
    }

    Map<String, Object> toJson() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("peer", peer);
      json.put("size", sizeBytes);
      json.put("fanout", fanout);
      json.put("in_flight", inFlight);
      json.put("quorum_ms", transaction.quorumNs() < 0 ? null : quorumMs());
      json.put("all_ms", allNs / MS);
      json.put("p50_ms", transaction.p50Ns() / MS);
      json.put("p99_ms", transaction.p99Ns() / MS);
      json.put("cpu_us_per_call", processorNs / US / fanout);
      json.put("drops", drops);
      json.put("failed", end.failed());
      json.put("gave_up", end.isGivenUp() ? end.gaveUp() : null);
      json.put("per_call", perCall.toJson());
      return json;
    }

    /** The same cell with the system calls of another round. */
    Cell with(PerCall calls) {
      return new Cell(
          peer,
          sizeBytes,
          fanout,
          inFlight,
          transaction,
          allNs,
          processorNs,
          drops,
          end,
          perCall.with(calls));
    }

    String toCsv() {
      return String.format(
          Locale.ROOT,
          "%s,%d,%d,%d,%s,%.1f,%.2f,%.2f,%.1f,%d,%d,%s",
          peer,
          sizeBytes,
          fanout,
          inFlight,
          transaction.quorumNs() < 0 ? "" : String.format(Locale.ROOT, "%.1f", quorumMs()),
          allNs / MS,
          transaction.p50Ns() / MS,
          transaction.p99Ns() / MS,
          processorNs / US / fanout,
          drops,
          end.failed(),
          end.gaveUp());
    }
  }

  /** Runs the matrix of each subject and reports; the exit code. */
  static int run(
      BurstOptions options, List<BurstSubject> subjects, PrintStream out, PrintStream err)
      throws IOException, InterruptedException {
    List<Cell> cells = new ArrayList<>();
    try (ScratchDirectory scratch = ScratchDirectory.create("millrace-burst");
        Laboratory laboratory = Laboratory.open(options)) {
      PaxosBurst burst = new PaxosBurst(options, laboratory, scratch.path(), err);
      for (BurstSubject subject : subjects) {
        burst.run(subject, cells);
      }
    }
    report(options, cells, out);
    int each = options.sizes.size() * options.fanouts.size() * options.inFlight.size();
    boolean isGivenUp = cells.stream().anyMatch(cell -> cell.end().isGivenUp());
    return isGivenUp || cells.size() < each * subjects.size() ? 1 : 0;
  }

  private void run(BurstSubject subject, List<Cell> cells) throws InterruptedException {
    err.println("burst: paxos over " + subject.name() + ": starting");
    try {
      laboratory.resetBottleneck();
      Path own = Files.createDirectories(directory.resolve(subject.name()));
      try (BurstCrowd crowd = BurstCrowd.open(options, laboratory, subject, own, err)) {
        crowd.warmUp();
        crowd.connect(BurstShape.FANOUT);
        if (!options.cold && options.warmUpSeconds > 0) {
          warmUp(crowd, subject);
        }
        matrices(crowd, subject, cells);
        crowd.sayFailures();
      }
    } catch (IOException e) {
      err.println("burst: paxos over " + subject.name() + ": " + e.getMessage());
    }
  }

  /** Uncounted rounds of each kind: each kind runs code of its own. */
  private void warmUp(BurstCrowd crowd, BurstSubject subject)
      throws IOException, InterruptedException {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.warmUpSeconds);
    int size = options.sizes.getFirst();
    do {
      for (int inFlight : options.inFlight) {
        Cell cell =
            round(crowd, SystemCalls.none(), subject, size, options.fanouts.getLast(), inFlight);
        if (cell.end().isGivenUp()) {
          throw new IOException("the warm-up was given up: " + cell.end().gaveUp());
        }
      }
    } while (System.nanoTime() < endNs);
  }

  private void matrices(BurstCrowd crowd, BurstSubject subject, List<Cell> cells)
      throws IOException, InterruptedException {
    for (int size : options.sizes) {
      if (!matrix(crowd, subject, size, cells)) {
        err.println("burst: paxos over " + subject.name() + ": no more, a cell was given up");
        return;
      }
    }
  }

  /**
   * Returns false after an abandoned cell: the remaining calls of the cell would disturb the next
   * cell.
   */
  private boolean matrix(BurstCrowd crowd, BurstSubject subject, int size, List<Cell> cells)
      throws IOException, InterruptedException {
    for (int fanout : options.fanouts) {
      for (int inFlight : options.inFlight) {
        Cell cell = median(crowd, subject, size, fanout, inFlight);
        cells.add(cell);
        if (cell.end().isGivenUp()) {
          return false;
        }
      }
    }
    return true;
  }

  private Cell median(BurstCrowd crowd, BurstSubject subject, int size, int fanout, int inFlight)
      throws IOException, InterruptedException {
    List<Cell> rounds = new ArrayList<>();
    while (rounds.size() < options.rounds) {
      BurstLoad.parkUntil(System.nanoTime() + options.calmNs());
      Cell cell = round(crowd, SystemCalls.none(), subject, size, fanout, inFlight);
      err.println("burst: " + cell.toCsv());
      if (cell.end().isGivenUp()) {
        return cell;
      }
      rounds.add(cell);
    }
    rounds.sort(Comparator.comparingDouble(Cell::quorumMs));
    Cell median = rounds.get(rounds.size() / 2);
    if (!options.systemCalls) {
      return median;
    }
    try (SystemCalls calls = crowd.attach()) {
      Cell traced = round(crowd, calls, subject, size, fanout, inFlight);
      return traced.end().isGivenUp() ? median : median.with(traced.perCall());
    }
  }

  private Cell round(
      BurstCrowd crowd, SystemCalls calls, BurstSubject subject, int size, int fanout, int inFlight)
      throws IOException, InterruptedException {
    laboratory.resetBottleneck();
    Map<String, Long> before = crowd.counters();
    try (QueueSampler sampler = laboratory.startSampler()) {
      long startNs = System.nanoTime() + LEAD_NS;
      crowd.begin(
          new BurstJob(
              startNs, fanout, options.peers, 0, size, ANSWER_BYTES, 0, inFlight, options.group));
      BurstLoad.parkUntil(startNs);
      calls.start();
      long processorNs = SystemCounters.processorNs(crowd.pids());
      BurstWatch watch =
          new BurstWatch(
              options, fanout, size, subject.kind().isLossy(), startNs, sampler.last().bytes());
      BurstWatch.End end = await(crowd, watch, sampler);
      processorNs = SystemCounters.processorNs(crowd.pids()) - processorNs;
      Map<String, Long> systemCalls = calls.finish();
      List<QueueSample> samples = sampler.finish();
      BurstLoad.Transaction transaction = crowd.transaction();
      List<Long> endsNs = crowd.finish().endsNs();
      Map<String, Long> counted = BurstCrowd.difference(before, crowd.counters());
      return new Cell(
          subject.name(),
          size,
          fanout,
          inFlight,
          transaction,
          allNs(endsNs, end, fanout),
          processorNs,
          samples.getLast().drops() - samples.getFirst().drops(),
          end,
          PerCall.of(counted, systemCalls, endsNs.size()));
    }
  }

  private static long allNs(List<Long> endsNs, BurstWatch.End end, int fanout) {
    boolean isComplete = endsNs.size() + end.failed() == fanout && !endsNs.isEmpty();
    return isComplete ? endsNs.getLast() : end.overNs();
  }

  /** Waits until the round is over. */
  private static BurstWatch.End await(BurstCrowd crowd, BurstWatch watch, QueueSampler sampler)
      throws IOException, InterruptedException {
    while (true) {
      int[] status = crowd.status();
      long nowNs = System.nanoTime();
      if (watch.isOver(status[0] + status[1], sampler.last().bytes(), nowNs)) {
        return watch.end(status[1], nowNs);
      }
      BurstLoad.parkUntil(nowNs + POLL_NS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private static void report(BurstOptions options, List<Cell> cells, PrintStream out)
      throws IOException {
    out.printf(
        "transactions of calls to %d peers in groups of %d; %.0f Mbit/s back, queue %,d B, MTU %d;"
            + " of %d rounds the median%n%n",
        options.peers,
        options.group,
        options.rate / 1e6,
        options.queueBytes,
        options.mtu,
        options.rounds);
    out.printf(
        "%-17s %6s %7s %9s %11s %9s %9s %9s %8s %7s %6s%n",
        "peer",
        "bytes",
        "fanout",
        "in flight",
        "quorum ms",
        "all ms",
        "p50 ms",
        "p99 ms",
        "us/call",
        "drops",
        "failed");
    cells.forEach(cell -> print(cell, out));
    out.println();
    cells.forEach(cell -> cell.perCall().print(name(cell), out));
    write(options, cells);
    if (options.json) {
      out.println(new ObjectMapper().writeValueAsString(json(options, cells)));
    }
  }

  private static String name(Cell cell) {
    return "%s, %,d B, %,d calls, %s in flight"
        .formatted(
            cell.peer(),
            cell.sizeBytes(),
            cell.fanout(),
            cell.inFlight() == 0 ? "all" : cell.inFlight());
  }

  private static void print(Cell cell, PrintStream out) {
    out.printf(
        "%-17s %6d %7d %9s %11s %9.1f %9.2f %9.2f %8.1f %7d %6d%s%n",
        cell.peer(),
        cell.sizeBytes(),
        cell.fanout(),
        cell.inFlight() == 0 ? "all" : cell.inFlight(),
        cell.transaction().quorumNs() < 0 ? "-" : "%.1f".formatted(cell.quorumMs()),
        cell.allNs() / MS,
        cell.transaction().p50Ns() / MS,
        cell.transaction().p99Ns() / MS,
        cell.processorNs() / US / cell.fanout(),
        cell.drops(),
        cell.end().failed(),
        cell.end().isGivenUp() ? "  gave up: " + cell.end().gaveUp() : "");
  }

  private static void write(BurstOptions options, List<Cell> cells) throws IOException {
    Path csv = options.csv;
    if (csv != null) {
      List<String> lines = new ArrayList<>(List.of(HEAD));
      cells.forEach(cell -> lines.add(cell.toCsv()));
      Files.write(csv, lines);
    }
    Path plot = options.plot;
    if (plot != null) {
      PaxosPlot.write(cells, plot);
    }
  }

  private static Map<String, Object> json(BurstOptions options, List<Cell> cells) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("peers", options.peers);
    root.put("group", options.group);
    root.put("rate_bits_per_s", options.rate);
    root.put("queue_bytes", options.queueBytes);
    root.put("mtu", options.mtu);
    root.put("rounds", options.rounds);
    root.put("settings", options.settings);
    root.put("cells", cells.stream().map(Cell::toJson).toList());
    return root;
  }
}
