package io.millrace.testkit.internal.net;

/** Sees each datagram before its link does, and decides the datagram's fate: faults on purpose. */
@FunctionalInterface
public interface PacketMonitor {
  /**
   * Returns the fate of the datagram. Must decide by the visible datagrams alone, so that a run can
   * be repeated. The network asks several monitors in order until a monitor decides anything but
   * passing.
   */
  Verdict onPacket(PacketView packet);
}
