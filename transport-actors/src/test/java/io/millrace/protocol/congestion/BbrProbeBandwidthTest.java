package io.millrace.protocol.congestion;

import static io.millrace.protocol.congestion.BbrLab.DATAGRAM;
import static io.millrace.protocol.congestion.BbrLab.MBIT;
import static io.millrace.protocol.congestion.BbrLab.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The draft's example tests of the cycle that probes for bandwidth. */
class BbrProbeBandwidthTest {
  private static BbrLab inUp() {
    return new BbrLab(50 * MBIT, 20).endlesslyUntil(BbrState.CRUISE).until(BbrState.UP);
  }

  /** A path whose queue is so short that probes lose packets: a long-term bound exists. */
  private static BbrLab withLongTermBound(long bitsPerSecond, double rttMs) {
    final BbrLab lab = new BbrLab(bitsPerSecond, rttMs);
    lab.path.queueLimitBytes = lab.path.bdpBytes() / 2;
    lab.endlesslyUntil(BbrState.CRUISE);
    assertNotEquals(LongTermBound.NONE, lab.bbr.longTerm().bytes());
    return lab;
  }

  private static void limitTheApplication(BbrLab lab) {
    lab.flow.stop();
    lab.flow.offerEvery(PathModel.ms(1), 2 * DATAGRAM);
  }

  /** Draft test "Exiting PROBE_UP on Bandwidth Plateau". */
  @Test
  void shouldLeaveUpOnBandwidthPlateau() {
    final BbrLab lab = inUp();
    final long startRound = lab.bbr.roundCount();
    assertEquals(
        1.25 * 0.99, (double) lab.bbr.pacingRateBytesPerSecond() / lab.path.bytesPerSecond, 0.02);
    assertEquals(BbrState.DOWN, lab.leave(BbrState.UP, 1000));
    assertEquals(startRound + 3, lab.bbr.roundCount());
    assertEquals(0, lab.path.droppedPackets);
    assertEquals(LongTermBound.NONE, lab.bbr.longTerm().bytes());
  }

  /**
   * Draft test "Exiting PROBE_UP on Loss When Application-Limited". The bound stays unchanged: the
   * draft's HandleInflightTooHigh does not set the bound from a packet that left
   * application-limited.
   */
  @Test
  void shouldLeaveUpOnLossAlthoughApplicationLimited() {
    final BbrLab lab = inUp();
    limitTheApplication(lab);
    lab.path.runFor(PathModel.ms(200));
    assertEquals(BbrState.UP, lab.bbr.state());
    lab.path.lossPpm = 100_000;
    final BbrState next = lab.leave(BbrState.UP, 200);
    assertTrue(next == BbrState.DOWN || next == BbrState.CRUISE, () -> "in " + next);
    assertEquals(LongTermBound.NONE, lab.bbr.longTerm().bytes());
  }

  /** Draft test "Never Exiting PROBE_UP (or STARTUP) When Application-Limited With No Loss". */
  @Test
  void shouldStayInUpForeverWhileApplicationLimited() {
    final BbrLab lab = inUp();
    limitTheApplication(lab);
    final long before = lab.bbr.maxBandwidthBytesPerSecond();
    lab.path.runFor(15 * SECOND);
    assertEquals(BbrState.UP, lab.bbr.state());
    assertTrue(lab.bbr.maxBandwidthBytesPerSecond() >= before);
  }

  /** Draft test "Exiting PROBE_DOWN on Inflight". */
  @Test
  void shouldLeaveDownOnceThereIsHeadroomAndNoQueue() {
    final BbrLab lab = withLongTermBound(100 * MBIT, 20).until(BbrState.UP).until(BbrState.DOWN);
    assertEquals(
        0.9 * 0.99, (double) lab.bbr.pacingRateBytesPerSecond() / lab.path.bytesPerSecond, 0.02);
    final long headroom = lab.bbr.longTerm().withHeadroom(DATAGRAM);
    assertTrue(lab.bbr.inFlightBytes() > headroom, lab::toString);

    assertEquals(BbrState.CRUISE, lab.leave(BbrState.DOWN, 1000));

    assertTrue(lab.bbr.inFlightBytes() <= lab.bbr.longTerm().withHeadroom(DATAGRAM));
    assertTrue(lab.bbr.inFlightBytes() <= lab.bbr.drainedBytes());
    assertTrue(lab.bbr.windowBytes() <= lab.bbr.longTerm().withHeadroom(DATAGRAM));
  }

  /** Draft test "Exiting PROBE_DOWN After Max Time". */
  @Test
  void shouldGoFromDownToRefillOnceItsWaitIsOver() {
    final BbrLab lab =
        new BbrLab(50 * MBIT, 40)
            .endlesslyUntil(BbrState.CRUISE)
            .until(BbrState.UP)
            .until(BbrState.DOWN);
    lab.path.setBitsPerSecond(45 * MBIT);
    final long startNs = lab.path.nowNs;
    assertEquals(BbrState.REFILL, lab.leave(BbrState.DOWN, 4000));
    assertTrue(lab.path.nowNs - startNs > PathModel.ms(2000));
    assertTrue(lab.path.nowNs - startNs < PathModel.ms(3200));
  }

