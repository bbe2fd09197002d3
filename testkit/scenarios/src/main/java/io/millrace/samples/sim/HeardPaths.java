package io.millrace.samples.sim;

import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.sim.SimRun;
import io.millrace.wire.PacketHeader;
import java.util.HashMap;
import java.util.Map;

/**
 * The time at which each worker of each life heard of its peer last, by its own clock, over each of
 * its paths. Two nodes may open two paths at a time, and then give up either path. Simulation
 * thread only.
 */
final class HeardPaths implements CipherObserver {
  // Looked up only, never walked.
  private final Map<Path, Long> heardNs = new HashMap<>();

  private record Path(NodeLife life, int worker, long pathId) {}

  private HeardPaths() {}

  /** Watches a run with nodes that have not booted yet. */
  static HeardPaths in(SimRun run) {
    HeardPaths heard = new HeardPaths();
    FullRun.of(run).cluster().observeCiphers(heard);
    return heard;
  }

  @Override
  public void onPacketOpened(PlainPacket packet) {
    int worker = PacketHeader.destinationWorker(packet.buffer(), packet.offset());
    long pathId = PacketHeader.pathId(packet.buffer(), packet.offset());
    onHeard(packet.key().life(), worker, pathId);
  }

  /** A path begins, or a packet came over it. */
  void onHeard(NodeLife life, int worker, long pathId) {
    heardNs.put(new Path(life, worker, pathId), life.clock().nowNs());
  }

  /** Returns the time without a packet over a path since its beginning or last packet, ns. */
  long silenceNs(NodeLife life, int worker, long pathId) {
    Long lastNs = heardNs.get(new Path(life, worker, pathId));
    if (lastNs == null) {
      throw new IllegalArgumentException("path " + pathId + " never began");
    }
    return life.clock().nowNs() - lastNs;
  }
}
