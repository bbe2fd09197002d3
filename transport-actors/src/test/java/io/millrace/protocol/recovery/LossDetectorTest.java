package io.millrace.protocol.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LossDetectorTest {
  private static final long RTT = 800_000;

  private final RttEstimator rtt = new RttEstimator(RTT, 0);

  @Test
  void shouldDeclareLossOncePacketThresholdPassed() {
    final LossDetector detector = new LossDetector(LossSettings.DEFAULT);
    detector.onPass(10, rtt, 0);
    assertTrue(detector.isLost(7, 0));
    assertFalse(detector.isLost(8, 0));
  }

  @Test
  void shouldDeclareLossOfAnyOvertakenPacketWithThresholdOne() {
    final LossDetector detector = new LossDetector(new LossSettings(1, 9, 1));
    detector.onPass(10, rtt, 0);
    assertTrue(detector.isLost(9, 0));
  }

  @Test
  void shouldDeclareLossOnceTimeThresholdPassed() {
    final LossDetector detector = new LossDetector(LossSettings.DEFAULT);
    detector.onPass(10, rtt, 899_999);
    assertFalse(detector.isLost(9, 0));
    assertEquals(900_000, detector.lossDeadlineNs());
    detector.onPass(10, rtt, 900_000);
    assertTrue(detector.isLost(9, 0));
    assertEquals(Long.MAX_VALUE, detector.lossDeadlineNs());
  }

  @Test
  void shouldMeasureByTheLargerOfLatestAndSmoothed() {
    final LossDetector detector = new LossDetector(LossSettings.DEFAULT);
    rtt.onSample(RTT, 0);
    rtt.onSample(2 * RTT, 0);
    assertEquals(2 * RTT * 9 / 8, detector.lossDelayNs(rtt));
    rtt.onSample(8, 0);
    assertEquals(rtt.smoothedNs() * 9 / 8, detector.lossDelayNs(rtt));
  }

  @Test
  void shouldNotFallBelowTheGranularity() {
    final LossDetector detector = new LossDetector(new LossSettings(3, 9, 2_000_000));
    assertEquals(2_000_000, detector.lossDelayNs(rtt));
  }

  @Test
  void shouldRejectSettingsOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> new LossSettings(0, 9, 1));
    assertThrows(IllegalArgumentException.class, () -> new LossSettings(3, 7, 1));
    assertThrows(IllegalArgumentException.class, () -> new LossSettings(3, 9, 0));
  }
}
