package io.millrace.actor.peer;

import io.millrace.protocol.recovery.ReceivedPackets;
import io.millrace.protocol.transfer.TransferItem;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.AckEncoder;
import io.millrace.wire.codec.ProbeEncoder;
import io.millrace.wire.codec.ProbeResponseEncoder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The frames of one path that no transfer asked for: acknowledgements, probes and their answers.
 * They go at the head of whatever packet leaves next. On the worker's thread; does not allocate.
 */
final class PathControl {
  /** Kind bits of the item of a probe; the rest is the size of its packet, or 0. */
  static final int KIND_PROBE = 3;

  /** Kind bits of the item of an inline limit that the peer must learn of. */
  static final int KIND_CREDIT = 5;

  /** Kind bits of the item of an Ack frame with gaps; the rest is the largest packet it named. */
  static final int KIND_REPORT = 6;

  private static final int MAX_ACK_RANGES = 32;

  /** Probes whose clock may still come back; a power of two. */
  private static final int PROBES = 4;

  private static final long NO_PROBE = -1;

  private final PeerPath path;
  private final ReceivedPackets received;
  private final AckEncoder ack = new AckEncoder();
  private final ProbeEncoder probe = new ProbeEncoder();
  private final ProbeResponseEncoder probeResponse = new ProbeResponseEncoder();
  private long nowNs;
  private long nextProbeId;
  private final long[] probeIds = {NO_PROBE, NO_PROBE, NO_PROBE, NO_PROBE};
  private final long[] probesSentNs = new long[PROBES];
  private boolean probeWanted;
  private boolean responseWanted;
  private long responseProbeId;
  private long responseSentNs;
  private boolean creditWanted;
  private boolean hasGaps;

  PathControl(PeerPath path, ReceivedPackets received) {
    this.path = path;
    this.received = received;
  }

  /** The time to write into frames of this turn. */
  void onTurn(long nowNs) {
    this.nowNs = nowNs;
    path.transfers().onTime(nowNs);
  }

  long nowNs() {
    return nowNs;
  }

  /** A probe must go. */
  void wantProbe() {
    probeWanted = true;
  }

  /** A probe arrived: the newest one is answered. */
  void wantResponse(long probeId, long sentNs) {
    responseWanted = true;
    responseProbeId = probeId;
    responseSentNs = sentNs;
  }

  /**
   * The answer to a probe: it measures the round trip, once, if it echoes the id and the clock of
   * one of the last probes; rule R-7.
   */
  void onResponse(long probeId, long echoedNs) {
    int slot = slot(probeId);
    if (probeId < 0 || probeIds[slot] != probeId || probesSentNs[slot] != echoedNs) {
      return;
    }
    probeIds[slot] = NO_PROBE;
    path.recovery().onProbeAnswered(echoedNs, nowNs);
  }

  private static int slot(long probeId) {
    return (int) probeId & PROBES - 1;
  }

  /** The peer should learn of its new inline limit. */
  void wantCredit() {
    creditWanted = true;
  }

  /** Whether something must go now, even in a packet of its own. */
  boolean isDue() {
    return probeWanted
        || responseWanted
        || creditWanted && received.canEncodeAck()
        || received.isAckDue(nowNs)
        || path.regions().statements().isDue();
  }

  /**
   * Writes what is wanted from {@code position} on and returns the position behind it. What must be
   * sent again if it is lost waits until the log has room for it.
   */
  int encode(UnsafeBuffer out, int position, TrainBuilder train) {
    int at = position;
    boolean tellsCredit = creditWanted && train.canAddItem(path);
    if (received.canEncodeAck() && (received.isAckPending() || tellsCredit)) {
      at = encodeAck(out, at);
      if (tellsCredit) {
        train.addItem(path, TransferItem.of(KIND_CREDIT, 0));
        path.transfers().onCreditTracked();
        creditWanted = false;
      }
      if (hasGaps && received.reportedLargest() >= 0 && train.canAddItem(path)) {
        train.addQuietItem(path, TransferItem.of(KIND_REPORT, received.reportedLargest()));
      }
    }
    if (probeWanted && train.canAddItem(path)) {
      at = encodeProbe(out, at);
      train.addItem(path, TransferItem.of(KIND_PROBE, 0));
      probeWanted = false;
    }
    if (responseWanted) {
      at = encodeResponse(out, at);
      responseWanted = false;
    }
    return at;
  }

  /** Writes a probe that tries out a packet of this size, which the caller fills up to it. */
  int encodeSizeProbe(UnsafeBuffer out, int position, TrainBuilder train, int packetBytes) {
    train.addItem(path, TransferItem.of(KIND_PROBE, packetBytes));
    return encodeProbe(out, position);
  }

  private int encodeAck(UnsafeBuffer out, int at) {
    ack.wrap(out, at + FrameStart.LENGTH);
    long limit = path.transfers().announceCredit();
    hasGaps = received.encodeAck(ack, nowNs, limit, MAX_ACK_RANGES) > 0;
    received.onAckSent();
    int end = ack.limit();
    FrameStart.encode(out, at, end - at, AckEncoder.BLOCK_LENGTH, AckEncoder.TEMPLATE_ID);
    return end;
  }

  private int encodeProbe(UnsafeBuffer out, int at) {
    int slot = slot(nextProbeId);
    probeIds[slot] = nextProbeId;
    probesSentNs[slot] = nowNs;
    probe.wrap(out, at + FrameStart.LENGTH).probeId(nextProbeId++).sentNs(nowNs);
    int end = at + FrameStart.LENGTH + ProbeEncoder.BLOCK_LENGTH;
    FrameStart.encode(out, at, end - at, ProbeEncoder.BLOCK_LENGTH, ProbeEncoder.TEMPLATE_ID);
    return end;
  }

  private int encodeResponse(UnsafeBuffer out, int at) {
    probeResponse.wrap(out, at + FrameStart.LENGTH).probeId(responseProbeId).sentNs(responseSentNs);
    int end = at + FrameStart.LENGTH + ProbeResponseEncoder.BLOCK_LENGTH;
    FrameStart.encode(
        out, at, end - at, ProbeResponseEncoder.BLOCK_LENGTH, ProbeResponseEncoder.TEMPLATE_ID);
    return end;
  }
}
