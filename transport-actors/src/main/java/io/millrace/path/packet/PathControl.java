package io.millrace.path.packet;

import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.recovery.ReceivedPackets;
import io.millrace.protocol.session.ProbeIds;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.AckEncoder;
import io.millrace.wire.codec.PathTokenEncoder;
import io.millrace.wire.codec.ProbeEncoder;
import io.millrace.wire.codec.ProbeResponseEncoder;
import org.agrona.MutableDirectBuffer;

/**
 * The control frames of one path, for which no transfer asked: acknowledgements, probes and answers
 * to probes. Control frames go at the head of the next packet. Also tells the peer the {@link
 * PathToken} of the path's secret. On the worker's thread; does not allocate.
 */
final class PathControl {
  private static final int MAX_ACK_RANGES = 32;

  /** The number of recent probes whose answer is accepted; a power of two. */
  private static final int PROBES = 4;

  private static final long NO_PROBE = -1;

  private final PathContext path;
  private final PathKeys keys;
  private final ReceivedPackets received;
  private final InlineCredit credit;
  private final PathFrames frames;
  private final AckEncoder ack = new AckEncoder();
  private final ProbeEncoder probe = new ProbeEncoder();
  private final ProbeResponseEncoder probeResponse = new ProbeResponseEncoder();
  private final ProbeIds ids;
  private final long[] probeIds = {NO_PROBE, NO_PROBE, NO_PROBE, NO_PROBE};
  private final long[] probesSentNs = new long[PROBES];

  /** The rails by which the probes left. */
  private final int[] probeRails = new int[PROBES];

  private boolean probeWanted;
  private boolean responseWanted;
  private long responseProbeId;
  private long responseSentNs;
  private boolean hasGaps;

  /** Whether the peer was told the token of the present secret. */
  private boolean tokenTold;

  PathControl(
      PathContext path,
      PathKeys keys,
      ReceivedPackets received,
      InlineCredit credit,
      PathFrames frames) {
    this.path = path;
    this.keys = keys;
    this.received = received;
    this.credit = credit;
    this.frames = frames;
    // No path has this id, so no peer learns this token.
    PathToken key = path.worker().terms().tokens().of(~path.pathId());
    ids = new ProbeIds(key.first(), key.second());
  }

  /**
   * Packets are sealed under another secret from now on: the peer needs the token of the new
   * secret.
   */
  void onSecretChanged() {
    tokenTold = false;
  }

  /** A probe must go with the next packet. */
  void wantProbe() {
    probeWanted = true;
  }

  /** A probe arrived: the path answers the newest probe. */
  void wantResponse(long probeId, long sentNs) {
    responseWanted = true;
    responseProbeId = probeId;
    responseSentNs = sentNs;
  }

  /**
   * The answer to a probe measures the round trip, once, if the id and the clock are an echo of a
   * recent probe; rule R-7.
   *
   * @return whether the answer is such an echo
   */
  boolean onResponse(long probeId, long echoedNs) {
    int slot = slot(probeId);
    if (probeId < 0 || probeIds[slot] != probeId || probesSentNs[slot] != echoedNs) {
      return false;
    }
    probeIds[slot] = NO_PROBE;
    path.recovery().onProbeAnswered(echoedNs, path.nowNs());
    return true;
  }

  /** The rail by which an answered probe left. */
  int railOf(long probeId) {
    return probeRails[slot(probeId)];
  }

  private static int slot(long probeId) {
    return (int) probeId & PROBES - 1;
  }

  /** Whether a control frame must go now, even in a packet of its own. */
  boolean isDue() {
    return probeWanted
        || responseWanted
        || credit.isWanted() && received.canEncodeAck()
        || received.isAckDue(path.nowNs());
  }

