package io.millrace.testkit.sim;

import io.millrace.config.HandshakeSettings;
import io.millrace.config.NicEntry;
import io.millrace.config.NicPlaces;
import io.millrace.config.NicSettings;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.internal.base.SimAddress;
import java.util.ArrayList;
import java.util.List;

/** The nodes of one run and the network between them. Simulation thread only. */
public interface SimCluster {
  /** Bytes of the pre-shared key of nodes whose settings have certificates instead of a key. */
  int SIMULATED_PSK_BYTES = 32;

  /** Whether the workers send over a fabric. */
  boolean hasFabric();

  /** A node. */
  SimNode node(int number);

  /** All nodes; a copy. */
  List<? extends SimNode> nodes();

  /** Returns the indexes of a node's network interfaces so far; the first is 0. */
  List<Integer> nics(int node);

  /**
   * Returns the address where a node listens for handshakes if started with {@link #settings}:
   * host:port.
   */
  static String handshakeAddress(int node) {
    return SimAddress.handshake(node).toString();
  }

  /**
   * Returns these settings with the addresses of a node. Simulated nodes authenticate each other by
   * a pre-shared key, whichever provider the settings name.
   */
  static TransportSettings settings(int node, TransportSettings base) {
    HandshakeSettings handshake = base.handshake();
    NicSettings nic = base.nic();
    return new TransportSettings(
        new HandshakeSettings(
            SimAddress.handshake(node).inet(),
            handshake.advertised(),
            handshake.provider(),
            handshake.tls(),
            handshake.psk().length > 0 ? handshake.psk() : new byte[SIMULATED_PSK_BYTES],
            handshake.timeoutNs(),
            handshake.renewEveryNs(),
            handshake.keyLog(),
            handshake.limits(),
            handshake.access()),
        base.workers(),
        nic.withPlaces(places(node, nic.places())),
        base.limits(),
        base.recovery(),
        base.crypto(),
        base.scheduler(),
        base.transfers(),
        base.regions(),
        base.streams());
  }

  /** Interface n of the node has the n-th entry of the settings. */
  private static NicPlaces places(int node, NicPlaces base) {
    List<NicEntry> nics = new ArrayList<>();
    for (NicEntry entry : base.nics()) {
      nics.add(
          new NicEntry(
              entry.name(),
              entry.drivers(),
              new SimAddress(node, nics.size(), entry.address().getPort()).inet(),
              entry.workers(),
              entry.cores(),
              entry.rates()));
    }
    return new NicPlaces(
        base.drivers(),
        new SimAddress(node, 0, base.address().getPort()).inet(),
        nics,
        base.pins());
  }
}
