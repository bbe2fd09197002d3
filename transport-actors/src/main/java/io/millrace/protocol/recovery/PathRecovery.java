package io.millrace.protocol.recovery;

import io.millrace.protocol.congestion.CongestionController;
import io.millrace.transfer.CongestionState;
import io.millrace.wire.codec.AckDecoder;

/**
 * Decides, for the packets of a path, which packets arrived, which packets are lost, when to ask
 * again and whether another packet may leave now: RFC 9002 with the probe interval of {@link
 * ProbeTimeout}.
 *
 * <p>A packet is logged with {@link #openPacket}, {@link #addItem} and {@link #onPacketSent}. Call
 * {@link #onAnyPacketReceived} for every authentic packet of the peer and {@link #onAck} for its
 * Ack frames; call {@link #onDeadline} when {@link #nextDeadlineNs} has come. A transfer never
 * times out here: intervals grow for as long as the peer is silent, and only {@code PeerLiveness}
 * gives up a peer.
 *
 * <p>Owned by the peer, on the worker's thread. Does not allocate on the steady path (see {@link
 * SentPackets}).
 */
public final class PathRecovery {
  private static final long NONE = Long.MAX_VALUE;

  /** Packets may wait for their acknowledgements up to this part of the window. */
  private static final int PATIENT_SHARE = 4;

  private final long patienceNs;
  private final SentPackets log;
  private final RttEstimator rtt;
  private final LossDetector loss;
  private final ProbeTimeout probeTimeout;
  private final PersistentCongestion persistent = new PersistentCongestion();
  private final CongestionController congestion;
  private final AckRangeCursor ranges = new AckRangeCursor();
  private final RecoveryCounters counters = new RecoveryCounters();

  private long bytesInFlight;
  private long largestAcked = -1;

  /**
   * Since when the newest packet with a wish for an acknowledgement is awaited: since it left, or,
   * if it was allowed to wait, since an Ack ended the wait.
   */
  private long awaitedSinceNs;

  /** The last packet that may not wait for its acknowledgement, or no longer. */
  private long lastPrompt = -1;

  /** The last packet that may wait for its acknowledgement. */
  private long lastPatient = -1;

  private long firstSampleNs = NONE;
  private long lastSampleNs = NONE;
  private int peerCePackets;
  private int probesWanted;

  /** The packet that the last probe timeout spoke of; -1 once anything is newly acknowledged. */
  private long probedPacket = -1;

  /** Makes the recovery of a path on which nothing was sent; the recovery owns the controller. */
  public PathRecovery(RecoverySettings settings, CongestionController congestion) {
    patienceNs = settings.patienceNs();
    log = new SentPackets(settings.log());
    rtt = new RttEstimator(settings.initialRttNs(), settings.maxAckDelayNs());
    loss = new LossDetector(settings.loss());
    probeTimeout = new ProbeTimeout(settings.probeTimeout());
    this.congestion = congestion;
  }

  /** Whether the congestion window, or a wanted probe, lets a packet of this size leave now. */
  public boolean canSend(int bytes) {
    return probesWanted > 0
        || bytesInFlight == 0
        || bytesInFlight + bytes <= congestion.windowBytes();
  }

  /** The state of the congestion controller at present. */
  public CongestionState congestionState() {
    return congestion.congestionState();
  }

  /** The number of bytes that may be in flight. */
  public long windowBytes() {
    return congestion.windowBytes();
  }

  /** How fast packets may leave, bytes per second; 0 if the window alone decides. */
  public long pacingRateBytesPerSecond() {
    return congestion.pacingRateBytesPerSecond();
  }

  /**
   * Nothing waits to be sent on the path although the window is open: the controller does not take
   * the delivered rate for the path's possible rate.
   */
  public void onApplicationLimited() {
    if (bytesInFlight < congestion.windowBytes()) {
      congestion.onApplicationLimited(bytesInFlight);
    }
  }

  /** Datagrams of the path have this many bytes from now on. */
  public void onDatagramBytes(int bytes) {
    congestion.onDatagramBytes(bytes);
  }

  /** Whether the log has room for a packet with this many items. */
  public boolean canOpenPacket(int itemsNeeded) {
    return log.canOpen(itemsNeeded);
  }

  /** Whether the log has room for another item of the open packet. */
  public boolean canAddItem() {
    return log.canAddItem();
  }

  /** How many more items the open packet can have. */
  public int itemsLeft() {
    return log.itemsLeft();
  }

  /** Starts logging a packet; see {@link SentPackets#open}. */
  public void openPacket(long packetNumber) {
    log.open(packetNumber);
  }

  /** Notes an item of the open packet; see {@link SentPackets#addItem}. */
  public void addItem(long item) {
    log.addItem(item);
  }