  /**
   * Writes the control frames wanted from {@code position} on and returns the position behind them.
   * A frame for retransmission after a loss waits until the log has room for its item.
   */
  int encode(SegmentBuffer out, int position, PacketLog log) {
    int at = position;
    boolean tellsCredit = credit.isWanted() && log.canAddItem();
    if (received.canEncodeAck() && (received.isAckPending() || tellsCredit)) {
      at = encodeAck(out, at);
      if (tellsCredit) {
        log.addItem(PacketItems.of(PacketItems.CREDIT, 0));
        credit.onTracked();
      }
      if (hasGaps && received.reportedLargest() >= 0 && log.canAddItem()) {
        log.addQuietItem(PacketItems.of(PacketItems.REPORT, received.reportedLargest()));
      }
    }
    if (probeWanted && log.canAddItem()) {
      at = encodeProbe(out, at);
      log.addItem(PacketItems.of(PacketItems.PROBE, 0));
      probeWanted = false;
    }
    if (responseWanted) {
      at = encodeResponse(out, at);
      responseWanted = false;
    }
    return at;
  }

  /** Writes a probe of a packet size; the caller fills the packet up to this size. */
  int encodeSizeProbe(SegmentBuffer out, int position) {
    return encodeProbe(out, position);
  }

  /** Writes a probe over a rail being tried. */
  int encodeRailTry(SegmentBuffer out, int position, PacketLog log, int rail) {
    log.addItem(RailControl.tryItem(rail));
    return encodeProbe(out, position);
  }

  private int encodeAck(SegmentBuffer out, int at) {
    ack.wrap(out, at + FrameStart.LENGTH);
    long limit = credit.announce();
    hasGaps = received.encodeAck(ack, path.nowNs(), limit, MAX_ACK_RANGES) > 0;
    received.onAckSent();
    int end = ack.limit();
    FrameStart.encode(out, at, end - at, AckEncoder.BLOCK_LENGTH, AckEncoder.TEMPLATE_ID);
    return end;
  }

  private int encodeProbe(SegmentBuffer out, int at) {
    long id = ids.next();
    int slot = slot(id);
    probeIds[slot] = id;
    probesSentNs[slot] = path.nowNs();
    probeRails[slot] = path.worker().network().rail(path.destination());
    probe.wrap(out, at + FrameStart.LENGTH).probeId(id).sentNs(path.nowNs());
    int end = at + FrameStart.LENGTH + ProbeEncoder.BLOCK_LENGTH;
    FrameStart.encode(out, at, end - at, ProbeEncoder.BLOCK_LENGTH, ProbeEncoder.TEMPLATE_ID);
    return end;
  }

  private int encodeResponse(SegmentBuffer out, int at) {
    probeResponse.wrap(out, at + FrameStart.LENGTH).probeId(responseProbeId).sentNs(responseSentNs);
    int end = at + FrameStart.LENGTH + ProbeResponseEncoder.BLOCK_LENGTH;
    FrameStart.encode(
        out, at, end - at, ProbeResponseEncoder.BLOCK_LENGTH, ProbeResponseEncoder.TEMPLATE_ID);
    return end;
  }

  /**
   * Tells the peer the token of the present secret, once for each secret. The frame rides in a
   * packet that goes anyway; returns the position behind the frame.
   */
  int rideAlong(MutableDirectBuffer out, int position, int end, PacketLog log) {
    if (tokenTold || position + TokenFrame.BYTES > end || !log.canAddItem()) {
      return position;
    }
    tokenTold = true;
    long id = keys.wireId();
    TokenFrame frame = new TokenFrame(id, path.worker().terms().tokens().of(id));
    frames.keep(frame);
    frame.encode(out, position);
    log.addItem(frame.item());
    return position + TokenFrame.BYTES;
  }

  /** Tells the peer the token of a secret. A rare frame. */
  private static final class TokenFrame extends RareFrame {
    private static final int BYTES = FrameStart.LENGTH + PathTokenEncoder.BLOCK_LENGTH;

    private final long pathId;
    private final PathToken token;

    TokenFrame(long pathId, PathToken token) {
      this.pathId = pathId;
      this.token = token;
    }

    @Override
    public int encodedLength() {
      return BYTES;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset) {
      int block = PathTokenEncoder.BLOCK_LENGTH;
      FrameStart.encode(buffer, offset, BYTES, block, PathTokenEncoder.TEMPLATE_ID);
      new PathTokenEncoder()
          .wrap(buffer, offset + FrameStart.LENGTH)
          .pathId(pathId)
          .first(token.first())
          .second(token.second());
    }

    @Override
    public boolean isObsolete() {
      return false;
    }
  }
}
