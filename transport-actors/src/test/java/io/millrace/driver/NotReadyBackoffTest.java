package io.millrace.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NotReadyBackoffTest {
  /** Returns the shortest and the longest of many waits, each the last of some reports in a row. */
  private static long[] waitsNs(NotReadySettings settings, int reports) {
    long least = Long.MAX_VALUE;
    long most = 0;
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000; i++) {
      NotReadyBackoff backoff = new NotReadyBackoff(settings, random);
      long nowNs = 0;
      for (int report = 1; report < reports; report++) {
        backoff.onNotReady(true, nowNs);
        nowNs = backoff.waitEndNs();
      }
      backoff.onNotReady(true, nowNs);
      least = Math.min(least, backoff.waitEndNs() - nowNs);
      most = Math.max(most, backoff.waitEndNs() - nowNs);
    }
    return new long[] {least, most};
  }

  @Test
  void shouldWaitAtLeastTheFirstWaitAndAtMostTheLongest() {
    NotReadySettings narrow = new NotReadySettings(0, 100, 110);
    for (int reports = 1; reports < 4; reports++) {
      long[] waits = waitsNs(narrow, reports);
      assertEquals(100, waits[0]);
      assertEquals(110, waits[1]);
    }
    long[] equal = waitsNs(new NotReadySettings(0, 100, 100), 1);
    assertEquals(100, equal[0]);
    assertEquals(100, equal[1]);
  }

  @Test
  void shouldDoubleTheRange() {
    NotReadySettings wide = new NotReadySettings(0, 100, 1_000);
    int[][] bounds = {{100, 200}, {200, 400}, {400, 800}, {500, 1_000}, {500, 1_000}};
    for (int i = 0; i < bounds.length; i++) {
      long[] waits = waitsNs(wide, i + 1);
      assertTrue(waits[0] >= bounds[i][0] && waits[1] <= bounds[i][1], "wait " + i);
      assertTrue(waits[1] - waits[0] > (bounds[i][1] - bounds[i][0]) / 2, "no chance " + i);
    }
  }

  @Test
  void shouldRepeatTheFirstTimeAtOnce() {
    NotReadyBackoff backoff =
        new NotReadyBackoff(NotReadySettings.DEFAULTS, new SplittableRandom(1));
    backoff.onNotReady(false, 0);
    assertFalse(backoff.isWaiting(0));
    assertTrue(backoff.isUnready());
    backoff.onSuccess();
    assertFalse(backoff.isUnready());
  }
}
