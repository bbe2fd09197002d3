package io.millrace.protocol.congestion;

import org.jspecify.annotations.Nullable;

/**
 * Decides when peers may send the answers that this worker foresees, so that the answers of a
 * fan-out arrive at the rate of the link; rule C-10. The grant of an answer goes with its request.
 *
 * <p>The answers have places behind one another on the link, at a rate a little below the rate of
 * the link. An eighth of the budget may come ahead of its place, and an answer may be late by the
 * time in which a quarter of the budget drains. Other grants give way for promised bytes: for the
 * bytes that are due and have not come, or half of the budget if that is more. If the last promises
 * were in vain, other grants give less way.
 *
 * <p>Answers that are shorter than foreseen leave room on the link. The last promise of the
 * schedule is then pulled: its answer may come at once, by credit. Room is lost when the schedule
 * has passed, is at most an eighth of the budget or one answer, and serves no pull beyond the
 * budget.
 *
 * <p>Owned by a worker, on the worker's thread. Time is passed in; allocates only while the number
 * of open promises grows.
 */
public final class AnswerSchedule {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final int MOST_PROMISES = 16_384;
  private static final int MOST_BYTES = 0xFFFF;
  private static final long MOST_DELAY_NS = 4 * NANOS_PER_SECOND;
  private static final long MOST_WITHIN_US = 0xFFFF;

  /** A part of the budget may come early. */
  private static final int EARLY_PART = 8;

  /** A part of the budget may come late. */
  private static final int LATE_PART = 4;

  private static final int RESERVED_PART = 2;

  /** The rate of the schedule is lower by this part than the rate of the link. */
  private static final int MARGIN_PART = 32;

  private static final int MOST_HITS = 4;

  /** Headers around an answer, beyond the cost of its credit. */
  private static final int OVERHEAD_BYTES = 64;

  private long bytesPerSecond;
  private long limitBytes;

  /** Credit of all paths for unasked bytes, pulled answers included. */
  private long unaskedBytes;

  /** Bytes of the open calls whose promises were pulled. */
  private long pulledBytes;

  /** The time at which the last answer of the schedule has passed the link. */
  private long freeNs;

  private int made;
  private long armedBytes;
  private long dueBytes;

  /** Room on the link ahead of the end of the schedule. */
  private long slackBytes;

  /** More for each answer that came by its promise, less for each promise in vain. */
  private int hits = MOST_HITS;

  private @Nullable Promise spare;
  private @Nullable Promise first;
  private @Nullable Promise last;

  /** The first promise that is not due yet; null if all are due. */
  private @Nullable Promise nextDue;

  /** Hears that the answer of a promise may come at once, by credit. */
  public interface Owner {
    /** The answer of this promise may take credit for these bytes, from now on. */
    void onPulled(int bytes);
  }

  /** The grant of one answer. */
  public static final class Promise {
    private @Nullable Owner owner;
    private int bytes;
    private boolean isTold;
    private boolean isLinked;
    private boolean isDue;
    private long dueNs;
    private long endNs;
    private long delayUs;
    private long withinUs;
    private int pulledBytes;
    private @Nullable Promise previous;
    private @Nullable Promise next;

    private Promise() {}

    /** Bytes that the request says; 0 if the answer has no grant. */
    public int toldBytes() {
      return isTold ? bytes : 0;
    }

    /** The answer goes no earlier after the arrival of the request, us. */
    public long delayUs() {
      return isTold ? delayUs : 0;
    }

    /** The answer goes within this time after the delay, us. */
    public long withinUs() {
      return isTold ? withinUs : 0;
    }

    /** Whether an answer of this cost may have come by this promise. */
    public boolean covers(int costBytes) {
      return costBytes <= bytes;
    }

    /** Credit that the peer got in place of this promise, bytes. */
    public int pulledBytes() {
      return pulledBytes;
    }

    /** The request goes again: its grant would be used too late. */
    public void withdraw() {
      isTold = false;
    }
  }

