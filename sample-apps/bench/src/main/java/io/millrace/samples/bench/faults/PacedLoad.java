package io.millrace.samples.bench.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Begins calls at a fixed pace, whatever the fate of earlier calls, and keeps the end of each call.
 */
final class PacedLoad {
  private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private final FaultClient client;
  private final byte[] request;
  private final long intervalNs;
  private final List<CallLog.Entry> ended = new ArrayList<>();
  private final AtomicInteger open = new AtomicInteger();
  private final Thread thread;
  private volatile boolean isStopped;

  PacedLoad(FaultClient client, FaultTopology topology, long startNs) {
    this.client = client;
    request = new byte[topology.bytes()];
    intervalNs = TimeUnit.SECONDS.toNanos(1) / topology.callsPerSecond();
    thread = Thread.ofPlatform().daemon().name("faults-load").unstarted(() -> run(startNs));
  }

  void start() {
    thread.start();
  }

  /**
   * Begins no more calls, and waits for the open calls, as long as their deadline and a little
   * longer.
   */
  void stop() throws InterruptedException {
    isStopped = true;
    thread.join();
    long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(FaultClient.DEADLINE_SECONDS + 2);
    while (open.get() > 0 && System.nanoTime() - untilNs < 0) {
      parkUntil(System.nanoTime() + POLL_NS);
    }
  }

  /** The number of calls without an end. */
  int open() {
    return open.get();
  }

  /** The finished calls. */
  CallLog log() {
    synchronized (ended) {
      return new CallLog(List.copyOf(ended));
    }
  }

  private void run(long startNs) {
    for (long dueNs = startNs; !isStopped; dueNs += intervalNs) {
      parkUntil(dueNs);
      long beginNs = System.nanoTime();
      open.incrementAndGet();
      client.call(request, error -> onEnd(beginNs, error));
    }
  }

  private void onEnd(long beginNs, String error) {
    synchronized (ended) {
      ended.add(new CallLog.Entry(beginNs, System.nanoTime(), error));
    }
    open.decrementAndGet();
  }

  /** Waits for a time of {@link System#nanoTime}, or until interrupted. */
  static void parkUntil(long endNs) {
    for (long leftNs = endNs - System.nanoTime();
        leftNs > 0 && !Thread.currentThread().isInterrupted();
        leftNs = endNs - System.nanoTime()) {
      LockSupport.parkNanos(leftNs);
    }
  }
}
