package io.millrace.protocol.schedule;

/**
 * Decides when one worker may send its next train to whomever, so that its NIC is not asked to send
 * faster than its rate. The workers of a NIC share the rate evenly and know nothing of each other:
 * one that has little to send leaves its part unused. Lengths are those of datagrams; the headers
 * of the layers below count, too.
 *
 * <p>One a worker, on its thread. Slack, exactness and what waiting means are those of {@link
 * LeakyBucket}. Does not allocate.
 */
public final class Shaper {
  private static final long NEVER = Long.MAX_VALUE;

  private final LeakyBucket bucket;
  private final int packetOverheadBytes;

  /**
   * One that has sent nothing.
   *
   * @param bitsPerSecond of the NIC; {@link LeakyBucket#UNLIMITED} for none
   * @param workers who share it
   * @param packetOverheadBytes what a packet takes besides its datagram
   */
  public Shaper(long bitsPerSecond, int workers, int packetOverheadBytes) {
    bucket = new LeakyBucket(bitsPerSecond / workers);
    this.packetOverheadBytes = packetOverheadBytes;
  }

  /** Whether a train may start now. If not, the worker looks again at {@link #nextDeadlineNs}. */
  public boolean mayStart(long nowNs) {
    return bucket.mayStart(nowNs);
  }

  /** Bytes that a train may have which starts now; see {@link LeakyBucket#trainBytes}. */
  public int trainBytes(long nowNs) {
    return bucket.trainBytes(nowNs);
  }

  /** A train of so many datagrams, and bytes of them all, starts now. */
  public void onTrain(int bytes, int packets, long nowNs) {
    bucket.onTrain(bytes + packets * packetOverheadBytes, nowNs);
  }

  /** A datagram that waits for nobody was sent. */
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

  /** When what waits may go on, ns; {@link Long#MAX_VALUE} if nothing does. */
  public long nextDeadlineNs() {
    return bucket.isWaiting() ? bucket.nextTrainNs() : NEVER;
  }
}
