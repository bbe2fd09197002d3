package io.millrace.protocol.congestion;

import io.millrace.protocol.schedule.LeakyBucket;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many bytes, asked for or not, may be on their way to a worker. With this bound,
 * hundreds of senders without knowledge of each other do not overflow the queue in front of the
 * worker's link.
 *
 * <p>The limit is the link's delivery in a round trip, plus most of the queue's capacity: the queue
 * drains while the worker turns to something else. At most a quarter of the limit goes to credit
 * for unasked data of peers; the rest is for grants. Each path keeps a small base for a single
 * small message, which is not counted. A path's allowance beyond the base is a {@link Share}. An
 * active path has a share; a silent path loses its share after twice the time after which the
 * sender no longer uses the share.
 *
 * <p>Without a bandwidth nothing is bounded here. Owned by a worker, on the worker's thread. Time
 * is passed in; does not allocate.
 */
public final class ReceiveBudget {
  /** The time for which a sender may use a share after the sender heard of the share, ms. */
  public static final int CREDIT_LIFETIME_MS = 20;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** The receiver counts a share for twice as long as the share's sender may use the share. */
  private static final long SHARE_NS = 2L * CREDIT_LIFETIME_MS * NANOS_PER_MILLI;

  private static final int UNASKED_PART = 4;
  private static final long MOST_GRANTED_BYTES = 1 << 30;

  /** Three quarters of the budget that no other path has. */
  private static final int SHARE_QUARTERS = 3;

  /** A smaller share would hold no message that the base cannot hold. */
  private static final long LEAST_SHARE_BYTES = 1_024;

  /** An eighth of the queue is for headers, acknowledgements and requests for memory. */
  private static final int QUEUE_RESERVE_PART = 8;

  /**
   * Short round trips are believed soon, and long round trips late, because a long round trip may
   * contain a queue.
   */
  private static final int SHORTER_WEIGHT = 2;

  private static final int LONGER_WEIGHT = 64;

  private long bytesPerSecond;
  private long queueBytes;
  private final LeakyBucket grants;
  private final AnswerSchedule answers;
  private long rttNs;
  private long limitBytes;
  private long unaskedBytes;
  private @Nullable Share oldest;
  private @Nullable Share newest;

  /** A path's allowance beyond its base; made once with the path. */
  public static final class Share {
    private long bytes;
    private long sinceNs;
    private @Nullable Share older;
    private @Nullable Share newer;

    /** Bytes that the peer may send unasked beyond the base of the path. */
    public long bytes() {
      return bytes;
    }
  }

  /**
   * A budget with no bytes taken.
   *
   * @param bytesPerSecond the rate of the link to this worker; 0 bounds nothing
   * @param queueBytes the bytes that the queue in front of the link takes before the queue drops
   */
  public ReceiveBudget(long bytesPerSecond, long queueBytes) {
    this(bytesPerSecond, queueBytes, LeakyBucket.UNLIMITED);
  }

  /** Creates a budget with a rate that grants keep to, bits per second; 0 for no rate. */
  public ReceiveBudget(long bytesPerSecond, long queueBytes, long grantBitsPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
    this.queueBytes = queueBytes;
    grants = new LeakyBucket(grantBitsPerSecond);
    answers = new AnswerSchedule(bytesPerSecond);
    limitBytes = limit();
    answers.limit(limitBytes);
  }

  /** The foreseen answers on their way to the worker; empty where nothing is bounded. */
  public AnswerSchedule answers() {
    return answers;
  }

  /** Whether anything is bounded. */
  public boolean isBounded() {
    return bytesPerSecond > 0;
  }

  /** A path measured its least round trip, ns. */
  public void onRtt(long leastRttNs) {
    final int weight = leastRttNs < rttNs ? SHORTER_WEIGHT : LONGER_WEIGHT;
    rttNs += (leastRttNs - rttNs) / weight;
    limitBytes = limit();
    answers.limit(limitBytes);
  }

