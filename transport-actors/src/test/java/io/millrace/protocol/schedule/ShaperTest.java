package io.millrace.protocol.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ShaperTest {
  private static final long GIGABIT = 1_000_000_000L;
  private static final long START_NS = 5;
  private static final long SECOND_NS = 1_000_000_000L;

  /** Two workers that always have something to send, and one that comes later. */
  @Test
  void shouldShareRateAmongWorkersThatSendAndLendIdleParts() {
    final OneRate rate = new OneRate(GIGABIT);
    final Shaper[] workers = new Shaper[5];
    Arrays.setAll(workers, i -> new Shaper(rate, 0));
    long[] alone = send(workers, 1, START_NS);
    assertEquals(125e6, (double) alone[0], 40_000, "the whole rate is lent to one worker");
    long[] shared = send(workers, 3, START_NS + SECOND_NS);
    assertEquals(125e6, (double) Arrays.stream(shared).sum(), 100_000);
    for (int worker = 0; worker < 3; worker++) {
      assertEquals(125e6 / 3, (double) shared[worker], 50_000);
    }
  }

  /** Lets the first workers send for a second; returns the bytes of each worker. */
  private static long[] send(Shaper[] workers, int busy, long startNs) {
    final long[] sent = new long[workers.length];
    long nowNs = startNs;
    while (nowNs < startNs + SECOND_NS) {
      long nextNs = Long.MAX_VALUE;
      for (int i = 0; i < busy; i++) {
        if (workers[i].mayStart(nowNs)) {
          final int bytes = workers[i].trainBytes(nowNs);
          workers[i].onTrain(bytes, 1, nowNs);
          sent[i] += bytes;
        }
        nextNs = Math.min(nextNs, workers[i].nextDeadlineNs());
      }
      nowNs = Math.max(nowNs + 1, nextNs == Long.MAX_VALUE ? nowNs : nextNs);
    }
    for (Shaper worker : workers) {
      worker.onIdle();
    }
    return sent;
  }

  /** A worker with small calls to many peers beside a worker with bulk: equal parts, not turns. */
  @Test
  void shouldSendTrainsOfManyPeersInOneTurn() {
    final Shaper[] workers = workers(10 * GIGABIT);
    final long[] sent = new long[2];
    long nowNs = START_NS;
    while (sent[0] < 1_000 * 100) {
      nowNs = step(workers, sent, nowNs, new int[] {100, 32 << 10});
    }
    assertTrue(nowNs - START_NS < 250_000, "took " + (nowNs - START_NS) + " ns");
  }

  @Test
  void shouldShareRateAmongPacketsOfUnequalLength() {
    final Shaper[] workers = workers(GIGABIT / 10);
    final long[] sent = new long[2];
    long nowNs = START_NS;
    while (nowNs < START_NS + SECOND_NS) {
      nowNs = step(workers, sent, nowNs, new int[] {1_500, 9_000});
    }
    assertEquals(125e5, (double) (sent[0] + sent[1]), 125_000);
    assertEquals(625e4, (double) sent[0], 125_000);
  }

  private static Shaper[] workers(long bitsPerSecond) {
    final OneRate rate = new OneRate(bitsPerSecond);
    return new Shaper[] {new Shaper(rate, 0), new Shaper(rate, 0)};
  }

  /** Both workers send trains of their lengths as far as they may; returns the next time. */
  private static long step(Shaper[] workers, long[] sent, long nowNs, int[] bytes) {
    return Math.min(
        stepOf(workers[1], 1, sent, nowNs, bytes[1]), stepOf(workers[0], 0, sent, nowNs, bytes[0]));
  }

  private static long stepOf(Shaper worker, int index, long[] sent, long nowNs, int bytes) {
    while (worker.mayStart(nowNs)) {
      worker.onTrain(bytes, 1, nowNs);
      sent[index] += bytes;
    }
    return worker.nextDeadlineNs();
  }

  @Test
  void shouldGiveTurnBackOnceNothingWaits() {
    final OneRate rate = new OneRate(GIGABIT);
    final Shaper one = new Shaper(rate, 0);
    final Shaper other = new Shaper(rate, 0);
    one.onTrain(10_000, 1, START_NS);
    assertFalse(one.mayStart(START_NS));
    one.onIdle();
    assertFalse(other.mayStart(START_NS));
    assertEquals(START_NS + 80_000, other.nextDeadlineNs());
  }

  @Test
  void shouldUseShortTurnsForShortTrains() {
    final OneRate rate = new OneRate(GIGABIT);
    final Shaper one = new Shaper(rate, 0);
    assertTrue(one.mayStart(START_NS));
    one.onTrain(100, 1, START_NS);
    final Shaper other = new Shaper(rate, 0);
    assertFalse(other.mayStart(START_NS));
    assertEquals(START_NS + 800, other.nextDeadlineNs());
  }

  @Test
  void shouldCountHeadersOfEachPacket() {
    final Shaper shaper = new Shaper(new OneRate(GIGABIT), 42);
    shaper.onTrain(10_000, 10, START_NS);
    shaper.onUrgent(100, START_NS);
    assertFalse(shaper.mayStart(START_NS));
    assertEquals(START_NS + (10_420 + 142) * 8, shaper.nextDeadlineNs());
  }

  @Test
  void shouldHaveDeadlineWhileSomethingWaitsOnly() {
    final Shaper shaper = new Shaper(new OneRate(GIGABIT), 0);
    shaper.onTrain(10_000, 1, START_NS);
    assertEquals(Long.MAX_VALUE, shaper.nextDeadlineNs());
    assertFalse(shaper.mayStart(START_NS));
    assertTrue(shaper.isWaiting());
    assertEquals(START_NS + 80_000, shaper.nextDeadlineNs());
    shaper.onIdle();
    assertEquals(Long.MAX_VALUE, shaper.nextDeadlineNs());
  }

  @Test
  void shouldCostNothingWithoutRate() {
    final Shaper shaper = new Shaper(SendRate.UNLIMITED, 42);
    shaper.onTrain(1 << 20, 1, START_NS);
    assertTrue(shaper.mayStart(START_NS));
    assertEquals(Integer.MAX_VALUE, shaper.trainBytes(START_NS));
    assertEquals(Long.MAX_VALUE, shaper.nextDeadlineNs());
  }
}
