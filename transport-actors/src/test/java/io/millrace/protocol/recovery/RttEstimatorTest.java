package io.millrace.protocol.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RttEstimatorTest {
  private static final long MAX_ACK_DELAY = 1_000_000;

  private final RttEstimator rtt = new RttEstimator(10_000_000, MAX_ACK_DELAY);

  @Test
  void shouldStartFromTheInitialGuess() {
    assertFalse(rtt.hasSample());
    assertEquals(10_000_000, rtt.smoothedNs());
    assertEquals(10_000_000, rtt.latestNs());
    assertEquals(5_000_000, rtt.variationNs());
    assertThrows(IllegalArgumentException.class, () -> new RttEstimator(0, 0));
  }

  @Test
  void shouldReplaceTheGuessWithTheFirstSampleWhateverItsDelay() {
    rtt.onSample(400_000, 300_000);
    assertTrue(rtt.hasSample());
    assertEquals(400_000, rtt.smoothedNs());
    assertEquals(200_000, rtt.variationNs());
    assertEquals(400_000, rtt.minNs());
  }

  @Test
  void shouldSmoothByAnEighthAndTheVariationByAQuarter() {
    rtt.onSample(400_000, 0);
    rtt.onSample(800_000, 0);
    assertEquals(800_000, rtt.latestNs());
    assertEquals(400_000, rtt.minNs());
    assertEquals(200_000 + (400_000 - 200_000) / 4, rtt.variationNs());
    assertEquals(450_000, rtt.smoothedNs());
  }

  @Test
  void shouldTakeTheDelayOffUnlessTheResultWouldFallBelowTheLeast() {
    rtt.onSample(400_000, 0);
    rtt.onSample(800_000, 400_000);
    assertEquals(400_000, rtt.smoothedNs());
    rtt.onSample(800_000, 400_001);
    assertEquals(450_000, rtt.smoothedNs());
  }

  @Test
  void shouldNotBelieveADelayAboveTheAgreedOne() {
    rtt.onSample(400_000, 0);
    rtt.onSample(4_400_000, 4_000_000);
    assertEquals(400_000 + (4_400_000 - MAX_ACK_DELAY - 400_000) / 8, rtt.smoothedNs());
  }

  @Test
  void shouldForgetTheLeastOnPersistentCongestion() {
    rtt.onSample(400_000, 0);
    rtt.onSample(900_000, 0);
    rtt.onPersistentCongestion();
    assertEquals(900_000, rtt.minNs());
  }

  @Test
  void shouldTakeASampleOfNothingAsTheLeastTime() {
    rtt.onSample(0, 0);
    rtt.onSample(-5, 0);
    assertEquals(1, rtt.smoothedNs());
    assertEquals(1, rtt.minNs());
  }
}
