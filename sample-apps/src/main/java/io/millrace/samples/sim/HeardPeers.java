package io.millrace.samples.sim;

import io.millrace.testkit.sim.node.CipherObserver;
import io.millrace.testkit.sim.node.KeyName;
import io.millrace.testkit.sim.node.NodeLife;
import io.millrace.testkit.sim.node.PlainPacket;
import io.millrace.testkit.sim.scenario.SimRun;
import io.millrace.wire.PacketHeader;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.Long2LongHashMap;

/**
 * When each worker of each life heard of a node last, by its own clock, over each of its paths to
 * it: two nodes may open two at a time, of which one is then given up. Simulation thread only.
 */
final class HeardPeers implements CipherObserver {
  // Looked up only, never walked.
  private final Map<KeyName, Integer> sealers = new HashMap<>();
  private final Map<Hearing, Long2LongHashMap> heardNs = new HashMap<>();

  private record Hearing(NodeLife life, int worker, int peer) {}

  private HeardPeers() {}

  /** Of a run whose nodes have not booted yet. */
  static HeardPeers in(SimRun run) {
    HeardPeers heard = new HeardPeers();
    run.cluster().observeCiphers(heard);
    return heard;
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    sealers.putIfAbsent(packet.key().name(), packet.key().life().node().number());
  }

  @Override
  public void onPacketOpened(PlainPacket packet) {
    Integer sealer = sealers.get(packet.key().name());
    if (sealer != null) {
      NodeLife life = packet.key().life();
      int worker = PacketHeader.destinationWorker(packet.buffer(), packet.offset());
      heardNs
          .computeIfAbsent(
              new Hearing(life, worker, sealer), each -> new Long2LongHashMap(Long.MAX_VALUE))
          .put(PacketHeader.pathId(packet.buffer(), packet.offset()), life.node().clock().nowNs());
    }
  }

  /**
   * A worker gives a node up, over the path that was silent for longest.
   *
   * @return for how long, ns; for ever if it never heard of it
   */
  long onGivenUp(NodeLife life, int worker, int peer) {
    Long2LongHashMap paths = heardNs.get(new Hearing(life, worker, peer));
    if (paths == null || paths.isEmpty()) {
      return Long.MAX_VALUE;
    }
    long lastNs = paths.minValue();
    long[] oldest = {0};
    paths.forEachLong(
        (path, heardAtNs) -> {
          if (heardAtNs == lastNs) {
            oldest[0] = path;
          }
        });
    paths.remove(oldest[0]);
    return life.node().clock().nowNs() - lastNs;
  }
}
