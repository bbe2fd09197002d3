package io.millrace.testkit.sim.node;

import io.millrace.testkit.sim.core.Draws;
import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.core.TraceKind;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** The simplest network that nodes can be tried on: a constant delay, and loss by chance. */
final class WireNetwork {
  static final long DELAY_NS = 50_000;

  private final Simulation simulation;
  private final Draws loss;
  private final int lossPpm;
  private final TreeMap<Integer, WireEndpoint> endpoints = new TreeMap<>();
  private final TreeMap<Integer, WireHandshaker> handshakers = new TreeMap<>();
  private int ports = 1;
  private long packets;

  WireNetwork(Simulation simulation, int lossPpm) {
    this.simulation = simulation;
    this.lossPpm = lossPpm;
    loss = simulation.draws("wire.loss");
  }

  Simulation simulation() {
    return simulation;
  }

  long packets() {
    return packets;
  }

  NodeNetwork of(SimNode node) {
    return new WireNode(this, node);
  }

  int add(WireEndpoint endpoint) {
    endpoints.put(ports, endpoint);
    return ports++;
  }

  void remove(int port) {
    endpoints.remove(port);
  }

  void add(int node, WireHandshaker handshaker) {
    handshakers.put(node, handshaker);
  }

  void removeHandshaker(int node) {
    handshakers.remove(node);
  }

  @Nullable WireHandshaker handshaker(int node) {
    return handshakers.get(node);
  }

  void send(int toPort, DirectBuffer buffer, int offset, int length) {
    byte[] datagram = new byte[length];
    buffer.getBytes(offset, datagram);
    simulation.trace().add(buffer, offset, length);
    if (loss.chance(toPort, packets++, lossPpm)) {
      return;
    }
    simulation.at(
        simulation.nowNs() + DELAY_NS,
        () -> {
          WireEndpoint endpoint = endpoints.get(toPort);
          if (endpoint != null) {
            simulation.trace(TraceKind.PACKET, toPort, length);
            endpoint.arrive(datagram);
          }
        });
  }
}
