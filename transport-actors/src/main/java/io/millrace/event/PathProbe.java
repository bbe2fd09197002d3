package io.millrace.event;

import io.millrace.transfer.CongestionState;

/** The present figures of one path to a peer. Any thread; a late value does no harm. */
public interface PathProbe {
  /** The peer's handshake address. */
  String peer();

  /** The path's number. */
  long pathId();

  /** Packets acknowledged so far, from the start on. */
  long packetsAcked();

  /** Packets that were declared lost, from the start on. */
  long packetsLost();

  /** The path's present state. */
  PathState state();

  /**
   * The state of a path.
   *
   * @param smoothedRttNs the smoothed round trip of the path, ns
   * @param bytesInFlight sent and not acknowledged
   * @param windowBytes the bytes that may be in flight
   * @param pacingBytesPerSecond how fast packets may leave; 0 if the window alone decides
   * @param congestion the phase of the congestion controller
   * @param openTransfers transfers of this node that are open on the path
   * @param servedTransfers transfers of the peer that are open on the path
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
