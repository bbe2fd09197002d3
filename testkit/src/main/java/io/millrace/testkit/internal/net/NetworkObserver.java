package io.millrace.testkit.internal.net;

/** Sees the events of a network, in their order. Must change nothing. */
public interface NetworkObserver {
  /** An endpoint sent the datagram, at {@code nowNs}; no fault happened to the datagram yet. */
  default void onSent(PacketView packet, long nowNs) {}

  /** An endpoint got the datagram. */
  default void onDelivered(PacketView packet, long nowNs) {}

  /** The datagram did not arrive. */
  default void onLost(PacketView packet, LossReason reason, long nowNs) {}
}
