package io.millrace.protocol.schedule;

/**
 * Decides when a worker may send its next train, to any peer, so that the worker's NIC is not asked
 * to send faster than the NIC's rate. The workers of a NIC share the rate evenly and know nothing
 * of each other: a worker with little to send leaves its part unused. Lengths are lengths of
 * datagrams; the headers of the layers below count, too.
 *
 * <p>Each worker has its own shaper, on the worker's thread. Slack, exactness and waiting are as in
 * {@link LeakyBucket}. Does not allocate.
 */
public final class Shaper {
  private static final long NEVER = Long.MAX_VALUE;

  private final LeakyBucket bucket;
  private final int packetOverheadBytes;

  /**
   * A shaper that has sent nothing.
   *
   * @param bitsPerSecond rate of the NIC; {@link LeakyBucket#UNLIMITED} for no rate
   * @param workers the number of workers that share the rate
   * @param packetOverheadBytes the bytes of a packet besides its datagram
   */
  public Shaper(long bitsPerSecond, int workers, int packetOverheadBytes) {
    bucket = new LeakyBucket(bitsPerSecond / workers);
    this.packetOverheadBytes = packetOverheadBytes;
  }

  /** Whether a train may start now. If not, the worker looks again at {@link #nextDeadlineNs}. */
  public boolean mayStart(long nowNs) {
    return bucket.mayStart(nowNs);
  }

  /** Bytes that a train may have if the train starts now; see {@link LeakyBucket#trainBytes}. */
  public int trainBytes(long nowNs) {
    return bucket.trainBytes(nowNs);
  }

  /** A train of this number of datagrams, with these bytes in all, starts now. */
  public void onTrain(int bytes, int packets, long nowNs) {
    bucket.onTrain(bytes + packets * packetOverheadBytes, nowNs);
  }

  /** A datagram that does not wait was sent. */
  public void onUrgent(int bytes, long nowNs) {
    bucket.onUrgent(bytes + packetOverheadBytes, nowNs);
  }

  /** Nothing waits any more. */
  public void onIdle() {
    bucket.onIdle();
  }

  /** Whether something waits for time to pass. */
  public boolean isWaiting() {
    return bucket.isWaiting();
  }

  /** When the waiting path may go on, ns; {@link Long#MAX_VALUE} if no path waits. */
  public long nextDeadlineNs() {
    return bucket.isWaiting() ? bucket.nextTrainNs() : NEVER;
  }
}
