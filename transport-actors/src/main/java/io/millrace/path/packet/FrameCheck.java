package io.millrace.path.packet;

import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.FrameStart;
import java.nio.ByteOrder;

/**
 * Checks that the parts of a frame lie within the frame, before a decoder reads them; rule P-7. A
 * part beyond the end of its frame is a violation. Stateless; does not allocate.
 */
public final class FrameCheck {
  /** Bytes in front of a group's entries, and of variable data. */
  public static final int HEADER_LENGTH = 2;

  private FrameCheck() {}

  /** The offset of the fixed block of the frame at {@code at}. */
  public static int body(int at) {
    return at + FrameStart.LENGTH;
  }

  /** Checks that the fixed block is whole, and returns the length of the block. */
  public static int requireBlock(SegmentBuffer buffer, int at, int end, int least) {
    int block = FrameStart.blockLength(buffer, at);
    if (block < least || body(at) + block > end) {
      throw new ProtocolViolationException(
          "frame " + FrameStart.templateId(buffer, at) + " has a block of " + block + " bytes");
    }
    return block;
  }

  /**
   * Checks that a group at {@code at} lies before {@code end} and has entries of {@code least}
   * bytes or more; returns the bytes of all entries.
   */
  public static int requireGroup(SegmentBuffer buffer, int at, int end, int least) {
    boolean whole = at + HEADER_LENGTH <= end;
    int entry = whole ? buffer.getByte(at) & 0xFF : 0;
    int count = whole ? buffer.getByte(at + 1) & 0xFF : 0;
    if (!whole || (count > 0 && entry < least) || at + HEADER_LENGTH + count * entry > end) {
      throw new ProtocolViolationException("a group passes the end of its frame");
    }
    return count * entry;
  }

  /**
   * Checks that variable data at {@code at} lies before {@code end}, and returns the length of the
   * data.
   */
  public static int requireData(SegmentBuffer buffer, int at, int end) {
    int length =
        at + HEADER_LENGTH > end ? -1 : buffer.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    if (length < 0 || at + HEADER_LENGTH + length > end) {
      throw new ProtocolViolationException("variable data passes the end of its frame");
    }
    return length;
  }
}
