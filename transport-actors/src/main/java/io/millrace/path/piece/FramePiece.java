package io.millrace.path.piece;

import io.millrace.path.packet.PacketItems;
import io.millrace.protocol.transfer.OutboundFrame;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.FramePieceEncoder;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/** A piece of a cut frame, which fits each datagram; rule T-13. Rare. */
final class FramePiece extends OutboundFrame {
  /** Bytes of the cut frame in each piece but the last. */
  static final int BYTES = 1_024;

  /** The bits of an item for the place of a piece in its frame. */
  static final int PLACE_BITS = 6;

  /** The most pieces of a frame. */
  static final int MOST = 1 << PLACE_BITS;

  private static final int DATA = FrameStart.LENGTH + FramePieceEncoder.BLOCK_LENGTH;
  private static final int BYTES_AT = DATA + FramePieceEncoder.bytesHeaderLength();

  private final CutFrame frame;
  private final int place;

  FramePiece(CutFrame frame, int place) {
    this.frame = frame;
    this.place = place;
  }

  private int offset() {
    return place * BYTES;
  }

  private int length() {
    return Math.min(BYTES, frame.bytes().length - offset());
  }

  @Override
  public int priority() {
    return frame.priority();
  }

  @Override
  public int encodedLength() {
    return BYTES_AT + length();
  }

  @Override
  public int costBytes() {
    return 0;
  }

  @Override
  public int contentLength() {
    return 0;
  }

  @Override
  public void encode(MutableDirectBuffer buffer, int offset) {
    FrameStart.encode(
        buffer,
        offset,
        encodedLength(),
        FramePieceEncoder.BLOCK_LENGTH,
        FramePieceEncoder.TEMPLATE_ID);
    new FramePieceEncoder()
        .wrap(buffer, offset + FrameStart.LENGTH)
        .number(frame.number())
        .oldest(frame.oldest())
        .frameBytes(frame.bytes().length)
        .pieceOffset(offset());
    buffer.putShort(offset + DATA, (short) length(), ByteOrder.LITTLE_ENDIAN);
    buffer.putBytes(offset + BYTES_AT, frame.bytes(), offset(), length());
  }

  @Override
  public long item() {
    return PacketItems.of(PacketItems.PIECE, (frame.number() << PLACE_BITS) | place);
  }

  @Override
  public boolean isObsolete() {
    return frame.hasArrived(place);
  }
}
