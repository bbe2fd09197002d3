package io.millrace.protocol.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PacerTest {
  private static final long START_NS = 5;

  private final Pacer pacer = new Pacer();

  @Test
  void shouldLetEverythingGoBeforeThereIsRate() {
    assertFalse(pacer.isLimited());
    pacer.onTrain(1 << 20, START_NS);
    assertTrue(pacer.mayStart(START_NS));
    assertEquals(Integer.MAX_VALUE, pacer.trainBytes(START_NS));
  }

  @Test
  void shouldSpreadTrainsOverTime() {
    pacer.onRate(12_500_000);
    assertTrue(pacer.mayStart(START_NS));
    assertEquals(1_562, pacer.trainBytes(START_NS));
    pacer.onTrain(9_000, START_NS);
    assertFalse(pacer.mayStart(START_NS));
    assertEquals(START_NS + 720_000, pacer.nextTrainNs());
    pacer.onUrgent(1_250, START_NS);
    assertEquals(START_NS + 820_000, pacer.nextTrainNs());
    assertTrue(pacer.mayStart(START_NS + 820_000));
  }

  @Test
  void shouldTakeRatesThatNoNetworkHas() {
    pacer.onRate(Long.MAX_VALUE);
    pacer.onTrain(12_500, START_NS);
    assertEquals(START_NS + 10, pacer.nextTrainNs());
  }
}