  /** The open packet tries out its size: its loss does not reduce the window, as RFC 8899 says. */
  public void markSizeProbe() {
    log.markSizeProbe();
  }

  /**
   * Whether a packet of this size may wait for its acknowledgement: most of the window is free, so
   * nothing else waits for this acknowledgement; rule R-8.
   */
  public boolean mayWait(int bytes) {
    return patienceNs > 0 && (bytesInFlight + bytes) * PATIENT_SHARE <= congestion.windowBytes();
  }

  /**
   * The open packet may wait for its acknowledgement. Then the probe timeout is longer by the
   * patience, until {@link #onAsked} or {@link #onPatienceEnded}.
   */
  public void markPatient() {
    log.markPatient();
  }

  /**
   * The peer asks again for packets that this side has acknowledged: the acknowledgements are lost,
   * and the packets with the acknowledgements are awaited from now on like all other packets. The
   * probe timeout counts from the packets: the peer has waited since then.
   */
  public void onAsked() {
    if (lastPatient > lastPrompt) {
      lastPrompt = lastPatient;
    }
  }

  /**
   * An acknowledgement leaves alone, and the peer may ask no more for this reason: the packets that
   * were allowed to wait are awaited from now on like all other packets. The probe timeout counts
   * from now: the peer has had no reason to acknowledge before.
   */
  public void onPatienceEnded(long nowNs) {
    if (lastPatient > lastPrompt) {
      lastPrompt = lastPatient;
      awaitedSinceNs = nowNs;
    }
  }

  /** The open packet will not be sent. */
  public void abandonPacket() {
    log.abandon();
  }

  /**
   * The open packet was sent.
   *
   * @param bytes the packet's size on the wire
   * @param isAckEliciting whether the packet carries anything but an Ack or PathClose frame
   */
  public void onPacketSent(int bytes, boolean isAckEliciting, long nowNs) {
    log.commit(bytes, isAckEliciting, nowNs);
    if (!isAckEliciting) {
      return;
    }
    bytesInFlight += bytes;
    awaitedSinceNs = nowNs;
    if (log.isPatient(log.nextPacketNumber() - 1)) {
      lastPatient = log.nextPacketNumber() - 1;
    } else {
      lastPrompt = log.nextPacketNumber() - 1;
    }
    probesWanted = Math.max(probesWanted - 1, 0);
    congestion.onSent(log.nextPacketNumber() - 1, bytes, bytesInFlight, nowNs);
    assert invariantsHold();
  }

  /**
   * A packet that elicits no acknowledgement was sent without {@link #openPacket}, which an Ack may
   * be even while the log is full.
   */
  public void onUnloggedPacketSent(long packetNumber, long nowNs) {
    log.skip(packetNumber, nowNs);
  }

  /** Any authentic packet of the peer arrived on this path: the peer is there, start over. */
  public void onAnyPacketReceived() {
    probeTimeout.onPacketReceived();
  }

  /**
   * An Ack frame arrived. The caller has checked that the frame's block and its group of ranges lie
   * within the packet.
   *
   * @return {@link AckOutcome#VIOLATION} if nothing was applied because the frame is impossible
   */
  public AckOutcome onAck(AckDecoder ack, long nowNs, RecoverySink sink) {
    if (!ranges.isValid(ack, log.nextPacketNumber())) {
      return AckOutcome.VIOLATION;
    }
    final long largest = ack.largest();
    final long largestSentNs = log.sentNs(largest);
    final long priorAckedPackets = counters.ackedPackets();
    final long priorBytesInFlight = bytesInFlight;
    ranges.start(ack);
    do {
      countSpuriousLosses(nowNs, sink);
      settleAcked(nowNs, sink);
    } while (ranges.moveToOlder() && ranges.high() >= log.oldestOfInterest());
    final boolean hasNewlyAcked = counters.ackedPackets() > priorAckedPackets;
    if (largest > largestAcked) {
      largestAcked = largest;
      if (largestSentNs != SentPackets.UNKNOWN_NS) {
        onNewLargest(ack, largestSentNs, hasNewlyAcked, nowNs);
      }
    }
    detectLosses(nowNs, sink);
    if (hasNewlyAcked) {
      probesWanted = 0;
      probedPacket = -1;
      final long latestRttNs = lastSampleNs == nowNs ? rtt.latestNs() : 0;
      congestion.onAckEnd(priorBytesInFlight, latestRttNs, rtt.minNs(), rtt.smoothedNs(), nowNs);
    }
    assert invariantsHold();
    return AckOutcome.APPLIED;
  }

