package io.millrace.samples.bench.peer;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.NanoClock;

/**
 * A closed loop of calls: keeps a fixed number in flight until its time is over and checks every
 * answer.
 *
 * <p>A request starts with the call id and ends with {@link #tail} of the id; the server echoes the
 * payload, so the loop detects a short, swapped or repeated answer. For one thread at a time, the
 * thread on which the client completes calls; only {@link #awaitDone} is for another thread. Does
 * not allocate after construction.
 */
public final class CallLoop {
  /** The bytes between the first and the last 8 bytes of a request. */
  public static final byte[] FILLER = filler();

  private static final int SLOT_BITS = 16;
  private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
  private static final int CLOCK_EVERY_CALLS = 64;
  private static final long HIGHEST_NS = TimeUnit.SECONDS.toNanos(100);

  private final Workload workload;
  private final NanoClock clock;
  private final long durationNs;
  private final long[] pendingIds;
  private final int[] freeSlots;
  private final Histogram roundTripsNs = new Histogram(1, HIGHEST_NS, 3);
  private final CountDownLatch done = new CountDownLatch(1);
  private int free;
  private long generation;
  private long startNs;
  private long callStartNs;
  private long elapsedNs;
  private long completed;
  private long wrong;
  private boolean started;
  private boolean failed;

  /** A loop over {@code durationNs} from the first call on. */
  public CallLoop(Workload workload, long durationNs, NanoClock clock) {
    this.workload = workload;
    this.durationNs = durationNs;
    this.clock = clock;
    pendingIds = new long[workload.outstanding()];
    freeSlots = new int[workload.outstanding()];
    for (int slot = 0; slot < freeSlots.length; slot++) {
      freeSlots[slot] = slot;
    }
    free = freeSlots.length;
  }

  /** Bytes of every request and response. */
  public int payloadBytes() {
    return workload.payloadBytes();
  }

  /** Whether a further call may begin now. */
  public boolean canBegin() {
    return free > 0 && elapsedNs == 0;
  }

  /** Begins a call and returns the call id, the first 8 bytes of the payload. */
  public long begin() {
    if (!canBegin()) {
      throw new IllegalStateException("no call may begin now");
    }
    if (!started) {
      started = true;
      startNs = clock.nanoTime();
    }
    int slot = freeSlots[--free];
    long id = ++generation << SLOT_BITS | slot;
    pendingIds[slot] = id;
    if (workload.isTimed()) {
      callStartNs = clock.nanoTime();
    }
    return id;
  }

  /** The last 8 bytes of the payload of call {@code id}. */
  public static long tail(long id) {
    return ~id;
  }

  /** Takes an answer of {@code length} bytes with its first and last 8 bytes. */
  public void onResponse(int length, long head, long tail) {
    int slot = (int) head & SLOT_MASK;
    if (length != workload.payloadBytes()
        || tail != tail(head)
        || slot >= pendingIds.length
        || pendingIds[slot] != head) {
      wrong++;
      return;
    }
    if (workload.isTimed()) {
      long nowNs = clock.nanoTime();
      roundTripsNs.recordValue(Math.min(nowNs - callStartNs, HIGHEST_NS));
      complete(slot);
      checkTime(nowNs);
    } else {
      complete(slot);
      if (completed % CLOCK_EVERY_CALLS == 0 || elapsedNs != 0) {
        checkTime(clock.nanoTime());
      }
    }
  }

  /** Records a failed call: the round will report the failure and end. */
  public void onFailure() {
    wrong++;
    failed = true;
    if (elapsedNs == 0) {
      elapsedNs = Math.max(1, clock.nanoTime() - startNs);
    }
    done.countDown();
  }

  /** Whether the time is over and every call answered, or a call failed. */
  public boolean isDone() {
    return failed || (elapsedNs != 0 && free == freeSlots.length);
  }

  /** Waits, on any thread but the completing thread, until done; false after the timeout. */
  public boolean awaitDone(long timeoutNs) throws InterruptedException {
    return done.await(timeoutNs, TimeUnit.NANOSECONDS);
  }

  /** Calls completed within the time; valid once done. */
  public long completed() {
    return completed;
  }

  /** The number of wrong answers and failed calls. */
  public long wrong() {
    return wrong;
  }

  /** From the first call to the end of the time, ns; 0 until the end. */
  public long elapsedNs() {
    return elapsedNs;
  }

  /** The round trip at the percentile, ns; 0 where round trips are not timed. */
  public long roundTripNs(double percentile) {
    return roundTripsNs.getTotalCount() == 0 ? 0 : roundTripsNs.getValueAtPercentile(percentile);
  }

  /** The figures of the loop; valid only once done. */
  public RoundResult result() {
    return new RoundResult(completed, elapsedNs, roundTripNs(50), roundTripNs(99), wrong);
  }

  private static byte[] filler() {
    int longest = 0;
    for (Workload each : Workload.values()) {
      longest = Math.max(longest, each.payloadBytes());
    }
    byte[] filler = new byte[longest];
    for (int i = 0; i < filler.length; i++) {
      filler[i] = (byte) (i * 31);
    }
    return filler;
  }

  private void complete(int slot) {
    pendingIds[slot] = 0;
    freeSlots[free++] = slot;
    if (elapsedNs == 0) {
      completed++;
    }
  }

  private void checkTime(long nowNs) {
    if (elapsedNs == 0 && nowNs - startNs >= durationNs) {
      elapsedNs = nowNs - startNs;
    }
    if (isDone()) {
      done.countDown();
    }
  }
}
