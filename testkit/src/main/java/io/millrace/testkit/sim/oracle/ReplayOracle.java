package io.millrace.testkit.sim.oracle;

import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.node.CipherObserver;
import io.millrace.testkit.sim.node.KeyName;
import io.millrace.testkit.sim.node.NodeLife;
import io.millrace.testkit.sim.node.PlainPacket;
import io.millrace.testkit.sim.node.SimCluster;
import java.util.HashMap;
import java.util.Map;

/**
 * A sealed packet is accepted at most once by a life, however often the network brings it; a packet
 * whose frames must count as not received is another one when it is sent again.
 */
public final class ReplayOracle implements Oracle, CipherObserver {
  private static final String NAME = "packet accepted once";

  private final Simulation simulation;
  // Looked up only, never walked.
  private final Map<Opener, UsedNonces> opened = new HashMap<>();
  private long packets;

  private record Opener(NodeLife life, KeyName key) {}

  /** Watches all ciphers of a cluster whose nodes have not booted yet. */
  public ReplayOracle(SimCluster cluster) {
    simulation = cluster.simulation();
    cluster.observeCiphers(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Packets opened so far. */
  public long packets() {
    return packets;
  }

  @Override
  public void onPacketOpened(PlainPacket packet) {
    packets++;
    Opener opener = new Opener(packet.key().life(), packet.key().name());
    UsedNonces nonces = opened.computeIfAbsent(opener, name -> new UsedNonces());
    if (!nonces.use(packet.nonce())) {
      simulation.fail(
          NAME,
          Lives.text(opener.life())
              + " opens packet "
              + packet.number()
              + " under "
              + opener.key()
              + " a second time",
          null);
    }
  }
}
