package io.millrace.samples.bench.burst;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a burst that a single process begins: all transfers at once at the time of the start,
 * and probes, at their rate, from the start until {@link #finish}. Times are {@link
 * System#nanoTime}, a clock that all processes of a host share.
 */
final class BurstLoad {
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long WARM_UP_SECONDS = 60;
  private static final int WARM_UPS_AT_ONCE = 4;
  private static final int WARM_UP_ATTEMPTS = 10;
  private static final int PROBE_BYTES = 32;
  private static final long UNENDED = -1;

  private final List<BurstCaller> callers;
  private final List<BurstCaller> probers;
  private final BurstJob job;
  private final byte[] request;
  private final int[] callerOf;
  private final long[] beginsNs;
  private final long[] endsNs;
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final ConcurrentLinkedQueue<Transfer> refused = new ConcurrentLinkedQueue<>();
  private final List<Probe> probes = new ArrayList<>();
  private volatile boolean isFinished;
  private volatile @Nullable Thread beginner;

  BurstLoad(List<BurstCaller> callers, List<BurstCaller> probers, BurstJob job) {
    this.callers = callers;
    this.probers = probers;
    this.job = job;
    request = BurstCaller.request(job.requestBytes(), job.answerBytes());
    int transfers = 0;
    for (int i = 0; i < callers.size(); i++) {
      transfers += job.share(i);
    }
    callerOf = new int[transfers];
    beginsNs = new long[transfers];
    endsNs = new long[transfers];
    Arrays.fill(endsNs, UNENDED);
    int next = 0;
    for (int turn = 0; next < transfers; turn++) {
      for (int i = 0; i < callers.size(); i++) {
        if (turn < job.share(i)) {
          callerOf[next++] = i;
        }
      }
    }
  }

  /**
   * Makes a small call with each caller, and waits for the answers. Failed calls are tried again:
   * hundreds of handshakes between processes that have just started may take longer than the
   * timeout of a handshake.
   *
   * @param progress receives the number of answers, after each answer
   */
  static void warmUp(List<BurstCaller> callers, IntConsumer progress) throws InterruptedException {
    AtomicInteger answered = new AtomicInteger();
    List<BurstCaller> left = callers;
    for (int i = 0; i < WARM_UP_ATTEMPTS && !left.isEmpty(); i++) {
      left = callOnce(left, answered, progress);
    }
    if (!left.isEmpty()) {
      throw new IllegalStateException(left.size() + " of the calls ahead of the burst failed");
    }
  }

  /** Makes a small call with each caller, and returns the callers whose calls failed. */
  private static List<BurstCaller> callOnce(
      List<BurstCaller> callers, AtomicInteger answered, IntConsumer progress)
      throws InterruptedException {
    byte[] small = BurstCaller.request(Integer.BYTES, Integer.BYTES);
    Semaphore free = new Semaphore(WARM_UPS_AT_ONCE);
    ConcurrentLinkedQueue<BurstCaller> failed = new ConcurrentLinkedQueue<>();
    for (BurstCaller caller : callers) {
      acquire(free, 1);
      progress.accept(answered.get());
      caller.call(
          small,
          false,
          end -> {
            if (end == BurstCaller.End.DONE) {
              answered.incrementAndGet();
            } else {
              failed.add(caller);
            }
            free.release();
          });
    }
    acquire(free, WARM_UPS_AT_ONCE);
    return List.copyOf(failed);
  }

  private static void acquire(Semaphore free, int permits) throws InterruptedException {
    if (!free.tryAcquire(permits, WARM_UP_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("calls ahead of the burst were not answered");
    }
  }

  /** Starts the threads that begin the transfers and the probes. */
  void start() {
    Thread.ofPlatform().daemon().name("burst-transfers").start(this::beginTransfers);
    if (job.probeIntervalNs() > 0 && !probers.isEmpty()) {
      Thread.ofPlatform().daemon().name("burst-probes").start(this::beginProbes);
    }
  }

  /** The number of transfers that succeeded. */
  int done() {
    return done.get();
  }

  /** The number of transfers that failed. */
  int failed() {
    return failed.get();
  }

  /** Begins no further transfer or probe. */
  void finish() {
    isFinished = true;
  }

  /** The ends of the finished transfers, ns after the start. */
  long[] endsNs() {
    return Arrays.stream(endsNs.clone()).filter(end -> end != UNENDED).toArray();
  }

  /**
   * The end of the last transfer of each caller, ns after the start, for the callers whose
   * transfers have all finished.
   */
  long[] callersNs() {
    return callersNs(endsNs, callerOf, callers.size());
  }

  /** Computes {@link #callersNs()} from the end and the caller of each transfer. */
  static long[] callersNs(long[] endsNs, int[] callerOf, int callers) {
    long[] lastsNs = new long[callers];
    for (int i = 0; i < endsNs.length; i++) {
      int caller = callerOf[i];
      boolean isFinished = endsNs[i] != UNENDED && lastsNs[caller] != UNENDED;
      lastsNs[caller] = isFinished ? Math.max(lastsNs[caller], endsNs[i]) : UNENDED;
    }
    return Arrays.stream(lastsNs).filter(end -> end > 0).toArray();
  }

  /**
   * The result of a transaction of all transfers. A turn of transfers, one to each peer, has an
   * operation for each group of adjacent peers. An operation is decided when more than half of the
   * group's peers have answered.
   *
   * @param quorumNs the time of the last decision, ns after the start; -1 if an operation was never
   *     decided
   * @param p50Ns the median time from the beginning of a transfer to the end
   * @param p99Ns the 99th percentile of the same time
   */
  record Transaction(long quorumNs, long p50Ns, long p99Ns) {
    /** Reads a line of {@link #format}. */
    static Transaction parse(String text) {
      String[] words = text.split(" ", -1);
      return new Transaction(
          Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
    }

    /** Formats the figures as one line. */
    String format() {
      return quorumNs + " " + p50Ns + " " + p99Ns;
    }
  }

  /** The result of the transaction up to now, if this process makes all transfers. */
  Transaction transaction() {
    long[] latencies =
        IntStream.range(0, endsNs.length)
            .filter(i -> endsNs[i] != UNENDED)
            .mapToLong(i -> endsNs[i] - beginsNs[i])
            .sorted()
            .toArray();
    return new Transaction(
        quorumNs(endsNs, job.peers(), job.group()), part(latencies, 0.5), part(latencies, 0.99));
  }

  /** Computes {@link Transaction#quorumNs()} from the ends of transfers, turn after turn. */
  static long quorumNs(long[] endsNs, int peers, int group) {
    long quorumNs = 0;
    for (int turn = 0; turn < endsNs.length; turn += peers) {
      int turnEnd = Math.min(endsNs.length, turn + peers);
      for (int first = turn; first < turnEnd; first += group) {
        long[] ends =
            Arrays.stream(endsNs, first, Math.min(turnEnd, first + group))
                .map(end -> end == UNENDED ? Long.MAX_VALUE : end)
                .sorted()
                .toArray();
        quorumNs = Math.max(quorumNs, ends[ends.length / 2]);
      }
    }
    return quorumNs == Long.MAX_VALUE ? UNENDED : quorumNs;
  }

  private static long part(long[] sorted, double part) {
    return sorted.length == 0 ? 0 : sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
  }

  /** The durations of probes; an unanswered probe counts up to now. */
  long[] probesNs() {
    long nowNs = System.nanoTime();
    synchronized (probes) {
      return probes.stream().mapToLong(probe -> probe.lastedNs(nowNs)).toArray();
    }
  }

  private void beginTransfers() {
    beginner = Thread.currentThread();
    parkUntil(job.startNs());
    int next = 0;
    while (!isFinished && done() + failed() < endsNs.length) {
      boolean hasRoom = job.inFlight() == 0 || next - done() - failed() < job.inFlight();
      if (next < endsNs.length && hasRoom) {
        beginsNs[next] = System.nanoTime() - job.startNs();
        new Transfer(callers.get(callerOf[next]), next++).begin();
        continue;
      }
      Transfer again = refused.poll();
      if (again == null) {
        LockSupport.parkNanos(PAUSE_NS);
      } else {
        again.begin();
      }
    }
  }

  /** Parks until a {@link System#nanoTime}, or until an interrupt of the thread. */
  static void parkUntil(long endNs) {
    for (long leftNs = endNs - System.nanoTime();
        leftNs > 0 && !Thread.currentThread().isInterrupted();
        leftNs = endNs - System.nanoTime()) {
      LockSupport.parkNanos(leftNs);
    }
  }

  private void beginProbes() {
    parkUntil(job.startNs());
    byte[] small = BurstCaller.request(PROBE_BYTES, PROBE_BYTES);
    Probe[] last = new Probe[probers.size()];
    for (int turn = 0; !isFinished; turn++) {
      int prober = turn % last.length;
      if (last[prober] == null || last[prober].isEnded()) {
        Probe probe = new Probe(System.nanoTime());
        last[prober] = probe;
        synchronized (probes) {
          probes.add(probe);
        }
        probers.get(prober).call(small, true, probe);
      }
      LockSupport.parkNanos(job.probeIntervalNs());
    }
  }

  private final class Transfer implements BurstCaller.Ending {
    private final BurstCaller caller;
    private final int index;

    Transfer(BurstCaller caller, int index) {
      this.caller = caller;
      this.index = index;
    }

    void begin() {
      caller.call(request, false, this);
    }

    @Override
    public void onEnd(BurstCaller.End end) {
      switch (end) {
        case DONE -> {
          endsNs[index] = System.nanoTime() - job.startNs();
          done.incrementAndGet();
        }
        case FAILED -> failed.incrementAndGet();
        case TRY_AGAIN -> refused.add(this);
      }
      if (job.inFlight() > 0) {
        LockSupport.unpark(beginner);
      }
    }
  }

  private static final class Probe implements BurstCaller.Ending {
    private final long startNs;
    private volatile boolean isEnded;
    private volatile long endNs;

    Probe(long startNs) {
      this.startNs = startNs;
    }

    boolean isEnded() {
      return isEnded;
    }

    long lastedNs(long nowNs) {
      return (isEnded ? endNs : nowNs) - startNs;
    }

    @Override
    public void onEnd(BurstCaller.End end) {
      endNs = System.nanoTime();
      isEnded = true;
    }
  }
}
