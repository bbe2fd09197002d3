package io.millrace.path.call;

import static io.millrace.path.packet.FrameCheck.body;
import static io.millrace.path.packet.FrameCheck.requireBlock;
import static io.millrace.path.packet.FrameCheck.requireGroup;

import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.FrameStart;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.InlineRequestDecoder;
import io.millrace.wire.codec.TransferChallengeDecoder;
import io.millrace.wire.codec.TransferChallengeResponseDecoder;
import io.millrace.wire.codec.WriteNotifyDecoder;
import java.nio.ByteOrder;

/**
 * Takes the frames of challenges apart, and finds the transfers that frames of old packets would
 * open; rules RP-3 to RP-6. Each worker has a reader, on the worker's thread; does not allocate.
 */
public final class ChallengeReader {
  private static final int TRANSFER_LENGTH =
      TransferChallengeDecoder.TransfersDecoder.sbeBlockLength();

  private final TransferChallengeDecoder challenge = new TransferChallengeDecoder();
  private final TransferChallengeResponseDecoder response = new TransferChallengeResponseDecoder();

  /** The reader of a worker. */
  public ChallengeReader() {}

  /** Reads a TransferChallenge. */
  public void read(PathChallenges challenges, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, TransferChallengeDecoder.BLOCK_LENGTH);
    requireGroup(buffer, body(at) + block, end, TRANSFER_LENGTH);
    challenge.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    long nonce = challenge.nonce();
    TransferChallengeDecoder.TransfersDecoder transfers = challenge.transfers();
    while (transfers.hasNext()) {
      challenges.onChallenge(nonce, transfers.next().transferId());
    }
  }

  /** Reads a TransferChallengeResponse. */
  public void readResponse(PathChallenges challenges, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, TransferChallengeResponseDecoder.BLOCK_LENGTH);
    response.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    challenges.onConfirmed(response.nonce(), response.transferId());
  }

  /** An InlineRequest of an old packet. */
  public void readLateRequest(PathChallenges challenges, SegmentBuffer buffer, int at, int end) {
    if (isWhole(buffer, at, end, InlineRequestDecoder.answerBytesEncodingOffset())) {
      challenges.onLateOpening(id(buffer, at, InlineRequestDecoder.transferIdEncodingOffset()));
    }
  }

  /** A WriteNotify of an old packet: a notice of a request opens a transfer. */
  public void readLateNotice(PathChallenges challenges, SegmentBuffer buffer, int at, int end) {
    if (isWhole(buffer, at, end, WriteNotifyDecoder.BLOCK_LENGTH)
        && (buffer.getByte(body(at) + WriteNotifyDecoder.flagsEncodingOffset())
                & WriteFlags.RESPONSE)
            == 0) {
      challenges.onLateOpening(id(buffer, at, WriteNotifyDecoder.transferIdEncodingOffset()));
    }
  }

  private static boolean isWhole(SegmentBuffer buffer, int at, int end, int least) {
    int block = FrameStart.blockLength(buffer, at);
    return block >= least && body(at) + block <= end;
  }

  private static long id(SegmentBuffer buffer, int at, int offset) {
    return buffer.getLong(body(at) + offset, ByteOrder.LITTLE_ENDIAN);
  }
}
