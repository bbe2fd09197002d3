package io.millrace.samples.capture;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Finds the payload of a UDP datagram in a captured packet: over Ethernet, Linux' cooked captures,
 * BSD's loopback and bare IP, of IPv4 and IPv6. Fragments, IPv6 with extension headers, and packets
 * not captured to their end are passed over.
 */
final class LinkLayer {
  private static final int NULL = 0;
  private static final int ETHERNET = 1;
  private static final int RAW = 101;
  private static final int LOOP = 108;
  private static final int COOKED = 113;
  private static final int IPV4_RAW = 228;
  private static final int IPV6_RAW = 229;
  private static final int COOKED_2 = 276;

  private static final int VLAN = 0x8100;
  private static final int VLAN_BYTES = 4;
  private static final int MAC_ADDRESSES = 12;
  private static final int UDP = 17;
  private static final int UDP_HEADER = 8;
  private static final int IPV4_LEAST = 20;
  private static final int IPV6_HEADER = 40;

  /** The place of a payload. */
  record Payload(int offset, int length) {}

  private LinkLayer() {}

  /**
   * Returns the payload in {@code length} bytes at {@code offset}, if these are a whole UDP
   * datagram.
   */
  static Optional<Payload> payloadOf(byte[] bytes, int offset, int length, int linkType) {
    int header = headerBytes(bytes, offset, length, linkType);
    return header < 0 || length - header < IPV4_LEAST + UDP_HEADER
        ? Optional.empty()
        : ofIp(ByteBuffer.wrap(bytes, 0, offset + length), offset + header);
  }

  private static int headerBytes(byte[] bytes, int offset, int length, int linkType) {
    return switch (linkType) {
      case NULL, LOOP -> 4;
      case ETHERNET -> ethernetBytes(bytes, offset, length);
      case RAW, IPV4_RAW, IPV6_RAW -> 0;
      case COOKED -> 16;
      case COOKED_2 -> 20;
      default -> -1;
    };
  }

  private static int ethernetBytes(byte[] bytes, int offset, int length) {
    ByteBuffer packet = ByteBuffer.wrap(bytes, 0, offset + length);
    int type = MAC_ADDRESSES;
    while (length >= type + VLAN_BYTES + Short.BYTES
        && (packet.getShort(offset + type) & 0xFFFF) == VLAN) {
      type += VLAN_BYTES;
    }
    return type + Short.BYTES;
  }

  private static Optional<Payload> ofIp(ByteBuffer packet, int ip) {
    return switch (packet.get(ip) >> 4 & 0xF) {
      case 4 -> {
        boolean isFragment = (packet.getShort(ip + 6) & 0x3FFF) != 0;
        yield packet.get(ip + 9) == UDP && !isFragment
            ? ofUdp(packet, ip + (packet.get(ip) & 0xF) * Integer.BYTES)
            : Optional.empty();
      }
      case 6 -> packet.get(ip + 6) == UDP ? ofUdp(packet, ip + IPV6_HEADER) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Optional<Payload> ofUdp(ByteBuffer packet, int udp) {
    if (udp + UDP_HEADER > packet.limit()) {
      return Optional.empty();
    }
    int length = packet.getShort(udp + Integer.BYTES) & 0xFFFF;
    return length >= UDP_HEADER && udp + length <= packet.limit()
        ? Optional.of(new Payload(udp + UDP_HEADER, length - UDP_HEADER))
        : Optional.empty();
  }
}