  /**
   * The peer answered a probe, which a peer does at once. The answer is a sample of the round trip
   * unless an acknowledgement gave a sample in the same turn: the acknowledgement beside the answer
   * speaks of the same packet. The acknowledgement gives no sample if the packet was declared lost
   * too early, and then the answer gives the sample.
   *
   * @param sentNs when the probe left, by this side's own account
   */
  public void onProbeAnswered(long sentNs, long nowNs) {
    if (lastSampleNs != nowNs) {
      onSample(nowNs - sentNs, 0, nowNs);
    }
    assert invariantsHold();
  }

  /**
   * Time has passed: declares the overdue packets lost or, without an acknowledgement, wants a
   * probe and reports the items of an outstanding packet for the probe. The first probe timeout
   * reports the oldest packet, and each further probe timeout the next packet, because the items of
   * the oldest packets may be of no use before a later item arrives. Does nothing before the
   * deadline.
   */
  public void onDeadline(long nowNs, RecoverySink sink) {
    if (nowNs < nextDeadlineNs()) {
      return;
    }
    if (loss.lossDeadlineNs() != NONE) {
      detectLosses(nowNs, sink);
    } else {
      onProbeTimeout(nowNs, sink);
    }
    assert invariantsHold();
  }

  /** When {@link #onDeadline} has something to do, ns; {@link Long#MAX_VALUE} if nothing is out. */
  public long nextDeadlineNs() {
    if (log.outstandingPackets() == 0) {
      return NONE;
    }
    final long lossDeadlineNs = loss.lossDeadlineNs();
    if (lossDeadlineNs != NONE) {
      return lossDeadlineNs;
    }
    final boolean isPrompt = lastPatient < 0 || isInFlight(lastPrompt);
    return awaitedSinceNs + (isPrompt ? 0 : patienceNs) + probeTimeout.intervalNs(rtt);
  }

  /**
   * How many packets that want an acknowledgement should leave now whatever the window says. These
   * packets carry the items reported for retransmission, or a Probe frame if no item is still true.
   * A new acknowledgement answers the question, and nothing is wanted any more.
   */
  public int probesWanted() {
    return probesWanted;
  }

  /** Bytes of the packets that are neither acknowledged nor lost. */
  public long bytesInFlight() {
    return bytesInFlight;
  }

  /** The number of packets that are neither acknowledged nor lost. */
  public int packetsInFlight() {
    return log.outstandingPackets();
  }

  /** Whether this packet is neither acknowledged nor lost; any number may be asked about. */
  public boolean isInFlight(long packetNumber) {
    return packetNumber >= 0 && log.nextOutstanding(packetNumber, packetNumber) == packetNumber;
  }

  /**
   * The oldest packet that is neither acknowledged nor lost, {@link #nextPacketNumber} without such
   * a packet.
   */
  public long oldestInFlight() {
    return log.oldest();
  }

  /** The lowest number that the next packet may have. */
  public long nextPacketNumber() {
    return log.nextPacketNumber();
  }

  /**
   * The first interval of the probe timeout, ns: the unit in which peer liveness counts silence.
   */
  public long probeIntervalNs() {
    return probeTimeout.firstIntervalNs(rtt);
  }

  /** How long the path has been silent, in probe intervals that passed since the last packet. */
  public int probeTimeoutsInRow() {
    return probeTimeout.expiriesInRow();
  }

  /** Acknowledgements may be late by this time from now on, ns, beyond the round trip time. */
  public void onMaxAckDelay(long delayNs) {
    rtt.onMaxAckDelay(delayNs);
  }

  /** The round trip time; read only. */
  public RttEstimator rtt() {
    return rtt;
  }

  /** The probe timeout at hand says nothing of the peer. */
  public void onExplained() {
    counters.onExplained(1);
  }

  /** The counts so far; read only. */
  public RecoveryCounters counters() {
    return counters;
  }

  private void countSpuriousLosses(long nowNs, RecoverySink sink) {
    long number = log.nextLost(ranges.low(), ranges.high());
    while (number >= 0) {
      log.forgetLost(number);
      counters.onSpuriousLoss();
      if (log.isSizeProbe(number)) {
        counters.onExplained(-1);
      } else {
        congestion.onSpuriousLoss(number, nowNs);
      }
      sink.onSpuriousLoss(number);
      number = log.nextLost(number + 1, ranges.high());
    }
  }

  private void settleAcked(long nowNs, RecoverySink sink) {
    final long high = ranges.high();
    long number = log.nextOutstanding(ranges.low(), high);
    while (number >= 0) {
      final int bytes = log.bytes(number);
      final int items = log.itemCount(number);
      for (int i = 0; i < items; i++) {
        final long item = log.item(number, i);
        if (item != SentPackets.NO_ITEM) {
          sink.onItemAcked(item);
        }
      }
      final long sentNs = log.sentNs(number);
      log.settle(number);
      bytesInFlight -= bytes;
      counters.onAcked();
      congestion.onAcked(number, bytes, sentNs, nowNs);
      sink.onPacketAcked(number, bytes);
      number = log.nextOutstanding(number + 1, high);
    }
  }

