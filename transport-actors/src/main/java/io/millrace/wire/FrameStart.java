package io.millrace.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.millrace.wire.codec.FrameHeaderEncoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The eight bytes that start a frame; rule P-4. Written by hand in a single store because every
 * small message pays for the header; the schema's {@code frameHeader} is the definition, and a test
 * compares both.
 */
public final class FrameStart {
  /** Bytes of a frame's header. */
  public static final int LENGTH = FrameHeaderEncoder.ENCODED_LENGTH;

  private static final int BLOCK_LENGTH_SHIFT = 16;
  private static final int TEMPLATE_SHIFT = 32;
  private static final int SCHEMA_SHIFT = 40;
  private static final int VERSION_SHIFT = 48;
  private static final int MARK_OFFSET = 7;

  /** The mark of an Ack frame whose packet may wait for its acknowledgement; rule R-8. */
  private static final byte MAY_WAIT = 1;

  private static final long SCHEMA_AND_VERSION =
      ((long) FrameHeaderEncoder.SCHEMA_ID << SCHEMA_SHIFT)
          | ((long) FrameHeaderEncoder.SCHEMA_VERSION << VERSION_SHIFT);

  private FrameStart() {}

  /** Writes the header of a frame of this length, block length and template. */
  public static void encode(
      MutableDirectBuffer buffer, int offset, int frameLength, int blockLength, int templateId) {
    long word =
        frameLength
            | ((long) blockLength << BLOCK_LENGTH_SHIFT)
            | ((long) templateId << TEMPLATE_SHIFT)
            | SCHEMA_AND_VERSION;
    buffer.putLong(offset, word, LITTLE_ENDIAN);
  }

  /** Bytes of the whole frame; 0 means that the rest of the body is padding. */
  public static int frameLength(DirectBuffer buffer, int offset) {
    return buffer.getShort(offset, LITTLE_ENDIAN) & 0xFFFF;
  }

  /** Bytes of the fixed block. */
  public static int blockLength(DirectBuffer buffer, int offset) {
    return buffer.getShort(offset + 2, LITTLE_ENDIAN) & 0xFFFF;
  }

  /** The number of the frame's message in the schema. */
  public static int templateId(DirectBuffer buffer, int offset) {
    return buffer.getByte(offset + 4) & 0xFF;
  }

  /**
   * Marks the Ack frame at {@code offset}: its packet may wait for its acknowledgement; rule R-8.
   */
  public static void encodeMayWait(MutableDirectBuffer buffer, int offset) {
    buffer.putByte(offset + MARK_OFFSET, MAY_WAIT);
  }

  /** Whether the packet of this Ack frame may wait for its acknowledgement; rule R-8. */
  public static boolean mayWait(DirectBuffer buffer, int offset) {
    return buffer.getByte(offset + MARK_OFFSET) == MAY_WAIT;
  }

  /** The schema version of the frame's writer. */
  public static int version(DirectBuffer buffer, int offset) {
    return buffer.getByte(offset + 6) & 0xFF;
  }
}
