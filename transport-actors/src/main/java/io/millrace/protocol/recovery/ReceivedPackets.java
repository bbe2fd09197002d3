package io.millrace.protocol.recovery;

import io.millrace.wire.codec.AckEncoder;

/**
 * Decides for a path which packets were seen before and when to acknowledge the arrivals.
 *
 * <p>Ask {@link #canAccept} before a packet is deciphered, so that replays cost nothing, and call
 * {@link #onPacket} once the packet proved authentic. An acknowledgement is due at once after a
 * number of packets that want an acknowledgement, after a gap, after an overtaken packet and after
 * a congestion mark. Otherwise an acknowledgement is due once the oldest such packet has waited for
 * the delay. Packets that may wait are counted apart, and wait longer. An acknowledgement is due,
 * too, when half the window has come since the last acknowledgement, whether or not these packets
 * want an acknowledgement. Else the packets would leave the window unnamed, and a sender may want
 * to know the fate of an Ack frame with a new limit. An Ack frame names the newest ranges first,
 * out of the last packets of the window, and no packet below the peer's confirmed knowledge.
 *
 * <p>Owned by the peer, on the worker's thread. Does not allocate after construction.
 */
public final class ReceivedPackets {
  /**
   * The default number of packets below the largest that are told apart; older packets are refused.
   */
  public static final int WINDOW = 4096;

  /**
   * The fewest packets that a path may tell apart: an Ack frame names no packet below the window,
   * so the window must exceed the packets between two Ack frames.
   */
  public static final int LEAST_WINDOW = 128;

  /** The most packets that a path may tell apart. */
  public static final int MOST_WINDOW = 1 << 16;

  /**
   * The default number of packets that want an acknowledgement before an acknowledgement is due at
   * once.
   */
  public static final int DEFAULT_PACKETS_PER_ACK = 2;

  /** Default of the longest that an acknowledgement is held back, ns. */
  public static final long DEFAULT_ACK_DELAY_NS = 1_000_000;

  /** The number of packets that may wait before an acknowledgement is due at once; rule R-8. */
  static final int PATIENT_PACKETS_PER_ACK = 8;

  /** The most ranges that an Ack frame can have behind the first range. */
  public static final int MAX_RANGES = 254;

  /** This number of the newest packets that had to count as not received is still refused. */
  static final int REFUSED = 64;

  private static final long NONE = Long.MAX_VALUE;
  private static final long MAX_DELAY_NS = 0xFFFF_FFFEL;

  private final int packetsPerAck;
  private final long ackDelayNs;
  private final long patienceNs;
  private final PacketBits received;
  private final long[] refused = new long[REFUSED];

  private long largest = -1;
  private long largestReceivedNs;

  /** The first packet of the newest run without gaps, which ends at the largest. */
  private long newestRunStart;

  /** Below this number the peer knows of all arrivals. */
  private long reportFrom;

  private long refusedCount;
  private long largestRefused = -1;

  /** Packets that want an acknowledgement soon. */
  private int unackedPackets;

  /** Packets that want an acknowledgement and may wait. */
  private int patientPackets;

  /** Whether frames other than requests came since the last acknowledgement. */
  private boolean hasOthers;

  /** No packet from this number on was in an Ack frame. */
  private long unnamedFrom;

  private boolean hasUnreportedGap;
  private long ackDeadlineNs = NONE;
  private int cePackets;

  /** The largest packet that the last Ack frame named if the frame named all ranges, else -1. */
  private long reportedLargest = -1;

  /** Makes the receive side of a path on which nothing has arrived. */
  public ReceivedPackets() {
    this(DEFAULT_PACKETS_PER_ACK, DEFAULT_ACK_DELAY_NS, /* patienceNs= */ 0, WINDOW);
  }

  /**
   * Makes the receive side of a path on which nothing has arrived.
   *
   * @param packetsPerAck the number of packets that want an acknowledgement before an
   *     acknowledgement is due
   * @param ackDelayNs the longest time that an acknowledgement is held back
   * @param patienceNs how much longer the acknowledgement of a packet that may wait is held back
   * @param windowPackets how many packets below the largest are told apart; a power of two
   */
  public ReceivedPackets(int packetsPerAck, long ackDelayNs, long patienceNs, int windowPackets) {
    if (packetsPerAck < 1) {
      throw new IllegalArgumentException("packetsPerAck must be 1 or more: " + packetsPerAck);
    }
    if (ackDelayNs < 0 || ackDelayNs > MAX_DELAY_NS) {
      throw new IllegalArgumentException(
          "ackDelayNs must be in 0.." + MAX_DELAY_NS + ": " + ackDelayNs);
    }
    if (patienceNs < 0 || ackDelayNs + patienceNs > MAX_DELAY_NS) {
      throw new IllegalArgumentException(
          "ackDelayNs and patienceNs must be in 0.." + MAX_DELAY_NS + " together: " + patienceNs);
    }
    if (windowPackets < LEAST_WINDOW
        || windowPackets > MOST_WINDOW
        || Integer.bitCount(windowPackets) != 1) {
      throw new IllegalArgumentException(
          "windowPackets must be a power of two in 128..65536: " + windowPackets);
    }
    received = new PacketBits(windowPackets);
    this.packetsPerAck = packetsPerAck;
    this.ackDelayNs = ackDelayNs;
    this.patienceNs = patienceNs;
  }

