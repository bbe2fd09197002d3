package io.millrace.udp.linux;

import io.millrace.memory.SegmentBuffer;

/** Native memory by address. */
final class Memory {
  private Memory() {}

  static long readLong(long address) {
    return new SegmentBuffer(address, Long.BYTES).getLong(0);
  }

  static void writeInt(long address, int value) {
    new SegmentBuffer(address, Integer.BYTES).putInt(0, value);
  }
}
