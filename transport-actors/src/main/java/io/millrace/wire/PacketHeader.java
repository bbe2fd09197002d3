package io.millrace.wire;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.millrace.wire.codec.DataChunkEncoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The clear header of a data packet, authenticated as additional data; rule P-1 of the protocol.
 *
 * <pre>
 *  0  u8   form: 0x4D, data packet of version 1; 0x4E, packet of chunks of version 1; 0x52,
 *          retirement of version 1
 *  1  u8   data packet: zero; packet of chunks: how many, 1 to 4; retirement: 1 of control keys, 2
 *          of data keys
 *  2  u8   source worker
 *  3  u8   destination worker
 *  4  u32  key id; retirement: zero
 *  8  u64  path id
 * 16  u64  packet number; retirement: a number of its own
 * 24  ...  sealed body, then 16 bytes of tag, then in a packet of chunks their bytes
 * </pre>
 *
 * All fields are little endian. Stateless; does not allocate.
 */
public final class PacketHeader {
  /** First byte of every data packet of version 1. */
  public static final byte FORM_DATA = 0x4D;

  /** First byte of every packet of chunks of version 1. */
  public static final byte FORM_CHUNKS = 0x4E;

  /** First byte of every retirement of keys of version 1. */
  public static final byte FORM_RETIREMENT = 0x52;

  /** First byte of every handshake message of version 1. */
  public static final byte FORM_HANDSHAKE = 0x48;

  /** First byte of the answer to a packet of a path that is not known; rule U-2. */
  public static final byte FORM_UNKNOWN = 0x55;

  /** Bytes of such an answer: form, seven zeros, path id, token. */
  public static final int UNKNOWN_LENGTH = 32;

  /** Bytes of the header. */
  public static final int LENGTH = 24;

  /** Bytes of the authentication tag behind the body. */
  public static final int TAG_LENGTH = 16;

  /** Bytes of a packet outside the body. */
  public static final int OVERHEAD = LENGTH + TAG_LENGTH;

  /** Most chunks of a packet. */
  public static final int MAX_CHUNKS = 4;

  /** Bytes of a chunk's frame. */
  public static final int CHUNK_LENGTH = FrameStart.LENGTH + DataChunkEncoder.BLOCK_LENGTH;

  /** Second byte of a retirement of control keys. */
  public static final byte OF_CONTROL_KEYS = 1;

  /** Second byte of a retirement of data keys. */
  public static final byte OF_DATA_KEYS = 2;

  private static final int SOURCE_WORKER_OFFSET = 2;
  private static final int DESTINATION_WORKER_OFFSET = 3;
  private static final int KEY_ID_OFFSET = 4;
  private static final int PATH_ID_OFFSET = 8;
  private static final int PACKET_NUMBER_OFFSET = 16;

  private PacketHeader() {}

  /** Writes form, workers and path id; key id and packet number follow per packet. */
  public static void encodeFixed(
      MutableDirectBuffer buffer,
      int offset,
      int sourceWorker,
      int destinationWorker,
      long pathId) {
    buffer.putByte(offset, FORM_DATA);
    buffer.putByte(offset + 1, (byte) 0);
    buffer.putByte(offset + SOURCE_WORKER_OFFSET, (byte) sourceWorker);
    buffer.putByte(offset + DESTINATION_WORKER_OFFSET, (byte) destinationWorker);
    buffer.putLong(offset + PATH_ID_OFFSET, pathId, LITTLE_ENDIAN);
  }

  /** Turns a header with a written fixed part into the header of a packet of chunks. */
  public static void encodeChunks(MutableDirectBuffer buffer, int offset, int chunks) {
    buffer.putByte(offset, FORM_CHUNKS);
    buffer.putByte(offset + 1, (byte) chunks);
  }

  /** Turns a header with a written fixed part into the header of a retirement of this number. */
  public static void encodeRetirement(
      MutableDirectBuffer buffer, int offset, byte keys, long number) {
    buffer.putByte(offset, FORM_RETIREMENT);
    buffer.putByte(offset + 1, keys);
    encodeNumber(buffer, offset, 0, number);
  }

