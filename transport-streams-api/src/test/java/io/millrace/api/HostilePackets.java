package io.millrace.api;

import io.millrace.wire.PacketHeader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;
import org.agrona.concurrent.UnsafeBuffer;

/** What somebody sends who sees the wire but has no key. Single worker nodes only. */
final class HostilePackets {
  private HostilePackets() {}

  /** A data packet whose header is right in all but what the tag would prove. */
  static byte[] forged(
      RandomGenerator random, long pathId, int keyId, long packetNumber, int bodyLength) {
    byte[] bytes = noise(random, PacketHeader.OVERHEAD + bodyLength);
    UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    PacketHeader.encodeFixed(buffer, 0, 0, 0, pathId);
    PacketHeader.encodeNumber(buffer, 0, keyId, packetNumber);
    return bytes;
  }

  /** Random bytes. */
  static byte[] noise(RandomGenerator random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Where the only worker of a node listens. */
  static InetSocketAddress workerAddress(Transport transport) {
    byte[] bytes = transport.snapshot().workers().getFirst().address().bytes();
    int port = new UnsafeBuffer(bytes).getShort(4, ByteOrder.BIG_ENDIAN) & 0xFFFF;
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }
}
