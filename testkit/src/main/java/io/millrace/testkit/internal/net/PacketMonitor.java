package io.millrace.testkit.internal.net;

/** Sees each datagram before its link does, and decides what happens to it: faults on purpose. */
@FunctionalInterface
public interface PacketMonitor {
  /**
   * What to do with it. Must decide by what it sees alone, so that a run can be repeated; several
   * monitors are asked in order until one does not pass it.
   */
  Verdict onPacket(PacketView packet);
}
