package io.millrace.testkit.internal.node;

import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.core.TraceKind;
import io.millrace.testkit.internal.net.LossReason;
import io.millrace.testkit.internal.net.NetworkObserver;
import io.millrace.testkit.internal.net.PacketView;

/** Adds every datagram, with all its bytes, to the trace of a run. */
final class PacketTrace implements NetworkObserver {
  private final Simulation simulation;

  PacketTrace(Simulation simulation) {
    this.simulation = simulation;
  }

  @Override
  public void onSent(PacketView packet, long nowNs) {
    simulation.trace(TraceKind.PACKET, packet.link(), packet.ordinal());
    simulation.trace().add(packet.bytes(), 0, packet.length());
  }

  @Override
  public void onDelivered(PacketView packet, long nowNs) {
    simulation.trace(TraceKind.DELIVERY, packet.link(), packet.ordinal());
    if (packet.isDamaged()) {
      simulation.trace().add(packet.bytes(), 0, packet.length());
    }
  }

  @Override
  public void onLost(PacketView packet, LossReason reason, long nowNs) {
    simulation.trace(TraceKind.LOSS, packet.link(), packet.ordinal());
    simulation.trace().add(reason.ordinal());
  }
}
