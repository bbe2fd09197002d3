package io.millrace.api;

import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.FrameHeaderEncoder;
import io.millrace.wire.codec.PskInitEncoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;

/** The packets of an attacker who sees the wire but has no key. Single worker nodes only. */
final class HostilePackets {
  private static final int INIT_BYTES = 1_200;

  private HostilePackets() {}

  /** Returns a data packet with a correct header and a wrong tag. */
  static byte[] forged(
      RandomGenerator random, long pathId, int keyId, long packetNumber, int bodyLength) {
    byte[] bytes = noise(random, PacketHeader.OVERHEAD + bodyLength);
    SegmentBuffer buffer = new SegmentBuffer(bytes);
    PacketHeader.encodeFixed(buffer, 0, 0, 0, pathId);
    PacketHeader.encodeNumber(buffer, 0, keyId, packetNumber);
    return bytes;
  }

  /** Returns such a packet with this body, as if unsealed, and an arbitrary tag behind the body. */
  static byte[] forged(
      RandomGenerator random, long pathId, int keyId, long packetNumber, byte[] body) {
    byte[] packet = forged(random, pathId, keyId, packetNumber, body.length);
    System.arraycopy(body, 0, packet, PacketHeader.LENGTH, body.length);
    return packet;
  }

  /**
   * Returns the first message of a handshake, of the right length and version, from a sender
   * without a key.
   */
  static byte[] forgedInit(RandomGenerator random) {
    int handshakeVersion = 1;
    int envelope = 2;
    SegmentBuffer buffer = new SegmentBuffer(noise(random, INIT_BYTES));
    buffer.putByte(0, PacketHeader.FORM_HANDSHAKE);
    buffer.putByte(1, (byte) handshakeVersion);
    int padding =
        INIT_BYTES - envelope - FrameStart.LENGTH - PskInitEncoder.BLOCK_LENGTH - Short.BYTES;
    PskInitEncoder init =
        new PskInitEncoder()
            .wrapAndApplyHeader(buffer, envelope, new FrameHeaderEncoder())
            .protocolVersion(handshakeVersion)
            .putPadding(new byte[padding], 0, padding);
    new FrameHeaderEncoder()
        .wrap(buffer, envelope)
        .frameLength(init.limit() - envelope)
        .reserved((short) 0);
    return buffer.byteArray();
  }

  /** Random bytes. */
  static byte[] noise(RandomGenerator random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Returns the address of a node's only worker. */
  static InetSocketAddress workerAddress(Transport transport) {
    byte[] bytes = transport.snapshot().workers().getFirst().address().bytes();
    int port = new SegmentBuffer(bytes).getShort(4, ByteOrder.BIG_ENDIAN) & 0xFFFF;
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }
}
