package io.millrace.protocol.schedule;

/**
 * Decides when the next train may leave at a rate, and the train's length: a leaky bucket, kept as
 * the time at which the next train may start. Sent bytes move this time on.
 *
 * <p><b>Slack.</b> A whole train is {@link #MAX_TRAIN_NS} at the rate, but at most {@link
 * #MAX_TRAIN_BYTES}. A punctual train has half of this length. The other half is for a loop that
 * comes late: a caller that was told to wait, and asks again too late, may send as much more as the
 * caller is late. So a loop keeps the rate on average if the loop is up to half a train late, which
 * is 125 us below 2 Gbit/s (a park oversleeps by some 66 us). No time span carries more than the
 * rate and a whole train. A packet longer than a whole train is a train of its own.
 *
 * <p><b>No credit.</b> Time in which nobody waited is not made up for.
 *
 * <p>Times are exact: the remainder of a division is kept, so that nothing drifts. The owner calls
 * the bucket on the worker's thread. The bucket has no clock and does not allocate.
 */
public final class LeakyBucket {
  /** No train is longer, bytes. */
  public static final int MAX_TRAIN_BYTES = 64 << 10;

  /** No train takes longer at its rate, ns, except a train of a single packet. */
  public static final long MAX_TRAIN_NS = 250_000;

  /** The highest rate, bits per second. */
  public static final long MAX_BITS_PER_SECOND = 10_000_000_000_000L;

  /** {@link #rate} without a limit. */
  public static final long UNLIMITED = 0;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int MOST_BYTES = 1 << 30;

  private long bitsPerSecond;

  /** Bytes of a punctual train. */
  private int punctualBytes;

  /** The largest lateness that a train may make up for, ns. */
  private long latestNs;

  /** When the next train may start, ns, and this many {@code bitsPerSecond}ths of 1 ns later. */
  private long nextNs = Long.MIN_VALUE;

  private long fraction;
  private boolean isWaiting;

  /** An empty bucket; the rate is in bits per second, {@link #UNLIMITED} for no rate. */
  public LeakyBucket(long bitsPerSecond) {
    rate(bitsPerSecond);
  }

  /**
   * The rate from now on, bits per second; bytes already sent count at the former rate.
   *
   * @throws IllegalArgumentException if the rate is negative or above {@link #MAX_BITS_PER_SECOND}
   */
  public void rate(long bitsPerSecond) {
    if (bitsPerSecond == this.bitsPerSecond) {
      return;
    }
    if (bitsPerSecond < 0 || bitsPerSecond > MAX_BITS_PER_SECOND) {
      throw new IllegalArgumentException("bitsPerSecond must be in 0..10^13: " + bitsPerSecond);
    }
    this.bitsPerSecond = bitsPerSecond;
    fraction = 0;
    if (bitsPerSecond == UNLIMITED) {
      isWaiting = false;
      nextNs = Long.MIN_VALUE;
    } else {
      final long wholeBytes = Math.min(MAX_TRAIN_BYTES, bytesIn(MAX_TRAIN_NS));
      punctualBytes = (int) (wholeBytes / 2);
      latestNs = Math.min(MAX_TRAIN_NS / 2, nanosOf(MAX_TRAIN_BYTES / 2));
    }
  }

  /** Whether a rate is set. */
  public boolean isLimited() {
    return bitsPerSecond != UNLIMITED;
  }

  /** Whether a train may start now. If not, somebody waits from now on. */
  public boolean mayStart(long nowNs) {
    if (bitsPerSecond == UNLIMITED || nextNs <= nowNs) {
      return true;
    }
    isWaiting = true;
    return false;
  }

  /**
   * Bytes that a train may have if the train starts now. The train may have a single packet in any
   * case.
   *
   * @return {@link Integer#MAX_VALUE} without a rate
   */
  public int trainBytes(long nowNs) {
    if (bitsPerSecond == UNLIMITED) {
      return Integer.MAX_VALUE;
    }
    return punctualBytes + (int) bytesIn(lateNs(nowNs));
  }

  /** A train of this number of bytes starts now; no caller is known to wait for the next train. */
  public void onTrain(int bytes, long nowNs) {
    if (bitsPerSecond != UNLIMITED) {
      charge(bytes, nowNs);
      isWaiting = false;
    }
  }

  /** A frame that does not wait was sent; the next train waits for this frame's time. */
  public void onUrgent(int bytes, long nowNs) {
    if (bitsPerSecond != UNLIMITED) {
      charge(bytes, nowNs);
    }
  }

  /** Nothing waits any more. */
  public void onIdle() {
    isWaiting = false;
  }

  /** Whether somebody was told to wait and nothing was sent since. */
  public boolean isWaiting() {
    return isWaiting;
  }

  /** The time when the next train may start, ns. This time may lie in the past. */
  public long nextTrainNs() {
    return nextNs;
  }

  private long lateNs(long nowNs) {
    return isWaiting && nextNs < nowNs ? Math.min(nowNs - nextNs, latestNs) : 0;
  }

  private void charge(int bytes, long nowNs) {
    assert bytes >= 0 && bytes <= MOST_BYTES;
    final long earliestNs = nowNs - lateNs(nowNs);
    if (nextNs < earliestNs) {
      nextNs = earliestNs;
      fraction = 0;
    }
    final long scaled = (long) bytes * Byte.SIZE * NANOS_PER_SECOND;
    nextNs += scaled / bitsPerSecond;
    fraction += scaled % bitsPerSecond;
    if (fraction >= bitsPerSecond) {
      fraction -= bitsPerSecond;
      nextNs++;
    }
  }

  private long bytesIn(long ns) {
    return ns * bitsPerSecond / (Byte.SIZE * NANOS_PER_SECOND);
  }

  private long nanosOf(int bytes) {
    return (long) bytes * Byte.SIZE * NANOS_PER_SECOND / bitsPerSecond;
  }
}