  /**
   * Whether a packet of this number is new; false for duplicates and for packets too old to tell.
   */
  public boolean canAccept(long packetNumber) {
    boolean isNew =
        packetNumber > largest || (packetNumber >= windowStart() && !received.isSet(packetNumber));
    return isNew && (packetNumber > largestRefused || !isRefused(packetNumber));
  }

  /**
   * Whether so many packets came after this packet that nobody can tell whether this packet came;
   * rule P-3.
   */
  public boolean isTooOld(long packetNumber) {
    return packetNumber >= 0 && packetNumber < windowStart();
  }

  private boolean isRefused(long packetNumber) {
    for (int i = 0; i < Math.min(refusedCount, REFUSED); i++) {
      if (refused[i] == packetNumber) {
        return true;
      }
    }
    return false;
  }

  /**
   * An authentic packet must count as not received: the packet is never acknowledged, and a copy is
   * no more acceptable than a copy of a received packet.
   *
   * @param packetNumber a number that {@link #canAccept} allows
   */
  public void onRefused(long packetNumber) {
    refused[(int) (refusedCount % REFUSED)] = packetNumber;
    refusedCount++;
    largestRefused = Math.max(largestRefused, packetNumber);
  }

  /**
   * A new and authentic packet arrived.
   *
   * @param packetNumber a number that {@link #canAccept} allows
   * @param isAckEliciting whether the packet carries anything but Ack and PathClose frames
   * @param isCeMarked whether the network marked the packet as having met congestion
   */
  public void onPacket(long packetNumber, boolean isAckEliciting, boolean isCeMarked, long nowNs) {
    onPacket(packetNumber, isAckEliciting, /* mayWait= */ false, isCeMarked, nowNs);
  }

  /**
   * As {@link #onPacket(long, boolean, boolean, long)}.
   *
   * @param mayWait whether the acknowledgement may wait longer; rule R-8
   */
  public void onPacket(
      long packetNumber, boolean isAckEliciting, boolean mayWait, boolean isCeMarked, long nowNs) {
    assert canAccept(packetNumber) : packetNumber;
    hasUnreportedGap |= packetNumber != largest + 1;
    if (packetNumber > largest) {
      onNewLargest(packetNumber, nowNs);
    } else {
      onOvertaken(packetNumber);
    }
    if (isCeMarked) {
      cePackets++;
    }
    if (isAckEliciting && mayWait && patienceNs > 0) {
      onWaiting(isCeMarked, nowNs);
    } else if (isAckEliciting) {
      onWanted(isCeMarked, nowNs);
    } else if (patientPackets > 0) {
      // The sender may have acknowledged alone, and is patient no longer; rule R-8.
      ackDeadlineNs = Math.min(ackDeadlineNs, nowNs);
    }
    if (largest - unnamedFrom >= received.capacity() / 2) {
      ackDeadlineNs = Math.min(ackDeadlineNs, nowNs);
    }
    assert invariantsHold();
  }

  private void onWanted(boolean isCeMarked, long nowNs) {
    unackedPackets++;
    final boolean isUrgent = unackedPackets >= packetsPerAck || hasUnreportedGap || isCeMarked;
    ackDeadlineNs = isUrgent ? nowNs : Math.min(ackDeadlineNs, nowNs + ackDelayNs);
  }

  private void onWaiting(boolean isCeMarked, long nowNs) {
    patientPackets++;
    final boolean isUrgent =
        patientPackets >= PATIENT_PACKETS_PER_ACK || hasUnreportedGap || isCeMarked;
    final long dueNs = isUrgent ? nowNs : nowNs + ackDelayNs + patienceNs;
    ackDeadlineNs = Math.min(ackDeadlineNs, dueNs);
  }

