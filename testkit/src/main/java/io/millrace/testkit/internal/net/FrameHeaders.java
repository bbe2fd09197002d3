package io.millrace.testkit.internal.net;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.millrace.testkit.internal.base.SimAddress;
import java.nio.ByteBuffer;

/**
 * The Ethernet, IPv4 and UDP headers of a simulated datagram, as a real network would have carried.
 */
final class FrameHeaders {
  /** Bytes of all three headers. */
  static final int LENGTH = 42;

  private static final int IP_OFFSET = 14;
  private static final int IP_LENGTH = 20;
  private static final int UDP_LENGTH = 8;
  private static final int CHECKSUM_OFFSET = 10;
  private static final short LOCAL_MAC = 0x0200;
  private static final short IPV4 = 0x0800;
  private static final byte VERSION_AND_LENGTH = 0x45;
  private static final short DO_NOT_FRAGMENT = 0x4000;
  private static final byte TTL = 64;
  private static final byte UDP = 17;
  private static final int NETWORK = 10;

  private final ByteBuffer bytes = ByteBuffer.allocate(LENGTH).order(BIG_ENDIAN);

  /** Appends the headers of a datagram to {@code to}. */
  void put(ByteBuffer to, PacketView packet) {
    SimAddress source = packet.source();
    SimAddress destination = packet.destination();
    bytes.clear();
    bytes.putShort(LOCAL_MAC).putInt(ip(destination));
    bytes.putShort(LOCAL_MAC).putInt(ip(source)).putShort(IPV4);
    bytes.put(VERSION_AND_LENGTH).put((byte) packet.ecn());
    bytes.putShort((short) (IP_LENGTH + UDP_LENGTH + packet.length()));
    bytes.putShort((short) packet.ordinal()).putShort(DO_NOT_FRAGMENT);
    bytes.put(TTL).put(UDP).putShort((short) 0).putInt(ip(source)).putInt(ip(destination));
    bytes.putShort(IP_OFFSET + CHECKSUM_OFFSET, checksum());
    bytes.putShort((short) source.port()).putShort((short) destination.port());
    bytes.putShort((short) (UDP_LENGTH + packet.length())).putShort((short) 0);
    to.put(bytes.flip());
  }

  private static int ip(SimAddress address) {
    return NETWORK << 24 | address.nic() << 16 | address.node();
  }

  private short checksum() {
    int sum = 0;
    for (int at = IP_OFFSET; at < IP_OFFSET + IP_LENGTH; at += Short.BYTES) {
      sum += Short.toUnsignedInt(bytes.getShort(at));
    }
    sum = (sum & 0xFFFF) + (sum >>> Short.SIZE);
    sum = (sum & 0xFFFF) + (sum >>> Short.SIZE);
    return (short) ~sum;
  }
}
