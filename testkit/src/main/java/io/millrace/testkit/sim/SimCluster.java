package io.millrace.testkit.sim;

import io.millrace.config.HandshakeSettings;
import io.millrace.config.NicSettings;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.base.SimAddress;
import java.util.List;

/** The nodes of one run and the network between them. Simulation thread only. */
public interface SimCluster {
  /** Whether the workers send over a fabric. */
  boolean hasFabric();

  /** A node. */
  SimNode node(int number);

  /** All nodes; a copy. */
  List<? extends SimNode> nodes();

  /** The indexes of the network interfaces that a node has so far; the first is 0. */
  List<Integer> nics(int node);

  /** Where a node listens for handshakes if it is started with {@link #settings}: host:port. */
  static String handshakeAddress(int node) {
    return SimAddress.handshake(node).toString();
  }

  /** These settings with the addresses of a node. */
  static TransportSettings settings(int node, TransportSettings base) {
    HandshakeSettings handshake = base.handshake();
    NicSettings nic = base.nic();
    return new TransportSettings(
        new HandshakeSettings(
            SimAddress.handshake(node).inet(),
            handshake.advertised(),
            handshake.provider(),
            handshake.psk(),
            handshake.timeoutNs()),
        base.workers(),
        new NicSettings(
            nic.driver(),
            new SimAddress(node, 0, 0).inet(),
            nic.receiveBufferBytes(),
            nic.sendBufferBytes(),
            nic.maxDatagramBytes(),
            nic.sendBuffers(),
            nic.maxTrainPackets(),
            nic.ecn(),
            nic.connectedSockets(),
            nic.rates()),
        base.limits(),
        base.recovery(),
        base.crypto(),
        base.scheduler(),
        base.transfers(),
        base.regions(),
        base.streams());
  }
}
