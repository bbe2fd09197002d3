package io.millrace.path.peer;

import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.FlowResetEncoder;
import io.millrace.wire.codec.ResetReason;
import io.millrace.wire.codec.TransferChallengeEncoder;
import io.millrace.wire.codec.TransferChallengeResponseEncoder;

/** Frames of challenges as made by a peer. */
public final class ChallengeFrames {
  private ChallengeFrames() {}

  public static byte[] challenge(long nonce, long... transferIds) {
    SegmentBuffer frame = new SegmentBuffer(new byte[64 + Long.BYTES * transferIds.length]);
    TransferChallengeEncoder encoder =
        new TransferChallengeEncoder().wrap(frame, FrameStart.LENGTH).nonce(nonce);
    TransferChallengeEncoder.TransfersEncoder transfers =
        encoder.transfersCount(transferIds.length);
    for (long id : transferIds) {
      transfers.next().transferId(id);
    }
    return FarSide.framed(
        frame,
        encoder.limit(),
        TransferChallengeEncoder.BLOCK_LENGTH,
        TransferChallengeEncoder.TEMPLATE_ID);
  }

  public static byte[] response(long nonce, long transferId) {
    SegmentBuffer frame = new SegmentBuffer(new byte[64]);
    TransferChallengeResponseEncoder encoder =
        new TransferChallengeResponseEncoder()
            .wrap(frame, FrameStart.LENGTH)
            .nonce(nonce)
            .transferId(transferId);
    return FarSide.framed(
        frame,
        encoder.limit(),
        TransferChallengeResponseEncoder.BLOCK_LENGTH,
        TransferChallengeResponseEncoder.TEMPLATE_ID);
  }

  public static byte[] reset(long transferId) {
    SegmentBuffer frame = new SegmentBuffer(new byte[64]);
    FlowResetEncoder encoder = new FlowResetEncoder().wrap(frame, FrameStart.LENGTH);
    encoder
        .transferId(transferId)
        .flags((short) 6)
        .reason(ResetReason.STALE)
        .costBytes(0)
        .number(0)
        .putText(new byte[0], 0, 0);
    return FarSide.framed(
        frame, encoder.limit(), FlowResetEncoder.BLOCK_LENGTH, FlowResetEncoder.TEMPLATE_ID);
  }
}
