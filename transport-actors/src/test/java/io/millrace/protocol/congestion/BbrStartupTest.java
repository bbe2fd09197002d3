package io.millrace.protocol.congestion;

import static io.millrace.protocol.congestion.BbrLab.DATAGRAM;
import static io.millrace.protocol.congestion.BbrLab.MBIT;
import static io.millrace.protocol.congestion.BbrLab.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The draft's example tests of Startup and Drain. */
class BbrStartupTest {
  /** Half of the path's capacity, in small portions. */
  private static BbrLab halfUsed() {
    final BbrLab lab = new BbrLab(100 * MBIT, 20);
    lab.flow.offerEvery(PathModel.ms(2), 8 * DATAGRAM);
    return lab;
  }

  /** Draft test "Exiting STARTUP on Bandwidth Plateau". */
  @Test
  void shouldLeaveStartupOnBandwidthPlateau() {
    final BbrLab lab = new BbrLab(100 * MBIT, 20);
    lab.flow.offerEndlessly();
    assertTrue(lab.path.run(() -> lab.estimate() > 0.9, SECOND));
    final long plateauRound = lab.bbr.roundCount();
    assertFalse(lab.bbr.isPipeFull());

    assertEquals(BbrState.DRAIN, lab.leave(BbrState.STARTUP, 1000));

    assertTrue(lab.bbr.isPipeFull());
    assertEquals(1, lab.estimate(), 0.02);
    final long rounds = lab.bbr.roundCount() - plateauRound;
    assertTrue(rounds >= 3 && rounds <= 5, () -> rounds + " rounds on the plateau");
    assertEquals(0, lab.path.droppedPackets);
  }

  /** Draft test "Exiting STARTUP on Loss When Application-Limited". */
  @Test
  void shouldLeaveStartupOnLossAlthoughApplicationLimited() {
    final BbrLab lab = halfUsed();
    lab.path.runFor(SECOND);
    assertEquals(BbrState.STARTUP, lab.bbr.state());
    lab.path.lossPpm = 100_000;

    // Little is in flight, so Bbr leaves the draining states at once.
    lab.leave(BbrState.STARTUP, 500);

    assertTrue(lab.bbr.isPipeFull());
    assertTrue(lab.bbr.longTerm().bytes() < LongTermBound.NONE);
  }

  @Test
  void shouldStayInStartupWhileLossesAreFew() {
    final BbrLab lab = halfUsed();
    lab.path.lossPpm = 10_000;
    lab.path.runFor(3 * SECOND);
    assertEquals(BbrState.STARTUP, lab.bbr.state());
  }

  /** Draft test "Never Exiting PROBE_UP (or STARTUP) When Application-Limited With No Loss". */
  @Test
  void shouldStayInStartupForeverWhileApplicationLimited() {
    final BbrLab lab = halfUsed();
    final long rate = lab.bbr.pacingRateBytesPerSecond();
    lab.path.runFor(15 * SECOND);
    assertEquals(BbrState.STARTUP, lab.bbr.state());
    assertTrue(lab.bbr.roundCount() > 500);
    assertTrue(lab.bbr.pacingRateBytesPerSecond() >= Math.min(rate, lab.path.bytesPerSecond));
  }

  /** Draft test "Exiting DRAIN Based on Inflight". */
  @Test
  void shouldLeaveDrainOnceNoMoreIsInFlightThanThePathHolds() {
    final BbrLab lab = new BbrLab(100 * MBIT, 20).endlesslyUntil(BbrState.DRAIN);
    final long startRound = lab.bbr.roundCount();
    assertTrue(lab.bbr.inFlightBytes() > lab.bbr.drainedBytes());
    assertEquals(
        0.5 * 0.99, (double) lab.bbr.pacingRateBytesPerSecond() / lab.path.bytesPerSecond, 0.01);
    final long[] last = {0};
    assertTrue(
        lab.path.run(
            () -> {
              final boolean isLeft = lab.bbr.state() != BbrState.DRAIN;
              if (!isLeft) {
                last[0] = lab.bbr.inFlightBytes();
              }
              return isLeft;
            },
            SECOND));
    assertTrue(lab.bbr.state().isCycle());
    assertTrue(lab.bbr.inFlightBytes() <= lab.bbr.drainedBytes());
    assertTrue(last[0] > lab.bbr.inFlightBytes());
    assertTrue(lab.bbr.roundCount() <= startRound + 3);
    assertTrue(lab.path.queuedBytes < lab.path.bdpBytes() / 10);
  }

  /** Draft test "Exiting DRAIN Based on Time". */
  @Test
  void shouldLeaveDrainAfterThreeRoundTripsHoweverMuchIsInFlight() {
    final BbrLab lab = new BbrLab(100 * MBIT, 20).endlesslyUntil(BbrState.DRAIN);
    final long startRound = lab.bbr.roundCount();
    lab.path.setBitsPerSecond(52 * MBIT);

    assertTrue(lab.leave(BbrState.DRAIN, 1000).isCycle());

    assertEquals(startRound + 4, lab.bbr.roundCount());
    assertTrue(lab.bbr.inFlightBytes() > lab.bbr.drainedBytes(), lab::toString);
  }

  /** Draft test "Achieving Expected STARTUP Bandwidth on a Link With Aggregation". */
  @Test
  void shouldFindTheBandwidthThoughAcknowledgementsComeInHeaps() {
    final BbrLab lab = new BbrLab(50 * MBIT, 20);
    lab.path.ackIntervalNs = PathModel.ms(20);
    lab.flow.offerEndlessly();
    final long[] window = {0};
    assertTrue(
        lab.path.run(
            () -> {
              window[0] = Math.max(window[0], lab.bbr.windowBytes());
              return lab.bbr.state() != BbrState.STARTUP;
            },
            2 * SECOND));
    final long heap = lab.path.bytesPerSecond / 50;
    assertEquals(1, lab.estimate(), 0.02);
    assertTrue(Math.abs(lab.bbr.extraAckedBytes() - heap) < 0.1 * heap, lab::toString);
    assertTrue(window[0] > 2 * lab.path.bdpBytes());
  }
}
