package io.millrace.testkit.internal.oracle;

import io.millrace.engine.TransportPool;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.KeyName;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.sim.Oracle;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A life accepts a sealed packet at most once, however often the network delivers the packet. A
 * packet whose frames must count as not received is another packet when retransmitted. A life
 * accepts no packet older than a receiver can tell apart, by rule P-3. A packet opened only for a
 * look at its opening, by rule RP-2, is not accepted, and the oracle does not see such a packet.
 */
public final class ReplayOracle implements Oracle, CipherObserver {
  private static final String NAME = "packet accepted once";

  /** The window of a life without a transport, in packets. */
  private static final long USUAL_WINDOW = 4_096;

  /**
   * The newest packets may have counted as not received; this does not make other packets older.
   */
  private static final long NOT_TAKEN = 64;

  private final Simulation simulation;
  // Looked up only, never walked.
  private final Map<Opener, UsedNonces> opened = new HashMap<>();
  private final Map<PathSide, Newest> sides = new HashMap<>();
  private long packets;

  /** The newest packet accepted by an end of a path. */
  private static final class Newest {
    private long number;
  }

  /** A key of one life: rules look it up for each packet, so the hash is cheap. */
  private record Opener(NodeLife life, KeyName key) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Opener opener && life == opener.life && key.equals(opener.key);
    }

    @Override
    public int hashCode() {
      return 31 * life.hashCode() + key.hashCode();
    }
  }

  /** Watches all ciphers of a cluster before the first node boots. */
  public ReplayOracle(FullCluster cluster) {
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
    requireNew(packet);
  }

  /**
   * A packet whose number is this far below the newest is too old for every transport of a life.
   */
  private static long window(NodeLife life) {
    List<TransportPool> pools = life.pools();
    long window = pools.isEmpty() ? USUAL_WINDOW : 0;
    for (int i = 0; i < pools.size(); i++) {
      window = Math.max(window, pools.get(i).settings().recovery().windowPackets());
    }
    return window;
  }

  private void requireNew(PlainPacket packet) {
    Newest newest = sides.computeIfAbsent(PathSide.ofReceiver(packet), side -> new Newest());
    if (packet.number() <= newest.number - window(packet.key().life()) - NOT_TAKEN) {
      simulation.fail(
          NAME,
          Lives.text(packet.key().life())
              + " opens packet "
              + packet.number()
              + " after packet "
              + newest.number,
          null);
    }
    newest.number = Math.max(newest.number, packet.number());
  }
}
