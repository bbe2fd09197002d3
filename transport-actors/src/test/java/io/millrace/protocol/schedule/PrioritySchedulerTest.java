package io.millrace.protocol.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrioritySchedulerTest {
  private static final int LEVELS = PriorityScheduler.LEVELS;
  private static final int[] WEIGHTS = {128, 64, 32, 16, 8, 4, 2, 1};
  private static final int TRAIN = 64 * 1024;

  private final PriorityScheduler<String> weighted =
      new PriorityScheduler<>(SchedulerPolicy.WEIGHTED);

  private static String next(PriorityScheduler<String> scheduler) {
    final Schedulable<String> entry = scheduler.poll();
    return entry == null ? "-" : entry.owner() + "@" + scheduler.polledLevel();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 8, 9, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void shouldRejectLevelsOutsideZeroToSeven(int level) {
    final Schedulable<String> entry = new Schedulable<>("a");
    assertThrows(IllegalArgumentException.class, () -> weighted.activate(entry, level));
    assertThrows(IllegalArgumentException.class, () -> weighted.deactivate(entry, level));
    assertThrows(IllegalArgumentException.class, () -> weighted.hold(entry, level));
    assertThrows(IllegalArgumentException.class, () -> weighted.holdServed(entry, level));
    assertThrows(IllegalArgumentException.class, () -> weighted.charge(level, 1));
    assertNull(weighted.poll());
  }

  @Test
  void shouldRejectWeightsAndQuantaOutOfRange() {
    final int[] withZero = WEIGHTS.clone();
    withZero[3] = 0;
    assertThrows(IllegalArgumentException.class, () -> weightedBy(withZero, 1));
    assertThrows(IllegalArgumentException.class, () -> weightedBy(new int[7], 1));
    assertThrows(IllegalArgumentException.class, () -> weightedBy(WEIGHTS, 0));
  }

  private static PriorityScheduler<String> weightedBy(int[] weights, int quantumBytes) {
    return new PriorityScheduler<>(SchedulerPolicy.WEIGHTED, weights, quantumBytes);
  }

  @ParameterizedTest
  @EnumSource(SchedulerPolicy.class)
  void shouldServeOneLevelFirstInFirstOut(SchedulerPolicy policy) {
    final PriorityScheduler<String> scheduler = new PriorityScheduler<>(policy);
    for (int i = 0; i < 1000; i++) {
      scheduler.activate(new Schedulable<>("e" + i), 4);
    }
    for (int i = 0; i < 1000; i++) {
      assertEquals("e" + i + "@4", next(scheduler));
      scheduler.charge(4, 1 + i % 100_000);
    }
    assertEquals("-", next(scheduler));
  }

  @ParameterizedTest
  @EnumSource(SchedulerPolicy.class)
  void shouldServeMoreUrgentLevelsFirst(SchedulerPolicy policy) {
    final PriorityScheduler<String> scheduler = new PriorityScheduler<>(policy);
    for (int level = LEVELS - 1; level >= 0; level--) {
      scheduler.activate(new Schedulable<>("e"), level);
    }
    assertEquals(0xFF, scheduler.waitingLevels());
    for (int level = 0; level < LEVELS; level++) {
      assertEquals("e@" + level, next(scheduler));
      scheduler.charge(level, 100);
      assertEquals(0xFF & -2 << level, scheduler.waitingLevels());
    }
  }

  @Test
  void shouldHoldAnEntryAtSeveralLevelsOnceEach() {
    final Schedulable<String> a = new Schedulable<>("a");
    final Schedulable<String> b = new Schedulable<>("b");
    weighted.activate(a, 2);
    weighted.activate(a, 2);
    weighted.activate(b, 2);
    weighted.activate(a, 5);
    weighted.activate(a, 0);
    assertTrue(a.isQueued(2));
    assertEquals("a@0", next(weighted));
    assertEquals("a@2", next(weighted));
    assertFalse(a.isQueued(2));
    assertTrue(a.isQueued(5));
    weighted.activate(a, 2);
    assertEquals("b@2", next(weighted));
    assertEquals("a@2", next(weighted));
    assertEquals("a@5", next(weighted));
    assertEquals("-", next(weighted));
  }

  @Test
  void shouldTakeOutEntriesFromAnywhere() {
    final List<Schedulable<String>> entries = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      entries.add(new Schedulable<>("e" + i));
      weighted.activate(entries.get(i), 1);
      weighted.activate(entries.get(i), 6);
    }
    weighted.deactivate(entries.get(2), 1);
    weighted.deactivate(entries.get(2), 1);
    weighted.remove(entries.get(0));
    weighted.remove(entries.get(4));
    final List<String> served = new ArrayList<>();
    for (String one = next(weighted); !one.equals("-"); one = next(weighted)) {
      served.add(one);
    }
    assertEquals(List.of("e1@1", "e3@1", "e1@6", "e2@6", "e3@6"), served);
    assertEquals(0, weighted.waitingLevels());
  }

  /** Keeps all levels busy; returns the bytes sent by each level after this number of turns. */
  private static long[] serveAllBusy(
      PriorityScheduler<String> scheduler, int turns, SplittableRandom random, int maxBytes) {
    for (int level = 0; level < LEVELS; level++) {
      for (int i = 0; i < 3; i++) {
        scheduler.activate(new Schedulable<>("p" + i), level);
      }
    }
    final long[] sent = new long[LEVELS];
    for (int turn = 0; turn < turns; turn++) {
      final Schedulable<String> entry = scheduler.poll();
      assertNotNull(entry);
      final int level = scheduler.polledLevel();
      final int bytes = 1 + random.nextInt(maxBytes);
      sent[level] += bytes;
      scheduler.charge(level, bytes);
      scheduler.activate(entry, level);
    }
    return sent;
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1500, TRAIN})
  void shouldShareByWeightWhileAllLevelsAreBusy(int maxBytes) {
    final SplittableRandom random = new SplittableRandom(maxBytes);
    final long[] sent = serveAllBusy(weighted, 2_000_000, random, maxBytes);
    long total = 0;
    for (long bytes : sent) {
      total += bytes;
    }
    for (int level = 0; level < LEVELS; level++) {
      final double share = (double) sent[level] / total;
      final double due = WEIGHTS[level] / 255.0;
      assertEquals(1.0, share / due, 0.02, "level " + level + " sent " + share + " for " + due);
    }
  }

  @Test
  void shouldServeEveryLevelWithinTheRoundsThatItsDebtTakes() {
    final int[] lastServed = new int[LEVELS];
    final Schedulable<String> entry = new Schedulable<>("p");
    for (int level = 0; level < LEVELS; level++) {
      weighted.activate(entry, level);
    }
    for (int turn = 1; turn <= 100_000; turn++) {
      weighted.poll();
      final int level = weighted.polledLevel();
      lastServed[level] = turn;
      weighted.charge(level, TRAIN);
      weighted.activate(entry, level);
      for (int other = 0; other < LEVELS; other++) {
        final int longestWait = 255 / WEIGHTS[other] + LEVELS;
        assertTrue(turn - lastServed[other] <= longestWait, "level " + other + " starves");
      }
    }
  }

  @Test
  void shouldStarveEverythingBehindABusyLevelWhenStrict() {
    final PriorityScheduler<String> strict = new PriorityScheduler<>(SchedulerPolicy.STRICT);
    final long[] sent = serveAllBusy(strict, 100_000, new SplittableRandom(1), TRAIN);
    for (int level = 1; level < LEVELS; level++) {
      assertEquals(0, sent[level]);
    }
    assertTrue(sent[0] > 0);
  }

  @Test
  void shouldGiveTheWholeRateToTheOnlyBusyLevel() {
    weighted.activate(new Schedulable<>("a"), 7);
    for (int i = 0; i < 1000; i++) {
      final Schedulable<String> entry = weighted.poll();
      assertNotNull(entry);
      weighted.charge(7, TRAIN);
      weighted.activate(entry, 7);
    }
  }

  @Test
  void shouldLetAnUrgentNewcomerInWithinTheRound() {
    final Schedulable<String> low = new Schedulable<>("low");
    weighted.activate(low, 7);
    assertEquals("low@7", next(weighted));
    weighted.charge(7, TRAIN);
    weighted.activate(low, 7);
    weighted.activate(new Schedulable<>("urgent"), 0);
    assertEquals("urgent@0", next(weighted));
  }

  @Test
  void shouldNotLetALevelEscapeItsDebtByGoingEmpty() {
    final Schedulable<String> busy = new Schedulable<>("busy");
    final Schedulable<String> bursty = new Schedulable<>("bursty");
    weighted.activate(busy, 0);
    long busyBytes = 0;
    long burstyBytes = 0;
    for (int turn = 0; turn < 200_000; turn++) {
      weighted.activate(bursty, 7);
      final Schedulable<String> entry = weighted.poll();
      weighted.charge(weighted.polledLevel(), TRAIN);
      if (entry == busy) {
        busyBytes += TRAIN;
        weighted.activate(busy, 0);
      } else {
        burstyBytes += TRAIN;
      }
      weighted.deactivate(bursty, 7);
    }
    assertEquals(128.0, (double) busyBytes / burstyBytes, 2.0);
  }

  @Test
  void shouldForgiveDebtsOnceNothingWaits() {
    final Schedulable<String> low = new Schedulable<>("low");
    weighted.activate(low, 7);
    weighted.poll();
    weighted.charge(7, 100 * TRAIN);
    assertNull(weighted.poll());
    weighted.activate(low, 7);
    weighted.activate(new Schedulable<>("mid"), 6);
    assertEquals("mid@6", next(weighted));
    weighted.charge(6, TRAIN);
    weighted.activate(new Schedulable<>("mid"), 6);
    assertEquals("low@7", next(weighted));
  }

  @Test
  void shouldNotSaveUpUnusedBytes() {
    final Schedulable<String> late = new Schedulable<>("late");
    final Schedulable<String> busy = new Schedulable<>("busy");
    weighted.activate(busy, 1);
    for (int turn = 0; turn < 1000; turn++) {
      weighted.poll();
      weighted.charge(1, TRAIN);
      weighted.activate(busy, 1);
    }
    weighted.activate(late, 0);
    int lateTurns = 0;
    for (int turn = 0; turn < 30; turn++) {
      final Schedulable<String> entry = weighted.poll();
      assertNotNull(entry);
      weighted.charge(weighted.polledLevel(), TRAIN);
      lateTurns += entry == late ? 1 : 0;
      weighted.activate(entry, weighted.polledLevel());
    }
    assertEquals(20, lateTurns, 1);
  }

  @Test
  void shouldMakeTheSameChoicesForTheSameCalls() {
    assertEquals(trace(42), trace(42));
  }

  @Test
  void shouldGoOnWithItsRoundWhileEverythingIsHeld() {
    final Schedulable<String> path = new Schedulable<>("p");
    weighted.activate(path, 0);
    weighted.activate(path, 1);
    assertEquals("p@0", next(weighted));
    weighted.charge(0, TRAIN);
    weighted.hold(path, 0);
    weighted.hold(path, 1);
    assertEquals(0, weighted.waitingLevels());
    assertEquals(3, path.heldLevels());
    assertEquals("-", next(weighted));
    weighted.activate(path, 0);
    weighted.activate(path, 1);
    assertEquals("p@1", next(weighted), "level 0 has had its part of the round");
    assertEquals(0, path.heldLevels());
  }

  @Test
  void shouldStandBehindItsLevelOnceReleasedIfItWasServedBefore() {
    final Schedulable<String> served = new Schedulable<>("served");
    final Schedulable<String> other = new Schedulable<>("other");
    weighted.activate(served, 3);
    weighted.activate(other, 3);
    assertEquals("served@3", next(weighted));
    weighted.holdServed(served, 3);
    weighted.activate(served, 3);
    assertEquals("other@3", next(weighted));
    assertEquals("served@3", next(weighted));
    // The item has had no turn since.
    weighted.hold(served, 3);
    weighted.activate(other, 3);
    weighted.activate(served, 3);
    assertEquals("served@3", next(weighted));
  }

  @Test
  void shouldStandAheadOfItsLevelOnceReleased() {
    final Schedulable<String> path = new Schedulable<>("p");
    weighted.activate(path, 2);
    weighted.hold(path, 2);
    weighted.activate(new Schedulable<>("q"), 2);
    weighted.activate(path, 2);
    assertEquals("p@2", next(weighted));
    assertEquals("q@2", next(weighted));
  }

  @Test
  void shouldForgetWhatWasHeldOnceItIsTakenOut() {
    final Schedulable<String> path = new Schedulable<>("p");
    weighted.charge(0, TRAIN);
    weighted.hold(path, 0);
    weighted.hold(path, 3);
    weighted.deactivate(path, 3);
    weighted.remove(path);
    assertEquals(0, path.heldLevels());
    assertEquals("-", next(weighted));
    weighted.activate(new Schedulable<>("b"), 1);
    weighted.activate(new Schedulable<>("a"), 0);
    assertEquals("a@0", next(weighted), "all debts have ended");
  }

  private static List<String> trace(long seed) {
    final SplittableRandom random = new SplittableRandom(seed);
    final PriorityScheduler<String> scheduler = weightedBy(WEIGHTS, 512);
    final List<Schedulable<String>> entries = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      entries.add(new Schedulable<>("e" + i));
    }
    final List<String> trace = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      if (random.nextBoolean()) {
        scheduler.activate(entries.get(random.nextInt(20)), random.nextInt(LEVELS));
      } else {
        trace.add(next(scheduler));
        scheduler.charge(Math.max(scheduler.polledLevel(), 0), random.nextInt(TRAIN));
      }
    }
    return trace;
  }
}