  /**
   * Whether the peer waits for an acknowledgement of requests soon, and sends these requests again
   * if none comes.
   */
  public boolean isPromptAckPending() {
    return unackedPackets > 0 && !hasOthers;
  }

  /** The packet that arrives now has other frames than requests; ahead of {@link #onPacket}. */
  public void onOthers() {
    hasOthers = true;
  }

  /** Whether a packet arrived that wants an acknowledgement and has not got an acknowledgement. */
  public boolean isAckPending() {
    return ackDeadlineNs != NONE;
  }

  /** Whether an acknowledgement should be sent now even if nothing else is. */
  public boolean isAckDue(long nowNs) {
    return nowNs >= ackDeadlineNs;
  }

  /**
   * The time when an acknowledgement is due, ns; {@link Long#MAX_VALUE} without a pending
   * acknowledgement.
   */
  public long ackDeadlineNs() {
    return ackDeadlineNs;
  }

  /** Whether there is anything to acknowledge: false until the first packet arrived. */
  public boolean canEncodeAck() {
    return largest >= 0;
  }

  /**
   * Fills an Ack frame that the caller has wrapped, newest ranges first.
   *
   * @param inlineLimit the receiver's allowance, carried in the same frame
   * @param maxRanges how many ranges behind the first there is room for, at most {@link
   *     #MAX_RANGES}
   * @return the number of ranges written behind the first
   */
  public int encodeAck(AckEncoder ack, long nowNs, long inlineLimit, int maxRanges) {
    assert canEncodeAck();
    final long floor = Math.min(Math.max(reportFrom, windowStart()), largest);
    long low = Math.max(newestRunStart, floor);
    ack.largest(largest)
        .delayNs(Math.clamp(nowNs - largestReceivedNs, 0, MAX_DELAY_NS))
        .ecnCePackets(cePackets)
        .inlineLimit(inlineLimit)
        .firstRange(largest - low);
    final AckEncoder.RangesEncoder ranges = ack.rangesCount(Math.min(maxRanges, MAX_RANGES));
    int count = 0;
    long high = received.previousSet(low - 1, floor);
    while (high >= floor && count < maxRanges && count < MAX_RANGES) {
      final long gap = low - high - 2;
      low = received.previousClear(high, floor) + 1;
      ranges.next().gap(gap).length(high - low);
      count++;
      high = received.previousSet(low - 1, floor);
    }
    reportedLargest = high < floor ? largest : -1;
    return ranges.resetCountToIndex();
  }

  /** A packet with an Ack frame, as {@link #encodeAck} just filled the frame, was sent. */
  public void onAckSent() {
    ackDeadlineNs = NONE;
    unnamedFrom = largest + 1;
    unackedPackets = 0;
    patientPackets = 0;
    hasOthers = false;
    hasUnreportedGap = false;
    assert invariantsHold();
  }

  /**
   * The largest packet that the last Ack frame named, or -1 if the frame had no room for all
   * ranges. An owner that logs this number as an item of the carrying packet learns when the peer
   * has got the frame.
   */
  public long reportedLargest() {
    return reportedLargest;
  }

  /**
   * The peer has got the Ack frame with this {@link #reportedLargest}: packets named in the frame
   * need not be named again. Optional; the call keeps frames short where packets were lost for
   * good.
   */
  public void onReportConfirmed(long largestOfReport) {
    reportFrom = Math.max(reportFrom, largestOfReport + 1);
  }

  /** The largest packet number that arrived; -1 before the first. */
  public long largest() {
    return largest;
  }

  /** Packets that arrived with a congestion mark, modulo 2^32. */
  public int cePackets() {
    return cePackets;
  }

  private void onNewLargest(long packetNumber, long nowNs) {
    if (packetNumber != largest + 1) {
      received.clearRange(largest + 1, packetNumber - 1);
      newestRunStart = packetNumber;
    }
    received.set(packetNumber);
    largest = packetNumber;
    largestReceivedNs = nowNs;
  }

  private void onOvertaken(long packetNumber) {
    received.set(packetNumber);
    if (packetNumber == newestRunStart - 1) {
      newestRunStart = received.previousClear(packetNumber, windowStart()) + 1;
    }
    reportFrom = Math.min(reportFrom, packetNumber);
  }

  private long windowStart() {
    return Math.max(largest - received.capacity() + 1, 0);
  }

  private boolean invariantsHold() {
    return newestRunStart <= Math.max(largest, 0)
        && received.isSet(largest)
        && (ackDeadlineNs != NONE || unackedPackets + patientPackets == 0)
        && (unackedPackets < packetsPerAck || ackDeadlineNs != NONE);
  }
}
