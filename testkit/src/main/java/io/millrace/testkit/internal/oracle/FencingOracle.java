package io.millrace.testkit.internal.oracle;

import io.millrace.engine.TransportPool;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.KeyName;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.PlainPacket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.collections.Int2IntHashMap;

/**
 * A life that has accepted a packet of a peer's incarnation, on any worker, accepts no packet that
 * an earlier incarnation of this peer sealed. All its open paths to a peer lead to one incarnation;
 * the oracle checks the paths after every {@value #STEPS}th event.
 */
public final class FencingOracle extends PoolOracle implements CipherObserver {
  private static final String NAME = "earlier incarnation fenced";
  private static final int STEPS = 64;

  // Looked up only, never walked.
  private final Map<KeyName, NodeLife> sealers = new HashMap<>();
  private final Map<NodeLife, Int2IntHashMap> newest = new HashMap<>();
  private final Coverage coverage;

  /** Watches all ciphers of a cluster before the first node boots. */
  public FencingOracle(FullCluster cluster, Coverage coverage) {
    super(cluster, STEPS);
    this.coverage = coverage;
    cluster.observeCiphers(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  void check(NodeLife life, TransportPool pool) {
    int workers = pool.settings().workers().count();
    if (workers == 1 && pool.port(0).incarnations().size() < 2) {
      return;
    }
    List<PeerIncarnation> lives = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      lives.addAll(pool.port(worker).incarnations());
    }
    for (int i = 1; i < lives.size(); i++) {
      requireSameLife(life, lives, i);
    }
  }

  /** Paths are few: compares each path with the others, and hashes nothing. */
  private void requireSameLife(NodeLife life, List<PeerIncarnation> lives, int index) {
    PeerIncarnation peer = lives.get(index);
    for (int i = 0; i < index; i++) {
      PeerIncarnation other = lives.get(i);
      if (other.incarnation() != peer.incarnation() && other.identity().equals(peer.identity())) {
        fail(life, "has open paths to two lives of " + peer.identity());
      }
    }
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
