package io.millrace.protocol.congestion;

import io.millrace.protocol.schedule.LeakyBucket;

/**
 * Spreads the packets of a path over time, at the rate that the path's congestion controller gives.
 *
 * <p>Owned by the path, on the worker's thread. Slack and waiting are as in {@link LeakyBucket}; a
 * controller without a rate costs a comparison. Does not allocate.
 */
public final class Pacer {
  private static final long MOST_BYTES_PER_SECOND = LeakyBucket.MAX_BITS_PER_SECOND / Byte.SIZE;

  private final LeakyBucket bucket = new LeakyBucket(LeakyBucket.UNLIMITED);

  /** The rate from now on, bytes per second; 0 if the window alone decides. */
  public void onRate(long bytesPerSecond) {
    bucket.rate(Math.min(bytesPerSecond, MOST_BYTES_PER_SECOND) * Byte.SIZE);
  }

  /** Whether a rate is set. */
  public boolean isLimited() {
    return bucket.isLimited();
  }

  /** Whether a train may start now. */
  public boolean mayStart(long nowNs) {
    return bucket.mayStart(nowNs);
  }

  /** Bytes that a train may have if the train starts now; see {@link LeakyBucket#trainBytes}. */
  public int trainBytes(long nowNs) {
    return bucket.trainBytes(nowNs);
  }

  /** A train of this number of bytes starts now. */
  public void onTrain(int bytes, long nowNs) {
    bucket.onTrain(bytes, nowNs);
  }

  /** A frame that does not wait for pacing was sent. */
  public void onUrgent(int bytes, long nowNs) {
    bucket.onUrgent(bytes, nowNs);
  }

  /** Nothing of the path waits any more. */
  public void onIdle() {
    bucket.onIdle();
  }

  /** The time when the next train may start, ns. */
  public long nextTrainNs() {
    return bucket.nextTrainNs();
  }
}
