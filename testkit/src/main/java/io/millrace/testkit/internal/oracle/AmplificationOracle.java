package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.net.NetworkObserver;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.NodeObserver;
import io.millrace.testkit.sim.Oracle;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.PskDoneDecoder;
import io.millrace.wire.codec.PskFinishDecoder;
import io.millrace.wire.codec.PskInitDecoder;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntHashSet;
import org.agrona.collections.Long2LongHashMap;

/**
 * A sender with a forged address gains little; rule H-1. The handshake answers of a life to an
 * address are in all no longer than the bytes that came from this address. A Finish or a Done from
 * a node proves that the node receives packets under its address. Until then, a life sends this
 * node nothing but handshakes. The oracle does not know whether a Finish was right. A life tells a
 * node of an unknown path once for each packet that named this path. A handshake may have named the
 * path too, and allows another such answer; rules U-2 and U-5.
 */
public final class AmplificationOracle implements Oracle, NetworkObserver, NodeObserver {
  private static final String NAME = "short answers to strangers";

  /** Form and version of the handshake, before its frame. */
  private static final int ENVELOPE_BYTES = 2;

  private final Simulation simulation;
  // Looked up only, never walked.
  private final Map<Integer, Heard> present = new HashMap<>();
  private long answers;

  /** The packets that came to the present life of a node. */
  private static final class Heard {
    /** Bytes by source address. */
    private final Map<SimAddress, Balance> strangers = new HashMap<>();

    /** The packets of each node that may get the answer that a path is unknown. */
    private final Map<Integer, Questions> questions = new HashMap<>();

    /** Nodes that have proved their address. */
    private final IntHashSet proven = new IntHashSet();

    Questions of(int node) {
      return questions.computeIfAbsent(node, each -> new Questions());
    }

    Balance of(SimAddress address) {
      return strangers.computeIfAbsent(address, each -> new Balance());
    }
  }

  /** Bytes of handshakes from and to an address. */
  private static final class Balance {
    private long received;
    private long answered;
  }

  /** The packets of a node here that may get the answer that a path is unknown. */
  private static final class Questions {
    /** Number of packets by path id. */
    private final Long2LongHashMap packets = new Long2LongHashMap(0);

    /** Handshakes that may be for a path; the path id lies sealed. */
    private long handshakes;

    boolean isAnswered(long pathId) {
      long left = packets.remove(pathId);
      if (left > 1) {
        packets.put(pathId, left - 1);
      }
      return left > 0 || handshakes-- > 0;
    }
  }

  /** Watches the network of a cluster before the first node boots. */
  public AmplificationOracle(FullCluster cluster) {
    simulation = cluster.simulation();
    cluster.network().observe(this);
    cluster.observe(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Answers looked at so far. */
  public long answers() {
    return answers;
  }

  @Override
  public void onLifeEnded(NodeLife life) {
    present.remove(life.node().number());
  }

  private Heard heard(int node) {
    return present.computeIfAbsent(node, each -> new Heard());
  }

  private static boolean isHandshake(PacketView packet) {
    return packet.length() >= ENVELOPE_BYTES + FrameStart.LENGTH
        && packet.bytes().getByte(0) == PacketHeader.FORM_HANDSHAKE;
  }

  private static int message(DirectBuffer datagram) {
    return FrameStart.templateId(datagram, ENVELOPE_BYTES);
  }

  private static boolean isUnknown(PacketView packet) {
    return PacketHeader.isUnknown(packet.bytes(), 0, packet.length());
  }

  @Override
  public void onDelivered(PacketView packet, long nowNs) {
    SimAddress from = packet.source();
    Heard heard = heard(packet.destination().node());
    Questions questions = heard.of(from.node());
    if (!isHandshake(packet)) {
      if (packet.length() >= PacketHeader.OVERHEAD) {
        long id = PacketHeader.pathId(packet.bytes(), 0);
        questions.packets.put(id, questions.packets.get(id) + 1);
      }
    } else {
      int message = message(packet.bytes());
      questions.handshakes += message == PskFinishDecoder.TEMPLATE_ID ? 1 : 0;
      heard.of(from).received += packet.length();
      if (message == PskFinishDecoder.TEMPLATE_ID || message == PskDoneDecoder.TEMPLATE_ID) {
        heard.proven.add(from.node());
      }
    }
  }

  @Override
  public void onSent(PacketView packet, long nowNs) {
    SimAddress to = packet.destination();
    int node = packet.source().node();
    if (isUnknown(packet)) {
      long id = PacketHeader.pathId(packet.bytes(), 0);
      if (!heard(node).of(to.node()).isAnswered(id)) {
        fail(node, "tells " + to + " of an unknown path more often than asked");
      }
      return;
    }
    if (!isHandshake(packet)) {
      if (!heard(node).proven.contains(to.node())) {
        fail(node, "sends " + to + " other things than handshakes before a proof of its address");
      }
      return;
    }
    int message = message(packet.bytes());
    if (message != PskInitDecoder.TEMPLATE_ID && message != PskFinishDecoder.TEMPLATE_ID) {
      answers++;
      Balance balance = heard(node).of(to);
      balance.answered += packet.length();
      if (balance.answered > balance.received) {
        fail(
            node,
            "answers %s with %d bytes, whence %d came"
                .formatted(to, balance.answered, balance.received));
      }
    }
  }

  private void fail(int node, String what) {
    simulation.fail(NAME, "n" + node + " " + what, null);
  }
}
