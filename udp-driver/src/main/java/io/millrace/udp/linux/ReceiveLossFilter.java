package io.millrace.udp.linux;

import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;

/**
 * A test hook: lets the kernel drop a share of the datagrams that a socket receives, at random.
 * Switched on for every endpoint opened while the system property {@value #PROPERTY} is set to a
 * percentage; off by default. The kernel joins no trains on such an endpoint, so each datagram is
 * lost independently.
 */
final class ReceiveLossFilter {
  static final String PROPERTY = "millrace.udp.receiveLossPercent";

  private static final int INSTRUCTION_BYTES = 8;
  private static final int INSTRUCTIONS = 4;
  private static final int PROGRAM_OFFSET = 16;
  private static final int PROGRAM_BYTES = 16;

  private static final int LOAD_WORD = 0x20;
  private static final int JUMP_IF_NOT_BELOW = 0x35;
  private static final int RETURN = 0x06;
  private static final int RANDOM = -0x1000 + 56;

  private ReceiveLossFilter() {}

  /** Returns the percentage of the system property; 0 if the property is missing or no number. */
  static double configuredPercent() {
    try {
      return Math.clamp(Double.parseDouble(System.getProperty(PROPERTY, "0")), 0, 100);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /**
   * Makes the socket lose {@code percent} of the received datagrams; returns 0 or an error number
   * negated.
   */
  static int attach(Libc libc, int fd, double percent) {
    long threshold = Math.min(0xFFFF_FFFFL, Math.round(percent / 100 * (1L << 32)));
    int bytes = PROGRAM_OFFSET + INSTRUCTIONS * INSTRUCTION_BYTES;
    try (Arena arena = Arena.ofConfined()) {
      SegmentBuffer memory = new SegmentBuffer(arena.allocate(bytes, Long.BYTES).address(), bytes);
      memory.putShort(0, (short) INSTRUCTIONS);
      memory.putLong(Long.BYTES, memory.addressOffset() + PROGRAM_OFFSET);
      instruction(memory, 0, LOAD_WORD, 0, RANDOM);
      instruction(memory, 1, JUMP_IF_NOT_BELOW, 1, (int) threshold);
      instruction(memory, 2, RETURN, 0, 0);
      instruction(memory, 3, RETURN, 0, -1);
      return libc.setsockopt(
          fd,
          SocketOptions.SOL_SOCKET,
          SocketOptions.SO_ATTACH_FILTER,
          memory.addressOffset(),
          PROGRAM_BYTES);
    }
  }

  private static void instruction(SegmentBuffer memory, int index, int code, int ifTrue, int k) {
    int offset = PROGRAM_OFFSET + index * INSTRUCTION_BYTES;
    memory.putShort(offset, (short) code);
    memory.putByte(offset + 2, (byte) ifTrue);
    memory.putByte(offset + 3, (byte) 0);
    memory.putInt(offset + 4, k);
  }
}
