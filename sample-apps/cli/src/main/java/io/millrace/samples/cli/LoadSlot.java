package io.millrace.samples.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.AbstractHistogram;
import org.jspecify.annotations.Nullable;

/**
 * A slot of a closed loop, which keeps one call outstanding: at the end of a call the next call
 * starts. The thread that completes a call runs the slot; only a single thread does so at a time.
 * After a failed call the next call follows after a pause.
 */
abstract class LoadSlot {
  private static final long PAUSE_MS = 10;

  private final LoadWindow window;
  private final AbstractHistogram latencies;
  private final CountDownLatch running;
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();
  private long sentNs;

  LoadSlot(LoadWindow window, AbstractHistogram latencies, CountDownLatch running) {
    this.window = window;
    this.latencies = latencies;
    this.running = running;
  }

  /** Starts a call; its end is told to {@link #onAnswer} or to {@link #onFailure}. */
  abstract void begin();

  /** Starts the next call, unless the run is over. */
  final void next(long nowNs) {
    if (window.isOver(nowNs)) {
      running.countDown();
      return;
    }
    sentNs = nowNs;
    begin();
  }

  /**
   * Returns the payload bytes moved, including a call under way; 0 for patterns that count whole
   * calls only. Any thread.
   */
  long movedBytes() {
    return 0;
  }

  final void onAnswer(boolean isRight) {
    long nowNs = System.nanoTime();
    if (isRight) {
      window.record(latencies, sentNs, nowNs);
      // This slot is the only writer: the next call starts after the end of this call.
      answered.setRelease(answered.getPlain() + 1);
      next(nowNs);
    } else {
      onFailure("the answer differs from the request");
    }
  }

  final void onFailure(String sentence) {
    onFailures(1, sentence);
  }

  /** Notes a call with this number of failed parts, each of which counts. */
  final void onFailures(int count, String sentence) {
    failed.setRelease(failed.getPlain() + count);
    firstFailure.compareAndSet(null, sentence);
    CompletableFuture.delayedExecutor(PAUSE_MS, TimeUnit.MILLISECONDS)
        .execute(() -> next(System.nanoTime()));
  }

  final long answered() {
    return answered.getAcquire();
  }

  final long failed() {
    return failed.getAcquire();
  }

  final @Nullable String firstFailure() {
    return firstFailure.get();
  }
}
