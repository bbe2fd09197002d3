package io.millrace.testkit.sim.oracle;

import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.node.CipherObserver;
import io.millrace.testkit.sim.node.KeyName;
import io.millrace.testkit.sim.node.NodeLife;
import io.millrace.testkit.sim.node.PlainPacket;
import io.millrace.testkit.sim.node.SimCluster;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.Int2IntHashMap;

/**
 * Once a life has accepted a packet of a peer's incarnation, it accepts nothing that an earlier
 * incarnation of that peer sealed.
 */
public final class FencingOracle implements Oracle, CipherObserver {
  private static final String NAME = "earlier incarnation fenced";

  private final Simulation simulation;
  // Looked up only, never walked.
  private final Map<KeyName, NodeLife> sealers = new HashMap<>();
  private final Map<NodeLife, Int2IntHashMap> newest = new HashMap<>();
  private final Coverage coverage;

  /** Watches all ciphers of a cluster whose nodes have not booted yet. */
  public FencingOracle(SimCluster cluster, Coverage coverage) {
    this.coverage = coverage;
    simulation = cluster.simulation();
    cluster.observeCiphers(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    sealers.putIfAbsent(packet.key().name(), packet.key().life());
  }

  @Override
  public void onPacketOpened(PlainPacket packet) {
    NodeLife sealer = sealers.get(packet.key().name());
    if (sealer == null) {
      simulation.fail(NAME, "a packet was opened that nobody sealed", null);
      return;
    }
    NodeLife opener = packet.key().life();
    Int2IntHashMap known = newest.computeIfAbsent(opener, life -> new Int2IntHashMap(0));
    int peer = sealer.node().number();
    int before = known.get(peer);
    if (sealer.incarnation() < before) {
      simulation.fail(
          NAME,
          Lives.text(opener)
              + " accepts packet "
              + packet.number()
              + " of "
              + Lives.text(sealer)
              + " after packets of incarnation "
              + before,
          null);
    } else if (sealer.incarnation() > before) {
      known.put(peer, sealer.incarnation());
      if (before > 0) {
        coverage.hit(Coverage.Mark.PEER_REPLACED);
      }
    }
  }
}