  /**
   * Another link leads to this worker from now on. The numbers are as in the constructor; a budget
   * that bounds nothing goes on to bound nothing, and a budget that bounds goes on to bound: peers
   * were told so in their handshakes.
   */
  public void onLink(long linkBytesPerSecond, long linkQueueBytes, long grantBitsPerSecond) {
    grants.rate(grantBitsPerSecond);
    if (isBounded() && linkBytesPerSecond > 0) {
      bytesPerSecond = linkBytesPerSecond;
      queueBytes = linkQueueBytes;
      limitBytes = limit();
      answers.link(bytesPerSecond, limitBytes);
    }
  }

  private long limit() {
    if (!isBounded()) {
      return Long.MAX_VALUE;
    }
    final double inFlight = (double) bytesPerSecond * rttNs / NANOS_PER_SECOND;
    return (long) inFlight + queueBytes - queueBytes / QUEUE_RESERVE_PART;
  }

  /** Bytes that may be on their way in all; {@link Long#MAX_VALUE} if nothing is bounded. */
  public long limitBytes() {
    return limitBytes;
  }

  /** Bytes of the limit that may be granted. */
  public long grantBytes() {
    return isBounded() ? limitBytes - unaskedBytes - answers.reservedBytes() : Long.MAX_VALUE;
  }

  /**
   * Bytes that may be granted now for the rate's sake.
   *
   * @param stepBytes the bytes that may be granted at once
   */
  public long pacedBytes(int stepBytes, long nowNs) {
    if (!grants.isLimited()) {
      return Long.MAX_VALUE;
    }
    return grants.mayStart(nowNs) ? stepBytes : 0;
  }

  /** These bytes were granted. */
  public void onGranted(long bytes, long nowNs) {
    if (bytes > 0) {
      grants.onTrain((int) Math.min(bytes, MOST_GRANTED_BYTES), nowNs);
    }
  }

  /**
   * When more may be granted for the rate's sake, or because foreseen answers did not come, ns;
   * {@link Long#MAX_VALUE} if that is now.
   */
  public long nextGrantNs(long nowNs) {
    final long rateNs = grants.nextTrainNs() > nowNs ? grants.nextTrainNs() : Long.MAX_VALUE;
    return Math.min(rateNs, answers.nextEndNs());
  }

  /** Bytes that paths may send unasked beyond their bases. */
  public long unaskedBytes() {
    return unaskedBytes;
  }

  /**
   * The most that this path may have beyond its base now: three quarters of the budget that no
   * other path has.
   */
  public long offer(Share share) {
    final long others = unaskedBytes - share.bytes;
    final long offer = (limitBytes / UNASKED_PART - others) * SHARE_QUARTERS / 4;
    return offer < LEAST_SHARE_BYTES ? 0 : offer;
  }

  /** The path was told that the peer may send these bytes beyond the base. */
  public void take(Share share, long bytes, long nowNs) {
    unlink(share);
    count(share, bytes);
    if (bytes > 0) {
      share.sinceNs = nowNs;
      linkLast(share);
    }
    assert invariantsHold();
  }

  /** These bytes of the share have arrived. */
  public void onArrived(Share share, long bytes) {
    if (share.bytes > 0) {
      final long left = Math.max(share.bytes - bytes, 0);
      if (left == 0) {
        unlink(share);
      }
      count(share, left);
      assert invariantsHold();
    }
  }

  /** Shares of paths that have been silent for long are taken back. */
  public void onTurn(long nowNs) {
    answers.onTurn(nowNs);
    Share first = oldest;
    while (first != null && nowNs - first.sinceNs >= SHARE_NS) {
      take(first, 0, nowNs);
      first = oldest;
    }
  }

  private void count(Share share, long bytes) {
    unaskedBytes += bytes - share.bytes;
    share.bytes = bytes;
    answers.unasked(unaskedBytes);
  }

  private void linkLast(Share share) {
    share.older = newest;
    if (newest == null) {
      oldest = share;
    } else {
      newest.newer = share;
    }
    newest = share;
  }

  private void unlink(Share share) {
    if (share.bytes == 0) {
      return;
    }
    final Share older = share.older;
    final Share newer = share.newer;
    if (older == null) {
      oldest = newer;
    } else {
      older.newer = newer;
    }
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
    }
    share.older = null;
    share.newer = null;
  }

  private boolean invariantsHold() {
    return unaskedBytes >= 0 && (oldest == null) == (unaskedBytes == 0);
  }
}