  /** Writes key id and packet number. */
  public static void encodeNumber(
      MutableDirectBuffer buffer, int offset, int keyId, long packetNumber) {
    buffer.putInt(offset + KEY_ID_OFFSET, keyId, LITTLE_ENDIAN);
    buffer.putLong(offset + PACKET_NUMBER_OFFSET, packetNumber, LITTLE_ENDIAN);
  }

  /** Whether these bytes can be a data packet of this version: form, length and reserved byte. */
  public static boolean isData(DirectBuffer buffer, int offset, int length) {
    return length >= OVERHEAD
        && buffer.getByte(offset) == FORM_DATA
        && buffer.getByte(offset + 1) == 0;
  }

  /** Whether these bytes can be a packet of chunks of this version. */
  public static boolean isChunks(DirectBuffer buffer, int offset, int length) {
    if (length < OVERHEAD || buffer.getByte(offset) != FORM_CHUNKS) {
      return false;
    }
    int chunks = chunks(buffer, offset);
    return chunks > 0 && chunks <= MAX_CHUNKS && length >= OVERHEAD + chunks * CHUNK_LENGTH;
  }

  /** Whether these bytes can say that their sender does not know a path. */
  public static boolean isUnknown(DirectBuffer buffer, int offset, int length) {
    return length == UNKNOWN_LENGTH && buffer.getLong(offset, LITTLE_ENDIAN) == FORM_UNKNOWN;
  }

  /** Writes that the sender does not know the path of the packet of this number, and its proof. */
  public static void encodeUnknown(
      MutableDirectBuffer buffer, int offset, long pathId, long packetNumber, long proof) {
    buffer.putLong(offset, FORM_UNKNOWN, LITTLE_ENDIAN);
    buffer.putLong(offset + PATH_ID_OFFSET, pathId, LITTLE_ENDIAN);
    buffer.putLong(offset + PACKET_NUMBER_OFFSET, packetNumber, LITTLE_ENDIAN);
    buffer.putLong(offset + PACKET_NUMBER_OFFSET + Long.BYTES, proof, LITTLE_ENDIAN);
  }

  /** The proof of such an answer. */
  public static long unknownProof(DirectBuffer buffer, int offset) {
    return buffer.getLong(offset + PACKET_NUMBER_OFFSET + Long.BYTES, LITTLE_ENDIAN);
  }

  /** Whether these bytes can be a retirement of keys of this version. */
  public static boolean isRetirement(DirectBuffer buffer, int offset, int length) {
    if (length < OVERHEAD || buffer.getByte(offset) != FORM_RETIREMENT) {
      return false;
    }
    byte keys = buffer.getByte(offset + 1);
    return (keys == OF_CONTROL_KEYS || keys == OF_DATA_KEYS) && keyId(buffer, offset) == 0;
  }

  /** Chunks of a packet of chunks. */
  public static int chunks(DirectBuffer buffer, int offset) {
    return buffer.getByte(offset + 1) & 0xFF;
  }

  /** The worker that sent the packet, 0 to 255. */
  public static int sourceWorker(DirectBuffer buffer, int offset) {
    return buffer.getByte(offset + SOURCE_WORKER_OFFSET) & 0xFF;
  }

  /** The worker the packet is for, 0 to 255. */
  public static int destinationWorker(DirectBuffer buffer, int offset) {
    return buffer.getByte(offset + DESTINATION_WORKER_OFFSET) & 0xFF;
  }

  /** Which key of the path seals the body, counted from 0. */
  public static int keyId(DirectBuffer buffer, int offset) {
    return buffer.getInt(offset + KEY_ID_OFFSET, LITTLE_ENDIAN);
  }

  /** The id of the path secret that the keys come from. */
  public static long pathId(DirectBuffer buffer, int offset) {
    return buffer.getLong(offset + PATH_ID_OFFSET, LITTLE_ENDIAN);
  }

  /** The packet's number, counted from 0 in each direction of a path. */
  public static long packetNumber(DirectBuffer buffer, int offset) {
    return buffer.getLong(offset + PACKET_NUMBER_OFFSET, LITTLE_ENDIAN);
  }
}
