package io.millrace.udp.linux;

import static io.millrace.udp.linux.MessageLayout.CMSG_DATA;
import static io.millrace.udp.linux.MessageLayout.IOVEC_BYTES;
import static io.millrace.udp.linux.MessageLayout.MMSGHDR_BYTES;

import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;

/**
 * The messages of one sending call, in native memory: each message is one piece of memory, with or
 * without an address, with or without a cut into segments. Owned by the sender; does not allocate
 * after construction.
 */
final class MessageTable {
  private static final int CONTROL_BYTES = 24;
  private static final int SEGMENT_CMSG_LEN = CMSG_DATA + Short.BYTES;

  private final SegmentBuffer memory;
  private final int capacity;
  private final int vectors;
  private final int controls;

  MessageTable(Arena arena, int capacity) {
    this.capacity = capacity;
    vectors = capacity * MMSGHDR_BYTES;
    controls = vectors + capacity * IOVEC_BYTES;
    int bytes = controls + capacity * CONTROL_BYTES;
    memory = new SegmentBuffer(arena.allocate(bytes, Long.BYTES).address(), bytes);
    memory.setMemory(0, bytes, (byte) 0);
    for (int i = 0; i < capacity; i++) {
      int header = i * MMSGHDR_BYTES;
      int vector = vectors + i * IOVEC_BYTES;
      int control = controls + i * CONTROL_BYTES;
      memory.putLong(header + MessageLayout.MSG_IOV, memory.addressOffset() + vector);
      memory.putLong(header + MessageLayout.MSG_IOVLEN, 1);
      memory.putLong(header + MessageLayout.MSG_CONTROL, memory.addressOffset() + control);
      memory.putLong(control + MessageLayout.CMSG_LEN, SEGMENT_CMSG_LEN);
      memory.putInt(control + MessageLayout.CMSG_LEVEL, SocketOptions.SOL_UDP);
      memory.putInt(control + MessageLayout.CMSG_TYPE, SocketOptions.UDP_SEGMENT);
    }
  }

  int capacity() {
    return capacity;
  }

  /** Returns the native address of the first message. */
  long pointer() {
    return memory.addressOffset();
  }

  /**
   * Sets the address of message {@code i}; without an address the message goes to the socket's
   * peer.
   */
  void address(int i, long address, int addressBytes) {
    int header = i * MMSGHDR_BYTES;
    memory.putLong(header + MessageLayout.MSG_NAME, address);
    memory.putInt(header + MessageLayout.MSG_NAMELEN, addressBytes);
  }

  /** Sets the payload of message {@code i}; the kernel cuts a payload longer than a segment. */
  void payload(int i, long address, int bytes, int segmentBytes) {
    int vector = vectors + i * IOVEC_BYTES;
    memory.putLong(vector + MessageLayout.IOV_BASE, address);
    memory.putLong(vector + MessageLayout.IOV_LEN, bytes);
    boolean isCut = bytes > segmentBytes;
    if (isCut) {
      memory.putShort(controls + i * CONTROL_BYTES + CMSG_DATA, (short) segmentBytes);
    }
    memory.putLong(i * MMSGHDR_BYTES + MessageLayout.MSG_CONTROLLEN, isCut ? CONTROL_BYTES : 0);
  }
}
