package io.millrace.path.call;

import io.millrace.ends.PathCounters;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.HeadSource;
import io.millrace.path.packet.ItemOwner;
import io.millrace.path.packet.PacketItems;
import io.millrace.path.packet.PacketLog;
import io.millrace.path.packet.PathFrames;
import io.millrace.path.packet.PathPackets;
import io.millrace.protocol.replay.ChallengeAnswers;
import io.millrace.protocol.replay.TransferChallenges;
import io.millrace.protocol.transfer.OutboundFrame;
import io.millrace.wire.FrameStart;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.FlowResetEncoder;
import io.millrace.wire.codec.GroupSizeEncoder;
import io.millrace.wire.codec.ResetReason;
import io.millrace.wire.codec.TransferChallengeEncoder;
import io.millrace.wire.codec.TransferChallengeResponseEncoder;
import org.jspecify.annotations.Nullable;

/**
 * The challenges of one path, both ways. Asks the peer about transfers that packets below the
 * window would open, and answers the peer's challenges; rules RP-1 to RP-7. The frames of
 * challenges go at the head of the next packet. On the worker's thread; does not allocate after
 * construction.
 */
public final class PathChallenges implements HeadSource, ItemOwner {
  private static final byte[] NO_TEXT = {};
  private static final int TRANSFER_LENGTH =
      TransferChallengeEncoder.TransfersEncoder.sbeBlockLength();
  private static final int CHALLENGE_LENGTH =
      FrameStart.LENGTH + TransferChallengeEncoder.BLOCK_LENGTH + GroupSizeEncoder.ENCODED_LENGTH;
  private static final int RESPONSE_LENGTH =
      FrameStart.LENGTH + TransferChallengeResponseEncoder.BLOCK_LENGTH;
  private static final int RESET_LENGTH =
      FrameStart.LENGTH + FlowResetEncoder.BLOCK_LENGTH + FlowResetEncoder.textHeaderLength();

  private final PathPackets path;
  private final Transfers transfers;
  private final PathFrames frames;
  private final PathCounters counters;
  private final TransferChallenges challenges;
  private final ChallengeAnswers answers = new ChallengeAnswers();
  private final TransferChallengeEncoder challenge = new TransferChallengeEncoder();
  private final TransferChallengeResponseEncoder response = new TransferChallengeResponseEncoder();
  private final FlowResetEncoder reset = new FlowResetEncoder();

  /** An old packet is shown, without a challenge for the packet so far. */
  private boolean isNewPacket;

  /** The transfers of the path, both ways. On the worker's thread. */
  interface Transfers {
    /**
     * Whether this side has seen nothing of this transfer of the peer, or of a later transfer in
     * the same slot.
     */
    boolean isUnknown(long transferId);

    /** Whether this transfer is this side's, open, and wanted. */
    boolean isOwn(long transferId);

    /** Returns the opening frame of such a transfer, if the frame was sent and may go again now. */
    @Nullable OutboundFrame openingToRepeat(long transferId);
  }

  PathChallenges(PathPackets path, Transfers transfers) {
    this.path = path;
    this.transfers = transfers;
    frames = path.frames();
    counters = path.worker().counters();
    challenges = new TransferChallenges(path.pathId());
    path.carryAlso(this);
    path.own(PacketItems.CHALLENGE, this);
  }

  /** Whether one more packet below the window may be opened; the frames of the packet follow. */
  public boolean mayOpen(long nowNs) {
    isNewPacket = challenges.mayOpen(nowNs);
    return isNewPacket;
  }

  /** A packet below the window would open this transfer of the peer. */
  void onLateOpening(long transferId) {
    if (!transfers.isUnknown(transferId)) {
      return;
    }
    if (isNewPacket) {
      isNewPacket = false;
      challenges.onPacket(path.nowNs());
    }
    if (challenges.challenge(transferId)) {
      counters.transfersChallenged++;
    }
  }

