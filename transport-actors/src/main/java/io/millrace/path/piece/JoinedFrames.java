package io.millrace.path.piece;

import static io.millrace.path.packet.FrameCheck.HEADER_LENGTH;
import static io.millrace.path.packet.FrameCheck.body;
import static io.millrace.path.packet.FrameCheck.requireBlock;
import static io.millrace.path.packet.FrameCheck.requireData;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.FrameReceiver;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.FramePieceDecoder;
import io.millrace.wire.codec.InlineRequestDecoder;
import io.millrace.wire.codec.InlineResponseDecoder;
import io.millrace.wire.codec.StreamDataDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Joins the pieces of the peer's frames; rule T-13. Holds {@link CutFrames#MOST_FRAMES} frames at
 * most, none longer than the path's longest datagram. Rare: allocates. Worker's thread.
 */
final class JoinedFrames {
  private final FrameReceiver rooms;
  private final int mostBytes;
  private final FramePieceDecoder piece = new FramePieceDecoder();
  private final @Nullable Joined[] underWay = new Joined[CutFrames.MOST_FRAMES];
  private long oldest;

  JoinedFrames(FrameReceiver rooms, int maxDatagramBytes) {
    this.rooms = rooms;
    mostBytes = maxDatagramBytes - PacketHeader.OVERHEAD;
  }

  /**
   * Reads a piece, and the frame that the piece makes whole.
   *
   * @return false if the packet of the piece must count as not received
   */
  boolean read(SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, FramePieceDecoder.BLOCK_LENGTH);
    int dataAt = body(at) + block;
    int length = requireData(buffer, dataAt, end);
    piece.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    check(length);
    if (piece.number() < oldest) {
      return true;
    }
    oldest = Math.max(oldest, piece.oldest());
    Joined joined = joined(piece.number(), piece.frameBytes());
    return joined.isOver()
        || joined.add(buffer, dataAt + HEADER_LENGTH, piece.pieceOffset(), length);
  }

  private void check(int length) {
    int frameBytes = piece.frameBytes();
    int offset = piece.pieceOffset();
    boolean isLong = frameBytes > FramePiece.BYTES && frameBytes <= mostBytes;
    boolean isInside =
        offset % FramePiece.BYTES == 0
            && offset < frameBytes
            && length == Math.min(FramePiece.BYTES, frameBytes - offset);
    long ahead = piece.number() - piece.oldest();
    if (!isLong || !isInside || ahead < 0 || ahead >= CutFrames.MOST_FRAMES) {
      throw new ProtocolViolationException(
          "a piece of %d bytes at %d of the frame %d of %d bytes, with %d the oldest"
              .formatted(length, offset, piece.number(), frameBytes, piece.oldest()));
    }
  }

  private Joined joined(long number, int frameBytes) {
    int slot = (int) (number % CutFrames.MOST_FRAMES);
    Joined known = underWay[slot];
    if (known == null || known.number != number) {
      known = new Joined(number, frameBytes);
      underWay[slot] = known;
    }
    if (known.frameBytes != frameBytes) {
      throw new ProtocolViolationException("the pieces of a frame differ about its length");
    }
    return known;
  }

  /** A frame of which pieces have come. */
  private final class Joined {
    private final long number;
    private final int frameBytes;

    /** Bit n is set until piece n has come. */
    private long missing;

    /** The pieces; null once the frame was read. */
    private byte @Nullable [] bytes;

    Joined(long number, int frameBytes) {
      this.number = number;
      this.frameBytes = frameBytes;
      bytes = new byte[frameBytes];
      missing = -1L >>> (Long.SIZE - (frameBytes + FramePiece.BYTES - 1) / FramePiece.BYTES);
    }

    boolean isOver() {
      return bytes == null;
    }

    boolean add(SegmentBuffer buffer, int from, int offset, int length) {
      byte[] whole = bytes;
      long bit = 1L << offset / FramePiece.BYTES;
      if (whole == null || (missing & bit) == 0) {
        return true;
      }
      buffer.getBytes(from, whole, offset, length);
      missing &= ~bit;
      if (missing != 0) {
        return true;
      }
      if (readFrame(new SegmentBuffer(whole))) {
        bytes = null;
        return true;
      }
      missing = bit;
      return false;
    }

    private boolean readFrame(SegmentBuffer frame) {
      int template = FrameStart.templateId(frame, 0);
      boolean isCut =
          template == InlineRequestDecoder.TEMPLATE_ID
              || template == InlineResponseDecoder.TEMPLATE_ID
              || template == StreamDataDecoder.TEMPLATE_ID;
      if (!isCut || FrameStart.frameLength(frame, 0) != frameBytes) {
        throw new ProtocolViolationException(
            "frame %d of %d bytes in pieces that make %d"
                .formatted(template, FrameStart.frameLength(frame, 0), frameBytes));
      }
      return rooms.onFrame(template, frame, 0, frameBytes);
    }
  }
}
