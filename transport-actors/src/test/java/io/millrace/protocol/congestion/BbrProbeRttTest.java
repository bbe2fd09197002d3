package io.millrace.protocol.congestion;

import static io.millrace.protocol.congestion.BbrLab.DATAGRAM;
import static io.millrace.protocol.congestion.BbrLab.MBIT;
import static io.millrace.protocol.congestion.BbrLab.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * The draft's example tests of the state that empties the path to measure the path's round trip.
 */
class BbrProbeRttTest {
  /** Draft test "Entering and Exiting PROBE_RTT". */
  @Test
  void shouldEmptyThePathAfterTenSecondsWithoutSampleAsLow() {
    final BbrLab lab = new BbrLab(10 * MBIT, 40).endlesslyUntil(BbrState.CRUISE);
    lab.path.runFor(SECOND / 2);
    final long startNs = lab.path.nowNs;
    final long leastNs = lab.bbr.minRttNs();
    lab.path.extraDelayNs = packet -> PathModel.ms(30);
    lab.until(BbrState.PROBE_RTT);
    assertTrue(lab.path.nowNs - startNs > 9.9 * SECOND && lab.path.nowNs - startNs < 11 * SECOND);
    final long half = (long) (0.5 * lab.bbr.maxBandwidthBytesPerSecond() * (leastNs / 1e9));
    assertTrue(
        Math.abs(lab.bbr.probeRttWindowBytes() - half) <= DATAGRAM, "of the round trip before");
    final long enteredNs = lab.path.nowNs;
    final long[] drainedNs = {0};
    assertTrue(
        lab.path.run(
            () -> {
              if (drainedNs[0] == 0 && lab.bbr.inFlightBytes() <= half + DATAGRAM) {
                drainedNs[0] = lab.path.nowNs;
              }
              return lab.bbr.state() != BbrState.PROBE_RTT;
            },
            enteredNs + SECOND));
    assertTrue(lab.path.nowNs - drainedNs[0] > PathModel.ms(199), lab::toString);
    assertTrue(lab.path.nowNs - drainedNs[0] < PathModel.ms(350), lab::toString);
    assertEquals(BbrState.CRUISE, lab.bbr.state());
    assertTrue(lab.bbr.minRttNs() > leastNs + PathModel.ms(25));
    assertTrue(lab.bbr.windowBytes() > 3 * half);
  }

  @Test
  void shouldNotEmptyPathThatHasNoQueue() {
    final BbrLab lab = new BbrLab(10 * MBIT, 40).endlesslyUntil(BbrState.CRUISE);
    assertEquals(
        false,
        lab.path.run(() -> lab.bbr.state() == BbrState.PROBE_RTT, lab.path.nowNs + 25 * SECOND));
  }

  /** Draft test "Skipping PROBE_RTT Due to Application-Limited Sending". */
  @Test
  void shouldNotEmptyPathThatWasIdle() {
    final BbrLab lab = new BbrLab(10 * MBIT, 40).endlesslyUntil(BbrState.CRUISE);
    lab.path.extraDelayNs = packet -> PathModel.ms(30);
    lab.flow.stop();
    lab.path.runFor(12 * SECOND);
    assertEquals(0, lab.flow.recovery.bytesInFlight());
    lab.flow.offerEndlessly();
    assertEquals(
        false, lab.path.run(() -> lab.bbr.state() == BbrState.PROBE_RTT, lab.path.nowNs + SECOND));
    assertTrue(lab.bbr.minRttNs() > PathModel.ms(60));
  }

  /** Draft test "Entering and Exiting PROBE_RTT During STARTUP". */
  @Test
  void shouldGoBackToStartupIfThePathWasNeverFull() {
    final BbrLab lab = new BbrLab(20 * MBIT, 20);
    lab.flow.offerEvery(PathModel.ms(10), 5 * DATAGRAM);
    lab.path.runFor(SECOND);
    lab.path.extraDelayNs = packet -> PathModel.ms(10);
    lab.until(BbrState.PROBE_RTT);
    assertEquals(BbrState.STARTUP, lab.leave(BbrState.PROBE_RTT, 1000));
    lab.flow.offerEndlessly();
    lab.until(BbrState.DRAIN);
    assertEquals(1, lab.estimate(), 0.02);
  }

  @Test
  void shouldEndAtOnceIfThePathFellIdleMeanwhile() {
    final BbrLab lab = new BbrLab(10 * MBIT, 40).endlesslyUntil(BbrState.CRUISE);
    lab.path.extraDelayNs = packet -> PathModel.ms(30);
    lab.until(BbrState.PROBE_RTT);
    lab.path.runFor(PathModel.ms(100));
    lab.flow.stop();
    lab.path.runFor(SECOND);
    assertEquals(BbrState.PROBE_RTT, lab.bbr.state());
    lab.flow.offer(DATAGRAM);
    assertNotEquals(BbrState.PROBE_RTT, lab.bbr.state());
  }
}
