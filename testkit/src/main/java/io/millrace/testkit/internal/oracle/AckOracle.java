package io.millrace.testkit.internal.oracle;

import io.millrace.engine.TransportPool;
import io.millrace.protocol.recovery.ReceivedPackets;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.sim.Oracle;
import java.util.HashMap;
import java.util.Map;

/**
 * Acknowledgements are not acknowledged. On each path, the packets of a life with nothing but
 * acknowledgements have an upper limit, the sum of four counts: the accepted packets that ask for
 * an acknowledgement, the announcements of more inline credit, the packets declared lost, and the
 * windows of which half came by accepted packets of any kind. A lost packet may have carried such
 * an announcement, and a packet that leaves the window unnamed is never acknowledged.
 */
public final class AckOracle implements Oracle, CipherObserver {
  private static final String NAME = "no acknowledgement of acknowledgements";

  private final Simulation simulation;
  // Looked up only, never walked.
  private final Map<LifePath, Count> paths = new HashMap<>();

  private static final class Count {
    private long opened;
    private long asked;
    private long acked;
    private long credits;
    private long limitBytes;
  }

  /** Watches all ciphers of a cluster before the first node boots. */
  public AckOracle(FullCluster cluster) {
    simulation = cluster.simulation();
    cluster.observeCiphers(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void onPacketOpened(PlainPacket packet) {
    Count count = count(packet);
    count.opened++;
    if (Frames.of(packet) == Frames.ELICITING) {
      count.asked++;
    }
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    if (Frames.of(packet) != Frames.ACKS_ONLY) {
      return;
    }
    Count count = count(packet);
    long limitBytes = Frames.inlineLimit(packet);
    if (limitBytes > count.limitBytes) {
      count.limitBytes = limitBytes;
      count.credits++;
    }
    count.acked++;
    NodeLife life = packet.key().life();
    if (count.acked > count.asked + count.credits
        && count.acked
            > count.asked + count.credits + packetsLost(life) + halfWindows(count, life)) {
      simulation.fail(
          NAME,
          Lives.text(life)
              + " sends "
              + count.acked
              + " acknowledgements after "
              + count.asked
              + " packets that want an acknowledgement",
          null);
    }
  }

  private static long halfWindows(Count count, NodeLife life) {
    int windowPackets = ReceivedPackets.MOST_WINDOW;
    for (TransportPool pool : life.pools()) {
      windowPackets = Math.min(windowPackets, pool.settings().recovery().windowPackets());
    }
    return count.opened / (windowPackets / 2);
  }

  private static long packetsLost(NodeLife life) {
    long lost = 0;
    for (TransportPool pool : life.pools()) {
      for (int worker = 0; worker < pool.settings().workers().count(); worker++) {
        lost += pool.port(worker).counters().packetsLost;
      }
    }
    return lost;
  }

  private Count count(PlainPacket packet) {
    return paths.computeIfAbsent(LifePath.of(packet), path -> new Count());
  }
}
