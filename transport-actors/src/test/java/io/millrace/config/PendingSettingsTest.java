package io.millrace.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tasks pending at the executor slow grants in proportion, between two thresholds. */
class PendingSettingsTest {
  private static final PendingSettings PENDING = new PendingSettings(100, 300);

  @Test
  void shouldLeaveLessTheMoreWait() {
    assertEquals(1_000, PENDING.of(1_000, 0));
    assertEquals(1_000, PENDING.of(1_000, 100));
    assertEquals(750, PENDING.of(1_000, 150));
    assertEquals(500, PENDING.of(1_000, 200));
    assertEquals(0, PENDING.of(1_000, 300));
    assertEquals(0, PENDING.of(1_000, Integer.MAX_VALUE));
    assertEquals(1L << 40, PendingSettings.NEVER.of(1L << 40, 1 << 30));
  }
}
