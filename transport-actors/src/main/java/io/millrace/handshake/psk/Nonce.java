package io.millrace.handshake.psk;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.millrace.memory.SegmentBuffer;
import java.util.random.RandomGenerator;
import org.agrona.DirectBuffer;

/** 32 random bytes as a value that can be compared and looked up. */
record Nonce(long first, long second, long third, long fourth) {
  static final int LENGTH = 32;

  /** The value for an unreadable nonce. */
  static final Nonce NONE = new Nonce(0, 0, 0, 0);

  static Nonce random(RandomGenerator random) {
    byte[] bytes = new byte[LENGTH];
    random.nextBytes(bytes);
    return read(new SegmentBuffer(bytes), 0);
  }

  static Nonce read(DirectBuffer buffer, int offset) {
    return new Nonce(
        buffer.getLong(offset, BIG_ENDIAN),
        buffer.getLong(offset + Long.BYTES, BIG_ENDIAN),
        buffer.getLong(offset + 2 * Long.BYTES, BIG_ENDIAN),
        buffer.getLong(offset + 3 * Long.BYTES, BIG_ENDIAN));
  }

  byte[] bytes() {
    SegmentBuffer buffer = new SegmentBuffer(new byte[LENGTH]);
    buffer.putLong(0, first, BIG_ENDIAN);
    buffer.putLong(Long.BYTES, second, BIG_ENDIAN);
    buffer.putLong(2 * Long.BYTES, third, BIG_ENDIAN);
    buffer.putLong(3 * Long.BYTES, fourth, BIG_ENDIAN);
    return buffer.byteArray();
  }
}
