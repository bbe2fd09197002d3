package io.millrace.testkit.internal.net;

import io.millrace.testkit.internal.base.SimAddress;
import org.jspecify.annotations.Nullable;

/** Whoever listens on a port of an interface. Addresses are numbers ({@link SimAddress#key()}). */
interface SimPort {
  /** Why a datagram cannot be taken, or null if it can. */
  @Nullable LossReason refusal(PacketView packet);

  /** A datagram arrived that is the port's from now on. */
  void onDatagram(Packet packet);

  /** Nobody listens where this datagram was sent to; it is valid during the call only. */
  void onUnreachable(long destination, PacketView refused);

  /** A datagram was too large for the way to where it was sent. */
  void onTooLarge(long destination, int mtuBytes);

  /** The interface died or lives again. */
  default void onNicState() {}

  /** The port's owner is gone, and with it whatever has arrived. */
  void onDetached();
}
