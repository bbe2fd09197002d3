package io.millrace.protocol.schedule;

/**
 * Decides when a worker may send its next train through a NIC, to any peer, so that the NIC is not
 * asked to send faster than the NIC's rate. All workers that send through the NIC share the {@link
 * SendRate}: a worker with something to send takes a turn there, and sends when its turn has come.
 * Workers that wait have equal parts: while another worker waits, a turn carries trains of several
 * peers, and bytes beyond a turn shorten the next turn. All turns have equal length. A turn is as
 * long as the longest packet of any worker, if that is longer than half a train. The part of an
 * idle worker is lent to the others. Lengths are lengths of datagrams; the headers of the layers
 * below count, too.
 *
 * <p>Slack and exactness are as in {@link LeakyBucket}: a turn has half the length of a whole
 * train, and a worker that comes late to its turn may send as much more as the worker is late. No
 * time span carries more than the rate and a whole train for each worker that sends. Time in which
 * nobody waited is not made up for.
 *
 * <p>Each worker has its own shaper for each NIC, on the worker's thread. No clock; does not
 * allocate.
 */
public final class Shaper {
  private static final long NEVER = Long.MAX_VALUE;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final SendRate rate;
  private final long bitsPerSecond;
  private final int packetOverheadBytes;

  /** Bytes of a turn that begins in time, and the time of these bytes at the rate, ns. */
  private final int punctualBytes;

  private final long punctualNs;

  /** The largest lateness that a train may make up for, ns. */
  private final long latestNs;

  /** When the turn at hand starts, ns; counts while {@link #hasTurn}. */
  private long startNs;

  /** The part of the turn at hand that no train has used, ns. */
  private long restNs;

  /** When all bytes sent in the turn at hand have left at the rate, ns. */
  private long endNs;

  /** The end of the turn at hand as taken, ns; later turns are of workers that wait. */
  private long claimedNs;

  /** The time used beyond the last turn, ns. */
  private long debtNs;

  /**
   * The longest packet of this worker, ns; the rest of a turn is used while it holds the packet.
   */
  private long packetNs;

  private boolean hasTurn;
  private boolean isWaiting;

  /** The part of sent bytes not yet counted, in {@code bitsPerSecond}ths of 1 ns. */
  private long fraction;

  /**
   * A shaper that has sent nothing.
   *
   * @param rate the rate of the NIC
   * @param packetOverheadBytes the bytes of a packet besides its datagram
   */
  public Shaper(SendRate rate, int packetOverheadBytes) {
    this.rate = rate;
    this.packetOverheadBytes = packetOverheadBytes;
    bitsPerSecond = rate.bitsPerSecond();
    if (isLimited()) {
      final long whole = bytesIn(LeakyBucket.MAX_TRAIN_NS);
      punctualBytes = (int) Math.min(LeakyBucket.MAX_TRAIN_BYTES, whole) / 2;
      punctualNs = nanosOf(punctualBytes);
      latestNs = Math.min(LeakyBucket.MAX_TRAIN_NS / 2, nanosOf(LeakyBucket.MAX_TRAIN_BYTES / 2));
    } else {
      punctualBytes = Integer.MAX_VALUE;
      punctualNs = 0;
      latestNs = 0;
    }
  }

  private boolean isLimited() {
    return bitsPerSecond != LeakyBucket.UNLIMITED;
  }

  /**
   * Whether a train may start now. If not, the worker waits for its turn from now on, and looks
   * again at {@link #nextDeadlineNs}.
   */
  public boolean mayStart(long nowNs) {
    if (!isLimited()) {
      return true;
    }
    if (!hasTurn) {
      restNs = Math.max(Math.max(punctualNs, rate.longestNs(0)) - debtNs, 1);
      startNs = rate.take(nowNs, restNs);
      endNs = startNs;
      claimedNs = startNs + restNs;
      debtNs = 0;
      hasTurn = true;
    }
    if (startNs <= nowNs) {
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
    if (!isLimited()) {
      return Integer.MAX_VALUE;
    }
    final boolean isWhole = !hasTurn || restNs >= punctualNs;
    return (isWhole ? punctualBytes : (int) bytesIn(restNs)) + (int) bytesIn(lateNs(nowNs));
  }

  /**
   * A train of this number of datagrams, with these bytes in all, starts now. The turn goes on
   * while its rest holds a packet and another worker waits.
   */
  public void onTrain(int bytes, int packets, long nowNs) {
    if (!isLimited()) {
      return;
    }
    final long lengthNs = lengthNs(bytes + (long) packets * packetOverheadBytes);
    final long lateNs = lateNs(nowNs);
    isWaiting = false;
    packetNs = Math.max(packetNs, lengthNs / packets);
    if (packets == 1 && lengthNs > punctualNs + latestNs) {
      rate.longestNs(lengthNs);
    }
    if (!hasTurn) {
      rate.settle(lengthNs, nowNs + lengthNs);
      return;
    }
    endNs = Math.max(endNs, nowNs - lateNs) + lengthNs;
    final long moreNs = Math.clamp(punctualNs + latestNs - restNs, 0, lateNs);
    restNs += moreNs - lengthNs;
    final boolean isContended = rate.take(Long.MIN_VALUE, 0) > claimedNs;
    claimedNs += moreNs;
    hasTurn = isContended && restNs > 0 && restNs >= packetNs;
    debtNs = isContended ? Math.max(-restNs, 0) : 0;
    rate.settle(hasTurn ? moreNs : moreNs - restNs, endNs);
  }

  /** A datagram that does not wait was sent; the turn at hand waits for this datagram's time. */
  public void onUrgent(int bytes, long nowNs) {
    if (isLimited()) {
      final long lengthNs = lengthNs(bytes + (long) packetOverheadBytes);
      rate.settle(lengthNs, nowNs - lateNs(nowNs) + lengthNs);
      if (hasTurn) {
        startNs += lengthNs;
        endNs += lengthNs;
        claimedNs += lengthNs;
      }
    }
  }

  /** Nothing waits any more: gives the rest of the turn at hand back; a debt stays. */
  public void onIdle() {
    if (hasTurn) {
      rate.settle(-restNs, endNs);
      hasTurn = false;
    }
    isWaiting = false;
  }

  /** Whether something waits for its turn. */
  public boolean isWaiting() {
    return isWaiting;
  }

  /** When the waiting path may go on, ns; {@link Long#MAX_VALUE} if no path waits. */
  public long nextDeadlineNs() {
    return isWaiting ? startNs : NEVER;
  }

  private long lateNs(long nowNs) {
    return hasTurn && isWaiting && startNs < nowNs ? Math.min(nowNs - startNs, latestNs) : 0;
  }

  /** The time of these bytes at the rate, ns; the remainder counts with later bytes. */
  private long lengthNs(long bytes) {
    final long scaled = bytes * Byte.SIZE * NANOS_PER_SECOND;
    fraction += scaled % bitsPerSecond;
    long lengthNs = scaled / bitsPerSecond;
    if (fraction >= bitsPerSecond) {
      fraction -= bitsPerSecond;
      lengthNs++;
    }
    return lengthNs;
  }

  private long bytesIn(long ns) {
    return ns * bitsPerSecond / (Byte.SIZE * NANOS_PER_SECOND);
  }

  private long nanosOf(int bytes) {
    return (long) bytes * Byte.SIZE * NANOS_PER_SECOND / bitsPerSecond;
  }
}
