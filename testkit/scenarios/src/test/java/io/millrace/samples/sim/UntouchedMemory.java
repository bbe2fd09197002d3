package io.millrace.samples.sim;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.region.WorkerRegions;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.sim.StepOracle;
import java.util.Arrays;

/**
 * Checks that no byte of a node's regions changes while the node takes an attacker's packet.
 * Compares all regions from the opening of this packet to the opening of the next packet, or to the
 * end of the worker's turn. Nobody else touches the regions in between.
 */
final class UntouchedMemory implements CipherObserver, StepOracle {
  private static final int MOST = 300;

  private final FullRun run;
  private final Attacker attacker;
  private final int victim;
  private final int regions;
  private boolean isUnderWay;
  private byte[][] before = {};
  private int compared;

  UntouchedMemory(FullRun run, Attacker attacker, int victim, int regions) {
    this.run = run;
    this.attacker = attacker;
    this.victim = victim;
    this.regions = regions;
  }

  /** Returns the number of attacks compared. */
  int compared() {
    return compared;
  }

  @Override
  public void onPacketOpened(PlainPacket packet) {
    if (packet.key().life().node().number() != victim) {
      return;
    }
    compare();
    if (compared < MOST && attacker.isAttack(packet)) {
      isUnderWay = true;
      before = copies();
    }
  }

  /** The worker's further steps in the same turn only send, and let no bytes land. */
  @Override
  public void onStep() {
    compare();
  }

  private void compare() {
    if (isUnderWay) {
      isUnderWay = false;
      compared++;
      if (!Arrays.deepEquals(before, copies())) {
        run.fail("memory unchanged", "an attack changed bytes of a region");
      }
    }
  }

  @Override
  public String name() {
    return "memory unchanged";
  }

  private byte[][] copies() {
    WorkerRegions memory = run.node(victim).life().pools().getFirst().port(0).regions();
    byte[][] all = new byte[memory == null ? 0 : regions][];
    for (int i = 0; memory != null && i < all.length; i++) {
      SegmentBuffer bytes = memory.memory(i).buffer();
      all[i] = new byte[bytes.capacity()];
      bytes.getBytes(0, all[i]);
    }
    return all;
  }
}
