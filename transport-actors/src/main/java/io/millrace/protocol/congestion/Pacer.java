package io.millrace.protocol.congestion;

import io.millrace.protocol.schedule.LeakyBucket;

/**
 * Spreads what one path sends over time, at the rate that its congestion controller gives.
 *
 * <p>Owned by the path, on the worker's thread. Slack and what waiting means are those of {@link
 * LeakyBucket}; a controller without a rate costs one comparison. Does not allocate.
 */
public final class Pacer {
  private static final long MOST_BYTES_PER_SECOND = LeakyBucket.MAX_BITS_PER_SECOND / Byte.SIZE;

  private final LeakyBucket bucket = new LeakyBucket(LeakyBucket.UNLIMITED);

  /** The rate from now on, bytes per second; 0 if the window alone decides. */
  public void onRate(long bytesPerSecond) {
    bucket.rate(Math.min(bytesPerSecond, MOST_BYTES_PER_SECOND) * Byte.SIZE);
  }

  /** Whether there is a rate to keep. */
  public boolean isLimited() {
    return bucket.isLimited();
  }

  /** Whether a train may start now. */
  public boolean mayStart(long nowNs) {
    return bucket.mayStart(nowNs);
  }

  /** Bytes that a train may have which starts now; see {@link LeakyBucket#trainBytes}. */
  public int trainBytes(long nowNs) {
    return bucket.trainBytes(nowNs);
  }

  /** A train of so many bytes starts now. */
  public void onTrain(int bytes, long nowNs) {
    bucket.onTrain(bytes, nowNs);
  }

  /** Something that waits for nobody was sent. */
  public void onUrgent(int bytes, long nowNs) {
    bucket.onUrgent(bytes, nowNs);
  }

  /** Nothing of the path waits any more. */
  public void onIdle() {
    bucket.onIdle();
  }

  /** When the next train may start, ns. */
  public long nextTrainNs() {
    return bucket.nextTrainNs();
  }
}
