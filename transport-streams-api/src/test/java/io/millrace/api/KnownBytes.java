package io.millrace.api;

import java.nio.ByteBuffer;

/**
 * Bytes known to all processes: a function of their owner's id and of their position. The function
 * has no period, so the checks detect records or regions in the wrong order.
 */
final class KnownBytes {
  private static final long MIXER = 0x9E37_79B9_7F4A_7C15L;
  private static final long OTHER_MIXER = 0xBF58_476D_1CE4_E5B9L;
  private static final int FOLD = 29;

  private KnownBytes() {}

  static void fill(long id, long position, byte[] into, int offset, int length) {
    for (int i = 0; i < length; i++) {
      into[offset + i] = at(id, position + i);
    }
  }

  static byte[] of(long id, int length) {
    byte[] bytes = new byte[length];
    fill(id, 0, bytes, 0, length);
    return bytes;
  }

  /** Whether these are the bytes from {@code position} on. */
  static boolean matches(long id, long position, byte[] bytes, int offset, int length) {
    int same = 0;
    while (same < length && bytes[offset + same] == at(id, position + same)) {
      same++;
    }
    return same == length;
  }

  /** Whether these are all bytes, with this length. */
  static boolean isWhole(long id, byte[] bytes, int length) {
    return bytes.length == length && matches(id, 0, bytes, 0, length);
  }

  private static byte at(long id, long position) {
    long mixed = (id * OTHER_MIXER + position) * MIXER;
    return (byte) ((mixed ^ mixed >>> FOLD) * OTHER_MIXER >>> Long.SIZE - Byte.SIZE);
  }

  static byte[] ofLong(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  static long toLong(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong();
  }
}
