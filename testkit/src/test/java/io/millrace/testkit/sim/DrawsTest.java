package io.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Draws are functions of their four arguments, and good enough to pass for random. */
class DrawsTest {
  private static final int MANY = 200_000;

  private final Draws draws = Draws.of(7, "test.one");

  @Test
  void shouldDrawTheSameInEveryJvm() {
    assertEquals(Draws.hash(1, Draws.domain("net.loss"), 2, 3), golden());
    assertEquals(golden(), Draws.of(1, "net.loss").draw(2, 3));
  }

  private static long golden() {
    return -8750620704734041573L;
  }

  @Test
  void shouldDependOnEachArgument() {
    Set<Long> drawn = new HashSet<>();
    for (long seed = 0; seed < 8; seed++) {
      for (String domain : new String[] {"", "a", "b", "ab", "ba", "net.loss", "net.lost"}) {
        drawAll(Draws.of(seed, domain), drawn);
      }
    }
    assertEquals(8 * 7 * 32 * 32, drawn.size(), "two of them met");
  }

  private static void drawAll(Draws draws, Set<Long> drawn) {
    for (long entity = 0; entity < 32; entity++) {
      for (long ordinal = 0; ordinal < 32; ordinal++) {
        drawn.add(draws.draw(entity, ordinal));
      }
    }
  }

  @Test
  void shouldFlipHalfOfTheBitsWhenOneBitOfAnArgumentFlips() {
    for (int bit = 0; bit < Long.SIZE; bit++) {
      long entityFlips = 0;
      long ordinalFlips = 0;
      for (long i = 0; i < 2_000; i++) {
        long before = draws.draw(i, i);
        entityFlips += Long.bitCount(before ^ draws.draw(i ^ 1L << bit, i));
        ordinalFlips += Long.bitCount(before ^ draws.draw(i, i ^ 1L << bit));
      }
      assertEquals(32, entityFlips / 2_000.0, 0.5, "entity bit " + bit);
      assertEquals(32, ordinalFlips / 2_000.0, 0.5, "ordinal bit " + bit);
    }
  }

  @Test
  void shouldFillRangesEvenly() {
    int[] byOrdinal = new int[10];
    int[] byEntity = new int[10];
    for (int i = 0; i < MANY; i++) {
      byOrdinal[(int) draws.below(3, i, 10)]++;
      byEntity[(int) draws.below((long) i << 24, 3, 10)]++;
    }
    for (int i = 0; i < 10; i++) {
      assertEquals(MANY / 10.0, byOrdinal[i], MANY / 250.0);
      assertEquals(MANY / 10.0, byEntity[i], MANY / 250.0);
    }
  }

  @Test
  void shouldHitAsOftenAsTheChanceSays() {
    int hits = 0;
    for (int i = 0; i < MANY; i++) {
      hits += draws.chance(9, i, 20_000) ? 1 : 0;
    }
    assertEquals(MANY / 50.0, hits, MANY / 500.0);
    assertFalse(draws.chance(9, 1, 0));
    assertTrue(draws.chance(9, 1, 1_000_000));
  }

  @Test
  void shouldNotCorrelateDomains() {
    Draws other = Draws.of(7, "test.two");
    int both = 0;
    for (int i = 0; i < MANY; i++) {
      both += draws.chance(9, i, 500_000) && other.chance(9, i, 500_000) ? 1 : 0;
    }
    assertEquals(MANY / 4.0, both, MANY / 200.0);
    assertNotEquals(draws.draw(9, 9), other.draw(9, 9));
  }

  @Test
  void shouldDrawExponentialTimesAroundTheirMean() {
    double sum = 0;
    int long10 = 0;
    for (int i = 0; i < MANY; i++) {
      long ns = draws.exponentialNs(1, i, 50_000);
      assertTrue(ns >= 0 && ns < 37 * 50_000L, () -> "drawn " + ns);
      sum += ns;
      long10 += ns > 500_000 ? 1 : 0;
    }
    assertEquals(50_000, sum / MANY, 500);
    assertTrue(long10 > 0 && long10 < 30, "ten times the mean " + long10 + " times");
    assertEquals(0, draws.exponentialNs(1, 1, 0));
  }

  @Test
  void shouldIncludeBothEnds() {
    Set<Long> drawn = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      drawn.add(draws.between(1, i, 5, 7));
    }
    assertEquals(Set.of(5L, 6L, 7L), drawn);
    assertEquals(5, draws.between(1, 1, 5, 5));
    assertEquals(0, draws.below(1, 1, 0));
  }
}
