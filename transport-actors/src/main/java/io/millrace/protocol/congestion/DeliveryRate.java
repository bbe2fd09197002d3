package io.millrace.protocol.congestion;

import java.util.Arrays;

/**
 * Measures how fast a path delivers, once per Ack frame: draft-ietf-ccwg-bbr-06, "Delivery Rate
 * Samples". A sample is the number of bytes delivered since the newest acknowledged packet left,
 * over the longer of the times of sending and of acknowledging these bytes.
 *
 * <p>A ring by packet number keeps the state of each packet for its sample until the packet is
 * settled. A sample is marked application-limited if there was nothing to send for a part of its
 * time; at first everything counts so, until the first acknowledgement.
 *
 * <p>Owned by a {@link Bbr}, on the worker's thread. Times are passed in. Allocates only when more
 * is in flight than ever before.
 */
final class DeliveryRate {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int INITIAL_PACKETS = 64;

  /** As many packets as the log of sent packets may hold; older packets give no sample. */
  private static final int MAX_PACKETS = 1 << 16;

  private static final long NONE = -1;

  // The longs of a packet in the ring.
  private static final int NUMBER = 0;
  private static final int DELIVERED = 1;
  private static final int DELIVERED_NS = 2;
  private static final int FIRST_SENT_NS = 3;
  private static final int LOST = 4;

  /** Bytes in flight with the packet; its complement if the packet is application-limited. */
  private static final int IN_FLIGHT = 5;

  private static final int STRIDE = 6;

  private long[] ring = new long[INITIAL_PACKETS * STRIDE];

  private long deliveredBytes;
  private long deliveredNs;

  /** The sending time of the newest delivered packet, or of the first packet after a pause. */
  private long firstSentNs;

  private long lostBytes;

  /**
   * Samples are application-limited until more than this was delivered; 0 for unlimited samples.
   */
  private long limitedUntilBytes = 1;

  /** The least round trip ever, ns. */
  private long leastRttNs = Long.MAX_VALUE;

  // The sample of the Ack frame at hand.
  private long newestNumber = NONE;
  private long newlyAckedBytes;
  private long priorDeliveredBytes;
  private long priorLostBytes;
  private long sendElapsedNs;
  private long ackElapsedNs;
  private long rttNs;
  private long inFlightAtSend;
  private boolean isLimitedSample;
  private long bytesPerSecond;

  /** Knows of no packet yet. */
  DeliveryRate() {
    forgetAll(ring);
  }

  /** A packet was sent; {@code bytesInFlight} includes the packet. */
  void onSent(long number, int bytes, long bytesInFlight, long nowNs) {
    if (bytesInFlight == bytes) {
      firstSentNs = nowNs;
      deliveredNs = nowNs;
    }
    int at = place(number);
    while (ring[at + NUMBER] != NONE && ring.length < MAX_PACKETS * STRIDE) {
      grow();
      at = place(number);
    }
    ring[at + NUMBER] = number;
    ring[at + DELIVERED] = deliveredBytes;
    ring[at + DELIVERED_NS] = deliveredNs;
    ring[at + FIRST_SENT_NS] = firstSentNs;
    ring[at + LOST] = lostBytes;
    ring[at + IN_FLIGHT] = isLimited() ? ~bytesInFlight : bytesInFlight;
  }

  /** A packet was acknowledged: the packet belongs to the sample that {@link #complete} ends. */
  void onAcked(long number, int bytes, long sentNs, long nowNs) {
    newlyAckedBytes += bytes;
    deliveredBytes += bytes;
    deliveredNs = nowNs;
    final int at = place(number);
    if (ring[at + NUMBER] != number) {
      return;
    }
    ring[at + NUMBER] = NONE;
    if (number > newestNumber && sentNs != nowNs) {
      newestNumber = number;
      priorDeliveredBytes = ring[at + DELIVERED];
      priorLostBytes = ring[at + LOST];
      sendElapsedNs = sentNs - ring[at + FIRST_SENT_NS];
      ackElapsedNs = nowNs - ring[at + DELIVERED_NS];
      inFlightAtSend = inFlight(ring[at + IN_FLIGHT]);
      isLimitedSample = ring[at + IN_FLIGHT] < 0;
      rttNs = Math.max(nowNs - sentNs, 1);
      firstSentNs = sentNs;
    }
  }

