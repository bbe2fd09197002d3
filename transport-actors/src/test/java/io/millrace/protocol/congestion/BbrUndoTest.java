package io.millrace.protocol.congestion;

import static io.millrace.protocol.congestion.BbrLab.MBIT;
import static io.millrace.protocol.congestion.BbrLab.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The draft's example tests of spurious losses. */
class BbrUndoTest {
  /** Draft test "Handling Spurious Fast Recovery", from the probe for bandwidth. */
  @Test
  void shouldGoBackToTheProbeIfPacketsWereOvertakenOnly() {
    final BbrLab lab = new BbrLab(50 * MBIT, 20).endlesslyUntil(BbrState.CRUISE).until(BbrState.UP);
    lab.path.runFor(PathModel.ms(5));
    final long until = lab.flow.recovery.nextPacketNumber() + 12;
    lab.path.extraDelayNs = packet -> packet.number() < until ? PathModel.ms(8) : 0;

    assertEquals(BbrState.DOWN, lab.leave(BbrState.UP, 100));
    assertNotEquals(LongTermBound.NONE, lab.bbr.longTerm().bytes());
    final long lost = lab.flow.recovery.counters().lostPackets();
    assertTrue(lost > 0);

    assertEquals(BbrState.REFILL, lab.leave(BbrState.DOWN, 30));
    assertEquals(
        lab.flow.recovery.counters().lostPackets(), lab.flow.recovery.counters().spuriousLosses());
    assertEquals(LongTermBound.NONE, lab.bbr.longTerm().bytes());
    assertEquals(ShortTermBounds.NONE, lab.bbr.shortTerm().bytesPerSecond());
    assertEquals(ShortTermBounds.NONE, lab.bbr.shortTerm().inFlightBytes());
    assertTrue(lab.bbr.windowBytes() >= 2 * lab.path.bdpBytes(), lab::toString);
    lab.until(BbrState.UP);
  }

  /** Draft test "Handling Spurious Fast Recovery", from Startup. */
  @Test
  void shouldGoBackToStartupIfPacketsWereOvertakenOnly() {
    final BbrLab lab = new BbrLab(120 * MBIT, 20);
    lab.flow.offerEndlessly();
    lab.path.run(() -> lab.estimate() > 0.6, SECOND);
    final long from = lab.flow.recovery.nextPacketNumber();
    lab.path.extraDelayNs =
        packet ->
            packet.number() > from && packet.number() < from + 120 && packet.number() % 4 == 0
                ? PathModel.ms(50)
                : 0;
    assertEquals(BbrState.DRAIN, lab.leave(BbrState.STARTUP, 100));
    assertTrue(lab.bbr.isPipeFull());
    assertNotEquals(LongTermBound.NONE, lab.bbr.longTerm().bytes());
    lab.until(BbrState.STARTUP);
    assertFalse(lab.bbr.isPipeFull());
    assertEquals(LongTermBound.NONE, lab.bbr.longTerm().bytes());
    lab.until(BbrState.DRAIN);
    assertEquals(1, lab.estimate(), 0.02);
  }

  /** Packets that leave within 600 ms from now on arrive at {@code releaseNs} and not before. */
  private static void pause(BbrLab lab, long releaseNs) {
    final long untilNs = lab.path.nowNs + PathModel.ms(600);
    lab.path.extraDelayNs =
        packet -> lab.path.nowNs < untilNs ? Math.max(releaseNs - lab.path.nowNs, 0) : 0;
  }

  private static BbrLab cruising() {
    final BbrLab lab = new BbrLab(100 * MBIT, 40).endlesslyUntil(BbrState.CRUISE);
    lab.path.runFor(PathModel.ms(100));
    return lab;
  }

  private static boolean runUntilPersistentCongestion(BbrLab lab) {
    return lab.path.run(
        () -> lab.flow.recovery.counters().persistentCongestions() > 0,
        lab.path.nowNs + 3 * SECOND);
  }

  /** Draft test "Handling Spurious RTO Recovery". */
  @Test
  void shouldRestoreTheWindowIfThePathOnlyPaused() {
    final BbrLab first = cruising();
    pause(first, Long.MAX_VALUE / 2);
    assertTrue(runUntilPersistentCongestion(first));
    final BbrLab lab = cruising();
    final long window = lab.bbr.windowBytes();
    final long bandwidth = lab.bbr.maxBandwidthBytesPerSecond();
    pause(lab, first.path.nowNs + PathModel.ms(1));

    assertTrue(runUntilPersistentCongestion(lab));
    assertTrue(lab.bbr.windowBytes() < window / 4, lab::toString);
    final long lost = lab.flow.recovery.counters().lostPackets();
    assertTrue(lost > 100);

    assertTrue(
        lab.path.run(
            () -> lab.flow.recovery.counters().spuriousLosses() == lost,
            lab.path.nowNs + PathModel.ms(60)),
        () -> lab.flow.recovery.counters().spuriousLosses() + " of " + lost);
    assertTrue(lab.bbr.windowBytes() >= window, lab::toString);
    assertEquals(ShortTermBounds.NONE, lab.bbr.shortTerm().bytesPerSecond());
    assertEquals(LongTermBound.NONE, lab.bbr.longTerm().bytes());
    assertEquals(bandwidth, lab.bbr.maxBandwidthBytesPerSecond());
  }

  @Test
  void shouldRestoreNothingIfOnePacketWasLostIndeed() {
    final BbrLab lab = new BbrLab(50 * MBIT, 20).endlesslyUntil(BbrState.CRUISE).until(BbrState.UP);
    lab.path.runFor(PathModel.ms(5));
    final long next = lab.flow.recovery.nextPacketNumber();
    lab.path.drop = packet -> packet.number() == next + 1;
    lab.path.extraDelayNs = packet -> packet.number() < next + 12 ? PathModel.ms(8) : 0;
    assertEquals(BbrState.DOWN, lab.leave(BbrState.UP, 100));
    assertEquals(BbrState.CRUISE, lab.leave(BbrState.DOWN, 1000));
    assertTrue(lab.flow.recovery.counters().spuriousLosses() > 5);
    assertNotEquals(LongTermBound.NONE, lab.bbr.longTerm().bytes());
  }
}