  /** The peer claims a transfer as its own, and sends the opening of the transfer again. */
  void onConfirmed(long nonce, long transferId) {
    if (challenges.onConfirmed(nonce, transferId)) {
      counters.challengesConfirmed++;
    }
  }

  /** The peer knows nothing of a transfer in a challenge of this side. */
  void onReset(long transferId) {
    if (challenges.onReset(transferId)) {
      counters.challengesReset++;
    }
  }

  /** The outstanding challenges; to look at. */
  public TransferChallenges challenges() {
    return challenges;
  }

  /**
   * The peer asks whether this transfer is this side's. The opening of an own transfer, not given
   * up by the caller, goes again; rule RP-5.
   */
  void onChallenge(long nonce, long transferId) {
    boolean isOwn = transfers.isOwn(transferId);
    if (!answers.add(nonce, transferId, isOwn)) {
      return;
    }
    counters.challengesAnswered++;
    path.touch();
    OutboundFrame opening = isOwn ? transfers.openingToRepeat(transferId) : null;
    if (opening != null) {
      counters.openingsRepeated++;
      opening.sendAgain(frames);
    }
  }

  @Override
  public boolean isDue() {
    return challenges.isDue() || !answers.isEmpty();
  }

  @Override
  public int encode(SegmentBuffer out, int position, int end, PacketLog log) {
    int at = position;
    while (!answers.isEmpty() && log.canAddItem() && at + RESET_LENGTH <= end) {
      at = answers.isOwn() ? encodeResponse(out, at) : encodeReset(out, at);
      answers.remove();
      log.addItem(PacketItems.of(PacketItems.CHALLENGE, 0));
    }
    while (challenges.isDue()
        && log.canAddItem()
        && at + CHALLENGE_LENGTH + TRANSFER_LENGTH <= end) {
      at = encodeChallenge(out, at, end);
      log.addItem(
          PacketItems.of(PacketItems.CHALLENGE, challenges.polledNonce() & PacketItems.REST_MASK));
    }
    return at;
  }

  private int encodeChallenge(SegmentBuffer out, int at, int end) {
    int count = challenges.poll((end - at - CHALLENGE_LENGTH) / TRANSFER_LENGTH);
    challenge.wrap(out, at + FrameStart.LENGTH).nonce(challenges.polledNonce());
    TransferChallengeEncoder.TransfersEncoder group = challenge.transfersCount(count);
    for (int i = 0; i < count; i++) {
      group.next().transferId(challenges.polledId(i));
    }
    int limit = challenge.limit();
    FrameStart.encode(
        out,
        at,
        limit - at,
        TransferChallengeEncoder.BLOCK_LENGTH,
        TransferChallengeEncoder.TEMPLATE_ID);
    return limit;
  }

  private int encodeResponse(SegmentBuffer out, int at) {
    response
        .wrap(out, at + FrameStart.LENGTH)
        .nonce(answers.nonce())
        .transferId(answers.transferId());
    FrameStart.encode(
        out,
        at,
        RESPONSE_LENGTH,
        TransferChallengeResponseEncoder.BLOCK_LENGTH,
        TransferChallengeResponseEncoder.TEMPLATE_ID);
    return at + RESPONSE_LENGTH;
  }

  private int encodeReset(SegmentBuffer out, int at) {
    reset
        .wrap(out, at + FrameStart.LENGTH)
        .transferId(answers.transferId())
        .flags((short) (WriteFlags.FROM_SENDER | WriteFlags.ANSWERS_CHALLENGE))
        .reason(ResetReason.STALE)
        .costBytes(0)
        .number(0)
        .putText(NO_TEXT, 0, 0);
    FrameStart.encode(
        out, at, RESET_LENGTH, FlowResetEncoder.BLOCK_LENGTH, FlowResetEncoder.TEMPLATE_ID);
    return at + RESET_LENGTH;
  }

  @Override
  public void onItemLost(long item) {
    long nonceBits = item & PacketItems.REST_MASK;
    if (nonceBits != 0) {
      challenges.onLost(nonceBits, PacketItems.REST_MASK, path.nowNs());
      path.touch();
    }
  }
}