  private void onNewLargest(AckDecoder ack, long sentNs, boolean hasNewlyAcked, long nowNs) {
    // A packet sent and acknowledged within a turn tells nothing: the clock stood still.
    final boolean isTimed = hasNewlyAcked && sentNs < nowNs;
    if (isTimed && log.isPatient(ack.largest())) {
      // The delay is no part of the round trip, however long the packet was allowed to wait.
      final long delayNs = Math.min(ack.delayNs(), rtt.maxAckDelayNs() + patienceNs);
      final long sampleNs = nowNs - sentNs - delayNs;
      if (sampleNs > 0) {
        onSample(rtt.hasSample() ? Math.max(sampleNs, rtt.minNs()) : sampleNs, 0, nowNs);
      }
    } else if (isTimed) {
      onSample(nowNs - sentNs, ack.delayNs(), nowNs);
    }
    final int cePackets = (int) ack.ecnCePackets();
    final int newCePackets = cePackets - peerCePackets;
    if (newCePackets > 0) {
      peerCePackets = cePackets;
      congestion.onEcnCe(newCePackets, sentNs, nowNs);
    }
  }

  private void onSample(long sampleNs, long ackDelayNs, long nowNs) {
    rtt.onSample(sampleNs, ackDelayNs);
    lastSampleNs = nowNs;
    if (firstSampleNs == NONE) {
      firstSampleNs = nowNs;
    }
  }

  private void detectLosses(long nowNs, RecoverySink sink) {
    loss.onPass(largestAcked, rtt, nowNs);
    persistent.onPass(probeTimeout.firstIntervalNs(rtt), firstSampleNs);
    long number = log.nextOutstanding(log.oldest(), largestAcked);
    while (number >= 0) {
      final long sentNs = log.sentNs(number);
      if (!loss.isLost(number, sentNs)) {
        break;
      }
      if (!log.isSizeProbe(number)) {
        persistent.onLost(number, sentNs);
      }
      declareLost(number, sentNs, nowNs, sink);
      number = log.nextOutstanding(number + 1, largestAcked);
    }
    if (persistent.isEstablished()) {
      counters.onPersistentCongestion();
      sink.onPersistentCongestion();
      rtt.onPersistentCongestion();
      congestion.onPersistentCongestion(nowNs);
    }
  }

  private void declareLost(long number, long sentNs, long nowNs, RecoverySink sink) {
    final int bytes = log.bytes(number);
    final boolean isSizeProbe = log.isSizeProbe(number);
    final int items = log.itemCount(number);
    for (int i = 0; i < items; i++) {
      final long item = log.item(number, i);
      if (item != SentPackets.NO_ITEM) {
        sink.onItemLost(item);
      }
    }
    log.settleLost(number);
    bytesInFlight -= bytes;
    counters.onLost();
    if (isSizeProbe) {
      counters.onExplained(1);
      congestion.onDiscarded(number, bytes);
    } else {
      congestion.onLost(number, bytes, sentNs, nowNs);
    }
    sink.onPacketLost(number, bytes);
  }

  private void onProbeTimeout(long nowNs, RecoverySink sink) {
    probeTimeout.onExpiry(rtt);
    counters.onProbeTimeout();
    sink.onProbeTimeout();
    // A full log would have no room for the probe, and then nothing could ever empty the log.
    while (log.outstandingPackets() > 0 && !log.canOpen(1)) {
      declareLost(log.oldest(), log.sentNs(log.oldest()), nowNs, sink);
    }
    probesWanted = 1;
    if (log.outstandingPackets() > 0) {
      probedPacket = nextToProbe();
      final int items = log.itemCount(probedPacket);
      for (int i = 0; i < items; i++) {
        final long item = log.item(probedPacket, i);
        if (item != SentPackets.NO_ITEM && sink.onItemRetransmit(item)) {
          log.forgetItem(probedPacket, i);
        }
      }
    }
  }

  private long nextToProbe() {
    final long next = log.nextOutstanding(probedPacket + 1, log.nextPacketNumber() - 1);
    return next < 0 ? log.oldest() : next;
  }

  private boolean invariantsHold() {
    return bytesInFlight >= 0
        && (log.outstandingPackets() > 0 || bytesInFlight == 0)
        && largestAcked < log.nextPacketNumber()
        && probesWanted >= 0;
  }
}
