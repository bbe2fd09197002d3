package io.millrace.udp.linux;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.millrace.memory.SegmentBuffer;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Socket addresses in native memory: {@code sockaddr_in} and {@code sockaddr_in6}. */
final class Sockaddr {
  /** The bytes of the larger structure. */
  static final int MAX_BYTES = 32;

  private static final int PORT = 2;
  private static final int IPV4_ADDRESS = 4;
  private static final int IPV6_ADDRESS = 8;
  private static final int IPV6_SCOPE = 24;

  private Sockaddr() {}

  /** Writes {@code address} as a socket address. */
  static void write(SegmentBuffer buffer, int offset, InetSocketAddress address) {
    buffer.setMemory(offset, MAX_BYTES, (byte) 0);
    IpVersion version = IpVersion.of(address.getAddress());
    buffer.putShort(offset, (short) version.domain);
    buffer.putShort(offset + PORT, (short) address.getPort(), BIG_ENDIAN);
    if (address.getAddress() instanceof Inet6Address ipv6) {
      buffer.putBytes(offset + IPV6_ADDRESS, ipv6.getAddress());
      buffer.putInt(offset + IPV6_SCOPE, ipv6.getScopeId());
    } else {
      buffer.putBytes(offset + IPV4_ADDRESS, address.getAddress().getAddress());
    }
  }

  /** Reads an address of {@code version}; allocates. */
  static InetSocketAddress read(SegmentBuffer buffer, int offset, IpVersion version) {
    int port = buffer.getShort(offset + PORT, BIG_ENDIAN) & 0xFFFF;
    try {
      if (version == IpVersion.IPV4) {
        byte[] ip = new byte[4];
        buffer.getBytes(offset + IPV4_ADDRESS, ip);
        return new InetSocketAddress(InetAddress.getByAddress(ip), port);
      }
      byte[] ip = new byte[16];
      buffer.getBytes(offset + IPV6_ADDRESS, ip);
      int scope = buffer.getInt(offset + IPV6_SCOPE);
      return new InetSocketAddress(Inet6Address.getByAddress(null, ip, scope), port);
    } catch (UnknownHostException e) {
      throw new AssertionError("the length of the address is right", e);
    }
  }

  /** Whether both have the same address and port; other fields do not count. */
  static boolean isSame(SegmentBuffer left, int leftOffset, SegmentBuffer right, int rightOffset) {
    if (left.getInt(leftOffset) != right.getInt(rightOffset)) {
      return false;
    }
    if (left.getShort(leftOffset) == IpVersion.IPV4.domain) {
      return left.getInt(leftOffset + IPV4_ADDRESS) == right.getInt(rightOffset + IPV4_ADDRESS);
    }
    return left.getLong(leftOffset + IPV6_ADDRESS) == right.getLong(rightOffset + IPV6_ADDRESS)
        && left.getLong(leftOffset + IPV6_ADDRESS + 8)
            == right.getLong(rightOffset + IPV6_ADDRESS + 8);
  }
}
