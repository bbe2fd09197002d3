package io.millrace.udp.linux;

import org.agrona.concurrent.UnsafeBuffer;

/** Native memory by address. */
final class Memory {
  private Memory() {}

  static long readLong(long address) {
    return new UnsafeBuffer(address, Long.BYTES).getLong(0);
  }

  static void writeInt(long address, int value) {
    new UnsafeBuffer(address, Integer.BYTES).putInt(0, value);
  }
}
