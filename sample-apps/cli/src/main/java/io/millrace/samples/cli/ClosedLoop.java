package io.millrace.samples.cli;

import io.millrace.api.Peer;
import io.millrace.api.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Keeps a fixed number of calls outstanding for a fixed time and measures the calls. The calling
 * thread only waits, samples and shows progress.
 */
final class ClosedLoop {
  private static final long STEP_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long LINGER_NS = TimeUnit.SECONDS.toNanos(5);

  private final Transport transport;
  private final LoadPlan plan;
  private final CountDownLatch running;
  private final LoadWindow window;
  private final long fromNs;
  private final List<AbstractHistogram> latencies = new ArrayList<>();
  private final List<LoadSlot> slots = new ArrayList<>();

  ClosedLoop(Transport transport, LoadPlan plan, List<Peer> peers, long nowNs) {
    this.transport = transport;
    this.plan = plan;
    running = new CountDownLatch(plan.concurrency());
    fromNs = nowNs + plan.warmUpNs();
    window = new LoadWindow(fromNs, fromNs + plan.durationNs());
    for (int i = 0; i < peers.size(); i++) {
      latencies.add(histogram());
    }
    for (int i = 0; i < plan.concurrency(); i++) {
      int peer = i % peers.size();
      slots.add(slot(peers, peer, latencies.get(peer)));
    }
  }

  /**
   * Runs the load to its end.
   *
   * @throws InterruptedException if the thread was interrupted; the calls end by themselves
   */
  LoadResult run(Progress progress) throws InterruptedException {
    // A first sample loads classes, which would cost the start of a short run.
    LoadSample last = sample();
    slots.forEach(slot -> slot.next(System.nanoTime()));
    try {
      boolean over = await(fromNs);
      LoadSample first = sample();
      last = first;
      long untilNs = fromNs + plan.durationNs();
      for (long markNs = fromNs; !over && markNs - untilNs < 0; ) {
        markNs += Math.min(STEP_NS, untilNs - markNs);
        over = await(markNs);
        LoadSample now = sample();
        progress.show(line(last, now, first), now.atNs());
        last = now;
      }
      await(System.nanoTime() + LINGER_NS);
      progress.clear();
      return new LoadResult(first, last, total(), failures(), running.getCount(), firstFailure());
    } finally {
      window.cut();
    }
  }

  /** Waits until then; returns true if all slots ended before. */
  private boolean await(long untilNs) throws InterruptedException {
    return running.await(untilNs - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  private LoadSample sample() {
    long calls = slots.stream().mapToLong(LoadSlot::answered).sum();
    long bytes =
        plan.pattern().isCountedMoving()
            ? slots.stream().mapToLong(LoadSlot::movedBytes).sum()
            : calls * plan.sizeBytes();
    return LoadSample.take(calls, bytes, transport.snapshot());
  }

  private String line(LoadSample before, LoadSample now, LoadSample first) {
    double seconds = (now.atNs() - before.atNs()) / 1e9;
    return String.format(
        Locale.ROOT,
        "%3.0f s  %s  %s failed",
        (now.atNs() - first.atNs()) / 1e9,
        plan.pattern().isCountedMoving()
            ? Figures.bytes(Math.round((now.bytes() - before.bytes()) / seconds)) + "/s"
            : Figures.count(Math.round((now.calls() - before.calls()) / seconds)) + " calls/s",
        Figures.count(failures()));
  }

  private long failures() {
    return slots.stream().mapToLong(LoadSlot::failed).sum();
  }

  private String firstFailure() {
    return slots.stream()
        .map(LoadSlot::firstFailure)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse("");
  }

  private Histogram total() {
    Histogram total = new Histogram(LoadWindow.LONGEST_NS, LoadWindow.DIGITS);
    latencies.forEach(total::add);
    return total;
  }

  private AbstractHistogram histogram() {
    // All calls to one peer complete on one worker's thread; an executor has many threads.
    return plan.isInline()
        ? new Histogram(LoadWindow.LONGEST_NS, LoadWindow.DIGITS)
        : new ConcurrentHistogram(LoadWindow.LONGEST_NS, LoadWindow.DIGITS);
  }

  private LoadSlot slot(List<Peer> peers, int index, AbstractHistogram into) {
    Peer peer = peers.get(index);
    if (plan.pattern() == LoadPattern.BROADCAST) {
      return new BroadcastSlot(plan, transport, peers, window, into, running);
    }
    if (plan.pattern() == LoadPattern.BULK) {
      return new BulkSlot(plan, peer, window, into, running);
    }
    if (plan.pattern().isStream()) {
      return new StreamSlot(plan, peer, transport.materializer(), window, into, running);
    }
    return plan.isInline()
        ? new InlineSlot(plan, peer, window, into, running)
        : new FutureSlot(plan, peer, window, into, running);
  }
}
