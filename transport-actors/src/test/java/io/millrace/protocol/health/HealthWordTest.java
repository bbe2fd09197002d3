package io.millrace.protocol.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.PeerHealth;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HealthWordTest {
  private static final long MS = 1_000_000;
  private static final long TICK_NS = 1 << 16;
  private static final HealthSettings SETTINGS = HealthSettings.DEFAULT;
  private static final int PACKETS = 20_000;

  private static long wordIn(PeerHealth state, long nowNs) {
    long word = HealthWord.on(HealthWord.INITIAL, HealthObservation.GIVEN_UP, nowNs);
    return switch (state) {
      case HEALTHY -> HealthWord.INITIAL;
      case DEGRADED -> HealthWord.onOutcomes(HealthWord.INITIAL, 0, 100, nowNs, SETTINGS);
      case PROBING -> HealthWord.on(word, HealthObservation.ANSWERED, nowNs);
      case FAILED -> word;
    };
  }

  @ParameterizedTest
  @EnumSource(PeerHealth.class)
  void shouldMoveAsTheTableSaysAndKeepTheTimeOfTheChange(PeerHealth from) {
    for (HealthObservation observation : HealthObservation.values()) {
      long word = wordIn(from, 10 * TICK_NS);
      assertEquals(from, HealthWord.state(word));
      PeerHealth to = HealthTransitions.next(from, observation);
      long next = HealthWord.on(word, observation, 20 * TICK_NS);
      assertEquals(to, HealthWord.state(next));
      long sinceNs = to == from ? HealthWord.sinceNs(word) : 20 * TICK_NS;
      assertEquals(sinceNs, HealthWord.sinceNs(next));
      assertEquals(HealthWord.failureRate(word), HealthWord.failureRate(next));
    }
  }

  @Test
  void shouldNotBeMovedByWhatWasBeforeTheLastChange() {
    long word = wordIn(PeerHealth.PROBING, 50 * MS);
    assertEquals(word, HealthWord.on(word, HealthObservation.GIVEN_UP, 49 * MS));
  }

  /** The health after random losses of {@code percent}, in batches of random lengths. */
  private static long afterLoss(int percent, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long word = HealthWord.INITIAL;
    for (int sent = 0; sent < PACKETS; ) {
      int batch = random.nextInt(1, 20);
      int lost = 0;
      for (int i = 0; i < batch; i++) {
        lost += random.nextInt(100) < percent ? 1 : 0;
      }
      word = HealthWord.onOutcomes(word, batch - lost, lost, sent, SETTINGS);
      if (percent <= 2) {
        assertEquals(PeerHealth.HEALTHY, HealthWord.state(word), "seed " + seed);
      }
      sent += batch;
    }
    return word;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void shouldBearTwoPercentAndDegradeAtForty(long seed) {
    assertEquals(PeerHealth.HEALTHY, HealthWord.state(afterLoss(2, seed)));
    assertEquals(PeerHealth.DEGRADED, HealthWord.state(afterLoss(40, seed)));
    assertEquals(0.4, HealthWord.failureRate(afterLoss(40, seed)), 0.25);
  }

  @Test
  void shouldWeighNewOutcomesAsMuchAsAllBefore() {
    long word = HealthWord.onOutcomes(HealthWord.INITIAL, 0, 32, MS, SETTINGS);
    assertEquals(0.5, HealthWord.failureRate(word), 1e-4);
    word = HealthWord.onOutcomes(word, 32, 0, 2 * MS, SETTINGS);
    assertEquals(0.25, HealthWord.failureRate(word), 1e-4);
    word = HealthWord.onOutcomes(word, 96, 32, 3 * MS, SETTINGS);
    assertEquals((0.25 * 32 + 32) / 160, HealthWord.failureRate(word), 1e-4);
    assertEquals(word, HealthWord.onOutcomes(word, 0, 0, 4 * MS, SETTINGS));
  }

  @Test
  void shouldRecoverOnlyFarBelowWhereItDegrades() {
    long word = HealthWord.onOutcomes(HealthWord.INITIAL, 18, 14, MS, SETTINGS);
    assertEquals(PeerHealth.HEALTHY, HealthWord.state(word), "22 %");
    word = HealthWord.onOutcomes(word, 0, 5, MS, SETTINGS);
    assertEquals(PeerHealth.DEGRADED, HealthWord.state(word), "32 %");
    word = HealthWord.onOutcomes(word, 40, 0, 2 * MS, SETTINGS);
    assertEquals(PeerHealth.DEGRADED, HealthWord.state(word), "14 %");
    word = HealthWord.onOutcomes(word, 20, 0, 2 * MS, SETTINGS);
    assertEquals(PeerHealth.HEALTHY, HealthWord.state(word), "9 %");
  }

  @Test
  void shouldProbeWhatFailsForLongerThanTheTimeout() {
    long degradedNs = 8 * TICK_NS;
    long dueNs = degradedNs + SETTINGS.degradedTimeoutNs();
    long word = HealthWord.onOutcomes(HealthWord.INITIAL, 0, 64, degradedNs, SETTINGS);
    word = HealthWord.onOutcomes(word, 1, 1, dueNs - 1, SETTINGS);
    assertEquals(PeerHealth.DEGRADED, HealthWord.state(word));
    long fair = HealthWord.onOutcomes(word, 60, 0, dueNs, SETTINGS);
    assertEquals(PeerHealth.DEGRADED, HealthWord.state(fair), "less fails than degrades");
    word = HealthWord.onOutcomes(word, 1, 1, dueNs, SETTINGS);
    assertEquals(PeerHealth.PROBING, HealthWord.state(word));
    assertEquals(dueNs / TICK_NS * TICK_NS, HealthWord.sinceNs(word));
  }

  @Test
  void shouldTakeAPeerBackThroughProbingAndDegraded() {
    long word = wordIn(PeerHealth.FAILED, 0);
    word = HealthWord.onOutcomes(word, 1_000, 0, 0, SETTINGS);
    assertEquals(PeerHealth.FAILED, HealthWord.state(word));
    word = HealthWord.onProbeAnswered(word, MS, SETTINGS);
    for (int probe = 1; probe < SETTINGS.answeredProbes(); probe++) {
      assertEquals(PeerHealth.PROBING, HealthWord.state(word));
      word = HealthWord.onProbeAnswered(word, 2 * MS, SETTINGS);
      assertEquals(probe, HealthWord.answeredProbes(word));
    }
    word = HealthWord.onOutcomes(word, 1_000, 0, 2 * MS, SETTINGS);
    assertEquals(PeerHealth.PROBING, HealthWord.state(word));
    word = HealthWord.onProbeAnswered(word, 2 * MS, SETTINGS);
    assertEquals(PeerHealth.DEGRADED, HealthWord.state(word));
    word = HealthWord.onOutcomes(word, 1, 0, 3 * MS, SETTINGS);
    assertEquals(PeerHealth.HEALTHY, HealthWord.state(word));
  }

  @Test
  void shouldCountOnlyProbesThatAreAnsweredInARow() {
    long word = wordIn(PeerHealth.PROBING, MS);
    word = HealthWord.onProbeAnswered(word, 2 * MS, SETTINGS);
    assertEquals(1, HealthWord.answeredProbes(word));
    word = HealthWord.on(word, HealthObservation.UNANSWERED, 3 * MS);
    assertEquals(0, HealthWord.answeredProbes(word));
    assertEquals(PeerHealth.PROBING, HealthWord.state(word));
    assertTrue(HealthWord.sinceNs(word) < 2 * MS);
  }
}