  /** All packets of the frame were named. */
  void complete() {
    if (isLimited() && deliveredBytes > limitedUntilBytes) {
      limitedUntilBytes = 0;
    }
    if (!hasSample()) {
      return;
    }
    leastRttNs = Math.min(leastRttNs, rttNs);
    final long intervalNs = Math.max(sendElapsedNs, ackElapsedNs);
    bytesPerSecond =
        intervalNs < leastRttNs ? 0 : (long) (sampleBytes() * NANOS_PER_SECOND / intervalNs);
  }

  /** The frame is done with. */
  void clear() {
    newestNumber = NONE;
    newlyAckedBytes = 0;
    bytesPerSecond = 0;
    rttNs = 0;
  }

  /** Bytes count as lost; the bytes of marked packets, too. */
  void onLost(long bytes) {
    lostBytes += bytes;
  }

  /** Bytes in flight when this packet left, including the packet, or -1 if unknown. */
  long inFlightAtSend(long number) {
    final int at = place(number);
    return ring[at + NUMBER] == number ? inFlight(ring[at + IN_FLIGHT]) : NONE;
  }

  /** Bytes lost since this packet, a known packet, left. */
  long lostSince(long number) {
    return lostBytes - ring[place(number) + LOST];
  }

  /** Whether this packet, a known packet, left application-limited. */
  boolean isLimited(long number) {
    return ring[place(number) + IN_FLIGHT] < 0;
  }

  /** A packet will not be acknowledged. */
  void forget(long number) {
    final int at = place(number);
    if (ring[at + NUMBER] == number) {
      ring[at + NUMBER] = NONE;
    }
  }

  /**
   * The path has nothing to send: deliveries until all bytes in flight are delivered say little.
   */
  void onLimited(long bytesInFlight) {
    limitedUntilBytes = Math.max(deliveredBytes + bytesInFlight, 1);
  }

  /** Whether packets sent now give application-limited samples. */
  boolean isLimited() {
    return limitedUntilBytes != 0;
  }

  /** Whether the frame acknowledged any known packet. */
  boolean hasSample() {
    return newestNumber != NONE;
  }

  /** Bytes acknowledged by the frame. */
  long newlyAckedBytes() {
    return newlyAckedBytes;
  }

  /** All bytes ever delivered. */
  long deliveredBytes() {
    return deliveredBytes;
  }

  /** The sample: bytes per second, 0 for an unreliable sample. */
  long bytesPerSecond() {
    return bytesPerSecond;
  }

  /** Bytes delivered since the newest acknowledged packet left. */
  long sampleBytes() {
    return hasSample() ? deliveredBytes - priorDeliveredBytes : 0;
  }

  /** Bytes that had been delivered when this packet left. */
  long priorDeliveredBytes() {
    return priorDeliveredBytes;
  }

  /** Bytes lost since this packet left. */
  long sampleLostBytes() {
    return lostBytes - priorLostBytes;
  }

  /** Bytes in flight when this packet left, including the packet. */
  long sampleInFlightBytes() {
    return inFlightAtSend;
  }

  /** Whether this packet left application-limited. */
  boolean isLimitedSample() {
    return isLimitedSample;
  }

  /** The round trip of this packet, ns. */
  long rttNs() {
    return rttNs;
  }

  private static long inFlight(long value) {
    return value < 0 ? ~value : value;
  }

  private int place(long number) {
    return (int) (number & (ring.length / STRIDE - 1)) * STRIDE;
  }

  private void grow() {
    final long[] old = ring;
    ring = new long[old.length * 2];
    forgetAll(ring);
    for (int from = 0; from < old.length; from += STRIDE) {
      if (old[from + NUMBER] != NONE) {
        System.arraycopy(old, from, ring, place(old[from + NUMBER]), STRIDE);
      }
    }
  }

  private static void forgetAll(long[] ring) {
    Arrays.fill(ring, NONE);
  }
}
