package io.millrace.testkit.internal.net;

import io.millrace.testkit.internal.base.SimAddress;
import org.jspecify.annotations.Nullable;

/** The owner of a port of an interface. Addresses are numbers ({@link SimAddress#key()}). */
interface SimPort {
  /** Returns why a datagram cannot be accepted, or null if the port accepts the datagram. */
  @Nullable LossReason refusal(PacketView packet);

  /** A datagram arrived, which the port owns from now on. */
  void onDatagram(Packet packet);

  /**
   * No endpoint listens at the destination of this datagram; the datagram is valid during the call
   * only.
   */
  void onUnreachable(long destination, PacketView refused);

  /** A datagram was too large for the way to its destination. */
  void onTooLarge(long destination, int mtuBytes);

  /** The interface went down or came up again. */
  default void onNicState() {}

  /** The port's owner is gone, with all arrived datagrams. */
  void onDetached();
}
