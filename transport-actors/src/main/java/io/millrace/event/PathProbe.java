package io.millrace.event;

import io.millrace.transfer.CongestionState;

/** Where one path to a peer stands. Any thread; a late value does no harm. */
public interface PathProbe {
  /** The peer's handshake address. */
  String peer();

  /** The path's number. */
  long pathId();

  /** Packets that were acknowledged, from the start on. */
  long packetsAcked();

  /** Packets that were declared lost, from the start on. */
  long packetsLost();

  /** How it stands now. */
  PathState state();

  /**
   * How a path stands.
   *
   * @param smoothedRttNs its round trip, ns
   * @param bytesInFlight sent and not acknowledged
   * @param windowBytes what may be in flight
   * @param pacingBytesPerSecond how fast packets may leave; 0 if the window alone decides
   * @param congestion what its congestion controller does
   * @param openTransfers transfers of this node that are open on it
   * @param servedTransfers transfers of the peer that are open on it
   */
  record PathState(
      long smoothedRttNs,
      long bytesInFlight,
      long windowBytes,
      long pacingBytesPerSecond,
      CongestionState congestion,
      int openTransfers,
      int servedTransfers) {}
}
