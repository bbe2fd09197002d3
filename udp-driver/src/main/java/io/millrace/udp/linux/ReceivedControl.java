package io.millrace.udp.linux;

import static io.millrace.udp.linux.MessageLayout.CMSG_DATA;

import io.millrace.memory.SegmentBuffer;

/** The contents of the control messages of one received message. Owned by the ring; reused. */
final class ReceivedControl {
  private static final int ECN_MASK = 3;

  private int segmentBytes;
  private int ecn;
  private int drops;

  /** Reads the control messages in {@code bytes} of {@code table} from {@code start} on. */
  void read(SegmentBuffer table, int start, int bytes) {
    segmentBytes = 0;
    ecn = 0;
    drops = 0;
    int end = start + bytes;
    int offset = start;
    while (offset + CMSG_DATA <= end) {
      onMessage(
          table,
          offset + CMSG_DATA,
          table.getInt(offset + MessageLayout.CMSG_LEVEL),
          table.getInt(offset + MessageLayout.CMSG_TYPE));
      offset = MessageLayout.nextControl(offset, table.getLong(offset + MessageLayout.CMSG_LEN));
    }
  }

  private void onMessage(SegmentBuffer table, int data, int level, int type) {
    if (level == SocketOptions.SOL_UDP && type == SocketOptions.UDP_GRO) {
      segmentBytes = table.getInt(data);
    } else if (isTrafficClass(IpVersion.IPV4, level, type)
        || isTrafficClass(IpVersion.IPV6, level, type)) {
      // IPv4 delivers one byte and IPv6 an int; the lowest byte comes first.
      ecn = table.getByte(data) & ECN_MASK;
    } else if (level == SocketOptions.SOL_SOCKET && type == SocketOptions.SO_RXQ_OVFL) {
      drops = table.getInt(data);
    }
  }

  private static boolean isTrafficClass(IpVersion version, int level, int type) {
    return level == version.level && type == version.trafficClass;
  }

  /**
   * Returns the bytes of each datagram but the last in a whole received train; 0 for a single
   * datagram.
   */
  int segmentBytes() {
    return segmentBytes;
  }

  /** Returns the two ECN bits; 0 if not delivered. */
  int ecn() {
    return ecn;
  }

  /**
   * Returns the number of datagrams dropped by the socket since its opening; 0 if not delivered.
   */
  int drops() {
    return drops;
  }
}
