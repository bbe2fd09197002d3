package io.millrace.protocol.congestion;

/**
 * Counts round trips by packets: a round trip ends with the acknowledgement of a packet that left
 * after the round trip began. Owned by a {@link Bbr}.
 */
final class RoundTrips {
  private long endDeliveredBytes;
  private long count;
  private long markedCount;
  private boolean isStart;

  /** A round trip begins now. */
  void start(long deliveredBytes) {
    endDeliveredBytes = deliveredBytes;
  }

  /**
   * A frame acknowledged a packet; {@code priorDeliveredBytes} had been delivered at the packet's
   * departure.
   */
  void onAck(long priorDeliveredBytes, long deliveredBytes) {
    isStart = priorDeliveredBytes >= endDeliveredBytes;
    if (isStart) {
      start(deliveredBytes);
      count++;
    }
  }

  /** A frame ended no round trip, because the frame said nothing of a known packet. */
  void onAckWithoutSample() {
    isStart = false;
  }

  /** {@link #sinceMark} counts from here. */
  void mark() {
    markedCount = count;
  }

  /** The number of round trips since the mark. */
  long sinceMark() {
    return count - markedCount;
  }

  /** The number of ended round trips. */
  long count() {
    return count;
  }

  /** Whether the frame at hand ended a round trip. */
  boolean isStart() {
    return isStart;
  }
}
