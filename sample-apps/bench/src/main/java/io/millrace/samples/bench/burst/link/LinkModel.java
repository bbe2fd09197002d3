package io.millrace.samples.bench.burst.link;

import io.millrace.wire.PacketHeader;
import java.util.concurrent.TimeUnit;

/**
 * The most that the bottleneck can carry. The model counts a packet as the token bucket does: a
 * frame without the check sequence.
 *
 * @param bitsPerSecond the rate of the token bucket
 * @param mtu bytes of an IP packet
 */
public record LinkModel(long bitsPerSecond, int mtu) {
  /** Ethernet, of each frame. */
  public static final int ETHERNET_BYTES = 14;

  /** IPv4 and UDP, of each datagram. */
  public static final int DATAGRAM_OVERHEAD_BYTES = 20 + 8;

  /**
   * Overhead of a packet with one chunk: header, tag, and the frame that gives the chunk's place.
   */
  public static final int PACKET_OVERHEAD_BYTES = PacketHeader.OVERHEAD + PacketHeader.CHUNK_LENGTH;

  /** Bytes of a full packet at the bottleneck. */
  public int fullPacketBytes() {
    return mtu + ETHERNET_BYTES;
  }

  /** Largest payload of a full data packet. */
  public int fullPayloadBytes() {
    return mtu - DATAGRAM_OVERHEAD_BYTES - PACKET_OVERHEAD_BYTES;
  }

  /** The payload bytes that the link carries each second in full data packets. */
  public double payloadBytesPerSecond() {
    return bitsPerSecond / 8.0 * fullPayloadBytes() / fullPacketBytes();
  }

  /** The bytes on the link for a transfer, in as few data packets as possible. */
  public long wireBytes(int payloadBytes) {
    long packets = Math.ceilDiv((long) payloadBytes, fullPayloadBytes());
    return payloadBytes
        + packets * (ETHERNET_BYTES + DATAGRAM_OVERHEAD_BYTES + PACKET_OVERHEAD_BYTES);
  }

  /** The time that the link takes for this number of transfers, without idle time and losses. */
  public long idealNs(long transfers, int payloadBytes) {
    return Math.round(transfers * wireBytes(payloadBytes) * 8.0 / bitsPerSecond * second());
  }

  /** The carried payload as a share of the payload that the link can carry. */
  public double goodputOfLink(long payloadBytes, long elapsedNs) {
    return perSecond(payloadBytes, elapsedNs) / payloadBytesPerSecond();
  }

  /** Payload by the rate of the link, headers of all layers left out of account. */
  public double payloadOfLink(long payloadBytes, long elapsedNs) {
    return perSecond(payloadBytes, elapsedNs) * 8 / bitsPerSecond;
  }

  private static double perSecond(long bytes, long elapsedNs) {
    return elapsedNs == 0 ? 0 : bytes * second() / elapsedNs;
  }

  private static double second() {
    return TimeUnit.SECONDS.toNanos(1);
  }
}
