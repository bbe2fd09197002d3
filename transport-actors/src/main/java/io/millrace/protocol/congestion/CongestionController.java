package io.millrace.protocol.congestion;

import io.millrace.transfer.CongestionState;

/**
 * Decides how much a path may have in flight and how fast the path may send.
 *
 * <p>Owned by a {@code PathRecovery} and called on the worker's thread; an instance serves a single
 * path. Only packets that want an acknowledgement count. Every input names the packet, so that a
 * controller can keep its state per packet, such as delivery rate samples, by packet number. All
 * bytes are bytes on the wire, all times ns.
 */
public interface CongestionController {
  /**
   * A packet was sent.
   *
   * @param bytesInFlight bytes in flight with this packet
   */
  void onSent(long packetNumber, int bytes, long bytesInFlight, long nowNs);

  /**
   * A packet was acknowledged; {@link #onAckEnd} follows once all packets of the frame were named.
   */
  void onAcked(long packetNumber, int bytes, long sentNs, long nowNs);

  /**
   * All packets that an Ack frame newly acknowledged, or proved lost, have been named.
   *
   * @param priorBytesInFlight bytes in flight before the frame
   * @param latestRttNs the sample of this Ack frame, or 0 without one
   * @param minRttNs the least sample
   * @param smoothedRttNs the moving average
   */
  void onAckEnd(
      long priorBytesInFlight, long latestRttNs, long minRttNs, long smoothedRttNs, long nowNs);

  /** A packet was declared lost; a pass names its packets in the order of sending. */
  void onLost(long packetNumber, int bytes, long sentNs, long nowNs);

  /**
   * A packet that says nothing about congestion is out of flight: a packet that tried out its size
   * was lost.
   */
  default void onDiscarded(long packetNumber, int bytes) {}

  /**
   * A packet that {@link #onLost} named has arrived after all. {@link #onAcked} does not name the
   * packet, nor need {@link #onAckEnd} follow.
   */
  default void onSpuriousLoss(long packetNumber, long nowNs) {}

  /**
   * The path has nothing to send although the window is open: deliveries until all bytes in flight
   * are acknowledged say little about the path.
   *
   * @param bytesInFlight bytes in flight
   */
  default void onApplicationLimited(long bytesInFlight) {}

  /**
   * The peer received packets with a congestion mark.
   *
   * @param newMarks how many more than before
   * @param sentNs the sending time of the largest packet that the news acknowledges
   */
  void onEcnCe(int newMarks, long sentNs, long nowNs);

  /** Losses span so long a time that nothing is known about the path any more. */
  void onPersistentCongestion(long nowNs);

  /** The path's datagrams have this many bytes from now on. */
  default void onDatagramBytes(int bytes) {}

  /** The controller's state at present. */
  CongestionState congestionState();

  /** The number of bytes that may be in flight. */
  long windowBytes();

  /** How fast packets may leave, bytes per second; 0 if the window alone decides. */
  long pacingRateBytesPerSecond();
}
