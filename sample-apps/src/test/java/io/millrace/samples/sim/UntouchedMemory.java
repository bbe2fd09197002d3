package io.millrace.samples.sim;

import io.millrace.path.region.WorkerRegions;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.sim.StepOracle;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * No byte of a node's regions changes while it takes an attacker's packet: compares all of them
 * from when that packet was opened to when the next one is, or the worker's turn ends. Nobody else
 * touches them in between.
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

  /** Attacks that were looked at. */
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

  /**
   * What the worker did after the attack's packet in the same turn sends, and lets land nothing.
   */
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
      UnsafeBuffer bytes = memory.memory(i).buffer();
      all[i] = new byte[bytes.capacity()];
      bytes.getBytes(0, all[i]);
    }
    return all;
  }
}