  /** An empty schedule for a link of this rate, bytes per second. */
  AnswerSchedule(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** All bytes on their way to the worker stay within this limit. */
  void limit(long bytes) {
    limitBytes = bytes;
  }

  /** The paths together have this much credit for unasked bytes. */
  void unasked(long bytes) {
    unaskedBytes = bytes;
  }

  /**
   * Another link leads to the worker. The answers that are promised already stay ahead of later
   * answers, and take the new link's time.
   */
  void link(long newBytesPerSecond, long newLimitBytes) {
    final long beforeNs = withMargin(drainNs(armedBytes));
    bytesPerSecond = newBytesPerSecond;
    limitBytes = newLimitBytes;
    freeNs += withMargin(drainNs(armedBytes)) - beforeNs;
    slackBytes = Math.min(slackBytes, limitBytes / EARLY_PART);
  }

  /** A promise without bytes, for a request to be sent later; null if there are too many. */
  public @Nullable Promise prepare(Owner owner) {
    Promise promise = spare;
    if (promise == null) {
      if (made == MOST_PROMISES) {
        return null;
      }
      made++;
      promise = new Promise();
    } else {
      spare = promise.next;
      promise.next = null;
    }
    promise.owner = owner;
    return promise;
  }

  /** The request goes now: gives its answer of this length a place on the link. */
  public void promise(Promise promise, int bytes, long rttNs, long nowNs) {
    unlink(promise);
    final long earlyNs = drainNs(limitBytes / EARLY_PART);
    final long lateNs = drainNs(limitBytes / LATE_PART);
    final long withinUs = Math.min(lateNs / NANOS_PER_MICRO, MOST_WITHIN_US);
    final long startNs = Math.max(freeNs, nowNs);
    final long delayNs = Math.max(startNs - earlyNs - rttNs - nowNs, 0);
    if (promise.isLinked) {
      throw new IllegalStateException("the promise has its place already");
    }
    if (bytes == 0 || bytes > MOST_BYTES || withinUs == 0 || delayNs > MOST_DELAY_NS) {
      return;
    }
    addSlack(0, nowNs);
    freeNs = startNs + placeNs(bytes);
    promise.bytes = bytes;
    promise.isTold = true;
    promise.delayUs = delayNs / NANOS_PER_MICRO;
    promise.withinUs = withinUs;
    promise.dueNs = nowNs + delayNs;
    promise.endNs = promise.dueNs + rttNs + lateNs + drainNs(limitBytes);
    link(promise);
    advance(nowNs);
    assert invariantsHold();
  }

  /**
   * The answer came in a frame, with this cost. Lets answers of the end of the schedule come, as
   * far as there is room.
   */
  public void onAnswer(Promise promise, int costBytes, long nowNs) {
    if (promise.isLinked) {
      hits = Math.min(hits + 1, MOST_HITS);
      addSlack(promise.bytes - costBytes, nowNs);
      unlink(promise);
      pull(nowNs);
    } else if (promise.pulledBytes > 0) {
      addSlack(promise.pulledBytes - costBytes, nowNs);
      pull(nowNs);
    }
  }

  /** The answer comes another way, by bytes that were granted apart. */
  public void onMissed(Promise promise) {
    hits = Math.max(hits - 1, 0);
    unlink(promise);
  }

  /** No answer comes by this promise any more: the object serves another call. */
  public void release(Promise promise) {
    unlink(promise);
    promise.owner = null;
    promise.bytes = 0;
    promise.isTold = false;
    pulledBytes -= promise.pulledBytes;
    promise.pulledBytes = 0;
    promise.next = spare;
    spare = promise;
  }

  /** Time has passed: promises become due, or end. */
  public void onTurn(long nowNs) {
    if (first != null) {
      advance(nowNs);
      Promise oldest = first;
      while (oldest != null && oldest.endNs <= nowNs) {
        onMissed(oldest);
        oldest = first;
      }
      assert invariantsHold();
    }
  }

  /** Room that nobody took in time is lost. */
  private void addSlack(int bytes, long nowNs) {
    final long mostBytes = Math.max(limitBytes / EARLY_PART, last == null ? 0 : last.bytes);
    slackBytes = freeNs - nowNs > 0 ? Math.min(slackBytes + bytes, mostBytes) : 0;
  }

  private void pull(long nowNs) {
    final long earlyNs = drainNs(limitBytes / EARLY_PART);
    Promise latest = last;
    while (latest != null
        && latest.bytes <= slackBytes
        && latest.bytes <= pullableBytes()
        && latest.dueNs - nowNs > earlyNs) {
      slackBytes -= latest.bytes;
      freeNs -= placeNs(latest.bytes);
      unlink(latest);
      latest.pulledBytes = latest.bytes;
      pulledBytes += latest.bytes;
      final Owner owner = latest.owner;
      if (owner != null) {
        owner.onPulled(latest.bytes);
      }
      latest = last;
    }
  }

  /** The part of the budget that is neither for due answers nor credit, bytes. */
  private long pullableBytes() {
    return limitBytes - Math.max(unaskedBytes, pulledBytes) - dueBytes;
  }

  /** The part of the budget that is not for other grants, bytes. */
  public long reservedBytes() {
    return Math.max(dueBytes, Math.min(armedBytes, limitBytes / RESERVED_PART)) * hits / MOST_HITS;
  }

  /** When the oldest promise ends, ns; {@link Long#MAX_VALUE} without a promise. */
  public long nextEndNs() {
    final Promise oldest = first;
    return oldest == null ? Long.MAX_VALUE : oldest.endNs;
  }

  private long drainNs(long bytes) {
    return (long) ((double) bytes * NANOS_PER_SECOND / bytesPerSecond);
  }

  /** The time that an answer takes on the link, at the rate of the schedule. */
  private long placeNs(int bytes) {
    return withMargin(drainNs(bytes + OVERHEAD_BYTES));
  }

  private static long withMargin(long wholeNs) {
    return wholeNs + wholeNs / MARGIN_PART;
  }

  private void advance(long nowNs) {
    Promise next = nextDue;
    while (next != null && next.dueNs <= nowNs) {
      next.isDue = true;
      dueBytes += next.bytes;
      next = next.next;
    }
    nextDue = next;
  }

  private void link(Promise promise) {
    promise.previous = last;
    if (last == null) {
      first = promise;
    } else {
      last.next = promise;
    }
    last = promise;
    if (nextDue == null) {
      nextDue = promise;
    }
    promise.isLinked = true;
    promise.isDue = false;
    armedBytes += promise.bytes;
  }

  private void unlink(Promise promise) {
    if (!promise.isLinked) {
      return;
    }
    final Promise previous = promise.previous;
    final Promise next = promise.next;
    if (previous == null) {
      first = next;
    } else {
      previous.next = next;
    }
    if (next == null) {
      last = previous;
    } else {
      next.previous = previous;
    }
    if (nextDue == promise) {
      nextDue = next;
    }
    promise.previous = null;
    promise.next = null;
    promise.isLinked = false;
    armedBytes -= promise.bytes;
    dueBytes -= promise.isDue ? promise.bytes : 0;
    if (first == null) {
      slackBytes = 0;
    }
    assert invariantsHold();
  }

  private boolean invariantsHold() {
    return pulledBytes >= 0
        && dueBytes >= 0
        && dueBytes <= armedBytes
        && (first == null) == (armedBytes == 0);
  }
}