  /** Draft test "Increasing Bandwidth 10x and Ensuring Full Bandwidth is Reached". */
  @Test
  void shouldFindTenTimesTheBandwidthInFewRoundTrips() {
    final BbrLab lab = withLongTermBound(10 * MBIT, 40);
    lab.path.setBitsPerSecond(100 * MBIT);
    lab.path.queueLimitBytes = lab.path.bdpBytes();
    lab.until(BbrState.UP);
    final long startRound = lab.bbr.roundCount();
    final List<Long> bounds = new ArrayList<>();
    assertTrue(
        lab.path.run(
            () -> {
              while (bounds.size() <= lab.bbr.roundCount() - startRound) {
                bounds.add(lab.bbr.longTerm().bytes());
              }
              return lab.estimate() > 0.95;
            },
            lab.path.nowNs + 3 * SECOND),
        lab::toString);
    final long rounds = lab.bbr.roundCount() - startRound;
    assertTrue(rounds <= 20, () -> rounds + " rounds: " + bounds);
    final int first = bounds.lastIndexOf(bounds.getFirst()) + 1;
    for (int i = first + 1; i < first + 5; i++) {
      final double growth =
          (double) (bounds.get(i) - bounds.get(i - 1)) / (bounds.get(i - 1) - bounds.get(i - 2));
      assertEquals(2, growth, 0.7, () -> "the steps do not double: " + bounds);
    }
  }

  /** Draft test "Decreasing Bandwidth 10x and Ensuring Max Bandwidth Adapts Down". */
  @Test
  void shouldFollowATenthOfTheBandwidth() {
    final BbrLab lab = withLongTermBound(100 * MBIT, 20);
    final long before = lab.bbr.maxBandwidthBytesPerSecond();
    lab.path.setBitsPerSecond(10 * MBIT);
    assertTrue(
        lab.path.run(
            () -> lab.bbr.shortTerm().bytesPerSecond() < before / 2, lab.path.nowNs + SECOND),
        lab::toString);
    assertEquals(before, lab.bbr.maxBandwidthBytesPerSecond());
    assertEquals(BbrState.CRUISE, lab.bbr.state());

    final int[] probes = {0};
    final BbrState[] last = {lab.bbr.state()};
    assertTrue(
        lab.path.run(
            () -> {
              if (lab.bbr.state() == BbrState.UP && last[0] != BbrState.UP) {
                probes[0]++;
              }
              last[0] = lab.bbr.state();
              return lab.estimate() < 1.02;
            },
            lab.path.nowNs + 20 * SECOND),
        lab::toString);
    assertTrue(probes[0] <= 3, () -> probes[0] + " probes");
    lab.path.runFor(SECOND);
    assertTrue(lab.utilisation(3000) > 0.95);
  }

  /** Draft test "Handling Loss During PROBE_UP After inflight_longterm is Set". */
  @Test
  void shouldLowerTheLongTermBoundAndGoDownAtOnceOnLossInUp() {
    final BbrLab lab = withLongTermBound(100 * MBIT, 20);
    lab.path.runFor(SECOND);
    lab.until(BbrState.UP);
    final long before = lab.bbr.longTerm().bytes();
    final long target = Math.min(lab.path.bdpBytes(), lab.bbr.windowBytes());
    lab.path.lossPpm = 300_000;
    assertEquals(BbrState.DOWN, lab.leave(BbrState.UP, 40));
    lab.path.lossPpm = 0;
    assertTrue(lab.bbr.longTerm().bytes() < before, lab::toString);
    assertTrue(lab.bbr.longTerm().bytes() >= 0.69 * target, lab::toString);
  }

  /** Draft test "Handling Application-Limited Sending During PROBE_REFILL". */
  @Test
  void shouldNotLearnFromApplicationLimitedRefill() {
    final BbrLab lab =
        new BbrLab(50 * MBIT, 20).endlesslyUntil(BbrState.CRUISE).until(BbrState.REFILL);
    final long before = lab.bbr.maxBandwidthBytesPerSecond();
    limitTheApplication(lab);
    assertEquals(BbrState.UP, lab.leave(BbrState.REFILL, 200));
    lab.path.runFor(PathModel.ms(500));
    assertEquals(before, lab.bbr.maxBandwidthBytesPerSecond());
    assertEquals(BbrState.UP, lab.bbr.state());

    lab.flow.offerEndlessly();
    assertEquals(BbrState.DOWN, lab.leave(BbrState.UP, 1000));
    assertEquals(1, lab.estimate(), 0.02);
  }

  @Test
  void shouldProbeEveryTwoToThreeSecondsOnPathWithLongRoundTrips() {
    final BbrLab lab = new BbrLab(50 * MBIT, 100).endlesslyUntil(BbrState.DOWN);
    for (int i = 0; i < 3; i++) {
      final long startNs = lab.path.nowNs;
      lab.until(BbrState.REFILL);
      final long waitNs = lab.path.nowNs - startNs;
      assertTrue(waitNs > 2 * SECOND && waitNs < 3.2 * SECOND, () -> "waited " + waitNs);
      lab.until(BbrState.DOWN);
    }
  }
}
