package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.net.NetworkObserver;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.Oracle;
import io.millrace.wire.PacketHeader;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongHashSet;

/**
 * Every datagram on the network, and every message on a fabric, belongs to a handshake or was
 * sealed by a cipher of its sending node. Knows packets by a hash of 64 bits of their headers.
 */
public final class SealingOracle implements Oracle, CipherObserver, NetworkObserver {
  private static final String NAME = "datagrams are sealed";

  private final Simulation simulation;
  private final LongHashSet sealed = new LongHashSet();
  private final LongHashSet unsent = new LongHashSet();

  /** Watches all ciphers, links and messages of a cluster before the first node boots. */
  public SealingOracle(FullCluster cluster) {
    simulation = cluster.simulation();
    cluster.observeCiphers(this);
    cluster.network().observe(this);
    if (cluster.hasFabric()) {
      cluster.fabrics().forEach(fabric -> fabric.observe(this));
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Returns the number of sealed packets that did not come to the network. */
  public int unsentPackets() {
    return unsent.size();
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    long id = id(packet.key().life().node().number(), packet.buffer(), packet.offset());
    sealed.add(id);
    unsent.add(id);
  }

  @Override
  public void onRetirementSealed(PlainPacket packet) {
    onPacketSealed(packet);
  }

  @Override
  public void onSent(PacketView packet, long nowNs) {
    DirectBuffer bytes = packet.bytes();
    byte form = packet.length() > 0 ? bytes.getByte(0) : 0;
    if (form == PacketHeader.FORM_HANDSHAKE || PacketHeader.isUnknown(bytes, 0, packet.length())) {
      return;
    }
    boolean isPacket =
        PacketHeader.isData(bytes, 0, packet.length())
            || PacketHeader.isChunks(bytes, 0, packet.length())
            || PacketHeader.isRetirement(bytes, 0, packet.length());
    long id = isPacket ? id(packet.source().node(), bytes, 0) : 0;
    if (!isPacket || !sealed.contains(id)) {
      simulation.fail(
          NAME,
          packet.source()
              + " sends "
              + packet.length()
              + " bytes of the form "
              + form
              + " without a seal of its own",
          null);
    }
    unsent.remove(id);
  }

  /** Retirements have numbers of their own. */
  private static int kind(byte form) {
    return form == PacketHeader.FORM_RETIREMENT ? 1 : 0;
  }

  private static long id(int node, DirectBuffer bytes, int at) {
    long workers =
        (long) kind(bytes.getByte(at)) << 2 * Byte.SIZE
            | (long) PacketHeader.sourceWorker(bytes, at) << Byte.SIZE
            | PacketHeader.destinationWorker(bytes, at);
    return Draws.hash(
        PacketHeader.pathId(bytes, at),
        workers << Integer.SIZE | Integer.toUnsignedLong(PacketHeader.keyId(bytes, at)),
        node,
        PacketHeader.packetNumber(bytes, at));
  }
}
