package io.millrace.testkit.internal.net;

/** Sees what happens in a network, in the order in which it does. Must change nothing. */
public interface NetworkObserver {
  /** An endpoint sent it, at {@code nowNs}; nothing happened to it yet. */
  default void onSent(PacketView packet, long nowNs) {}

  /** An endpoint got it. */
  default void onDelivered(PacketView packet, long nowNs) {}

  /** It did not arrive. */
  default void onLost(PacketView packet, LossReason reason, long nowNs) {}
}
