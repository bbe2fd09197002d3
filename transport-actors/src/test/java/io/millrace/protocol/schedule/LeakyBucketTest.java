package io.millrace.protocol.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeakyBucketTest {
  private static final long GIGABIT = 1_000_000_000L;
  private static final long MILLISECOND_NS = 1_000_000L;
  private static final long SECOND_NS = 1_000_000_000L;
  private static final long YEAR_NS = 365 * 24 * 3_600 * SECOND_NS;
  private static final long START_NS = 77;
  private static final int WHOLE_TRAIN = LeakyBucket.MAX_TRAIN_BYTES;

  @Test
  void shouldLetEverythingGoWithoutRate() {
    final LeakyBucket bucket = new LeakyBucket(LeakyBucket.UNLIMITED);
    for (int i = 0; i < 1_000; i++) {
      assertTrue(bucket.mayStart(START_NS));
      assertEquals(Integer.MAX_VALUE, bucket.trainBytes(START_NS));
      bucket.onTrain(WHOLE_TRAIN, START_NS);
    }
    assertFalse(bucket.isWaiting());
  }

  @Test
  void shouldRejectRatesOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> new LeakyBucket(-1));
    final long tooHigh = LeakyBucket.MAX_BITS_PER_SECOND + 1;
    assertThrows(IllegalArgumentException.class, () -> new LeakyBucket(tooHigh));
  }

  /** Odd rates and lengths, so that no train takes a whole number of nanoseconds. */
  @ParameterizedTest
  @ValueSource(longs = {400_000_000, 399_999_989, 7})
  void shouldBeExactOverSimulatedYear(long rate) {
    sendForYear(rate);
  }

  @Test
  @Tag("soak")
  void shouldBeExactOverSimulatedYearAtFourHundredGigabits() {
    sendForYear(400 * GIGABIT);
    sendForYear(399_999_999_989L);
  }

  private static void sendForYear(long rate) {
    final LeakyBucket bucket = new LeakyBucket(rate);
    // Trains of 64 KiB would be too many; long trains take the same divisions.
    final int bytes = (1 << 30) - 35;
    long nowNs = START_NS;
    long sent = 0;
    while (nowNs - START_NS < YEAR_NS) {
      bucket.onTrain(bytes, nowNs);
      sent++;
      nowNs = bucket.nextTrainNs();
    }
    assertEquals(exactNs(sent, bytes, rate), nowNs - START_NS, "after " + sent);
  }

  private static long exactNs(long trains, int bytes, long rate) {
    return BigInteger.valueOf(trains)
        .multiply(BigInteger.valueOf(8L * bytes))
        .multiply(BigInteger.valueOf(SECOND_NS))
        .divide(BigInteger.valueOf(rate))
        .longValueExact();
  }

  @Test
  void shouldNotDriftOverMillionsOfTrains() {
    final long rate = 399_999_999_989L;
    final LeakyBucket bucket = new LeakyBucket(rate);
    // A year's time: the arithmetic must not depend on how large the clock has become.
    final long startNs = YEAR_NS;
    long nowNs = startNs;
    final int trains = 5_000_000;
    for (int i = 0; i < trains; i++) {
      bucket.onTrain(31_111, nowNs);
      nowNs = bucket.nextTrainNs();
    }
    assertEquals(exactNs(trains, 31_111, rate), nowNs - startNs);
  }

  @ParameterizedTest
  @ValueSource(longs = {GIGABIT / 10, GIGABIT, 10 * GIGABIT, 400 * GIGABIT})
  void shouldSaveNothingUpWhileIdle(long rate) {
    final LeakyBucket bucket = new LeakyBucket(rate);
    bucket.onTrain(1_000, START_NS);
    bucket.onIdle();
    final long startNs = START_NS + SECOND_NS;
    final long sent = sendPunctually(bucket, startNs, startNs + MILLISECOND_NS);
    assertTrue(sent <= inBytes(rate, MILLISECOND_NS) + bucket.trainBytes(startNs), "sent " + sent);
    assertTrue(sent >= inBytes(rate, MILLISECOND_NS) - 1, "sent " + sent);
  }

  /** A sender waited, long ago, and went away without a word: this wait is no credit either. */
  @Test
  void shouldMakeUpForNoMoreThanHalfTrain() {
    final LeakyBucket bucket = new LeakyBucket(GIGABIT);
    bucket.onTrain(10_000, START_NS);
    assertFalse(bucket.mayStart(START_NS));
    final long startNs = START_NS + SECOND_NS;
    final int whole = bucket.trainBytes(startNs);
    assertEquals(inBytes(GIGABIT, LeakyBucket.MAX_TRAIN_NS), whole);
    final long sent = sendPunctually(bucket, startNs, startNs + MILLISECOND_NS);
    assertTrue(sent <= inBytes(GIGABIT, MILLISECOND_NS) + whole, "sent " + sent);
  }

  private static long sendPunctually(LeakyBucket bucket, long fromNs, long untilNs) {
    long sent = 0;
    long nowNs = fromNs;
    while (nowNs < untilNs) {
      assertTrue(bucket.mayStart(nowNs));
      final int bytes = bucket.trainBytes(nowNs);
      bucket.onTrain(bytes, nowNs);
      sent += bytes;
      assertFalse(bucket.mayStart(nowNs), "one train at a time");
      nowNs = bucket.nextTrainNs();
    }
    return sent;
  }

  private static long inBytes(long rate, long ns) {
    return rate / 8 * ns / SECOND_NS;
  }

  @Test
  void shouldCutTrainsToTimeAndBytes() {
    // 250 us are 3,125 bytes at 100 Mbit/s, 31,250 at 1 Gbit/s, and more than 64 KiB above 2.1.
    assertEquals(1_562, new LeakyBucket(GIGABIT / 10).trainBytes(START_NS));
    assertEquals(15_625, new LeakyBucket(GIGABIT).trainBytes(START_NS));
    assertEquals(32_768, new LeakyBucket(400 * GIGABIT).trainBytes(START_NS));
    final LeakyBucket late = new LeakyBucket(10 * GIGABIT);
    late.onTrain(WHOLE_TRAIN, START_NS);
    assertFalse(late.mayStart(START_NS));
    assertEquals(32_768 + 12_500, late.trainBytes(late.nextTrainNs() + 10_000));
    assertEquals(WHOLE_TRAIN - 1, late.trainBytes(late.nextTrainNs() + SECOND_NS));
  }

  @Test
  void shouldLetPacketsLongerThanTrainsGoOneByOne() {
    final LeakyBucket bucket = new LeakyBucket(GIGABIT / 10);
    bucket.onTrain(9_000, START_NS);
    assertEquals(START_NS + 720_000, bucket.nextTrainNs());
    assertFalse(bucket.mayStart(START_NS + 719_999));
    assertTrue(bucket.mayStart(START_NS + 720_000));
  }

  @Test
  void shouldCountUrgentPacketsAndNotHoldThem() {
    final LeakyBucket bucket = new LeakyBucket(GIGABIT);
    for (int i = 0; i < 10; i++) {
      bucket.onUrgent(125, START_NS);
    }
    assertEquals(START_NS + 10_000, bucket.nextTrainNs());
    assertFalse(bucket.mayStart(START_NS + 9_999));
    bucket.onUrgent(125, START_NS + 9_999);
    assertEquals(START_NS + 11_000, bucket.nextTrainNs());
    assertTrue(bucket.isWaiting(), "the train that waited still does");
  }

  /** A loop that oversleeps by up to 100 us keeps the rate, to within a train. */
  @ParameterizedTest
  @ValueSource(longs = {GIGABIT / 10, GIGABIT / 2, GIGABIT, 2 * GIGABIT})
  void shouldKeepRateOnAverageInJitteredLoop(long rate) {
    final SplittableRandom random = new SplittableRandom(rate);
    final LeakyBucket bucket = new LeakyBucket(rate);
    final int packet = 1_472;
    // The level of a token bucket that the sent bytes fill and the rate empties.
    double burst = 0;
    double mostBurst = 0;
    long lastNs = START_NS;
    long nowNs = START_NS;
    long sent = 0;
    while (nowNs - START_NS < SECOND_NS) {
      if (bucket.mayStart(nowNs)) {
        final int bytes = Math.max(packet, bucket.trainBytes(nowNs) / packet * packet);
        bucket.onTrain(bytes, nowNs);
        sent += bytes;
        burst = Math.max(0, burst - (nowNs - lastNs) * (rate / 8e9)) + bytes;
        mostBurst = Math.max(mostBurst, burst);
        lastNs = nowNs;
      } else {
        nowNs = Math.max(nowNs, bucket.nextTrainNs()) + random.nextLong(100_000);
      }
    }
    final double share = sent / (rate / 8.0);
    assertTrue(share >= 0.999, "share " + share);
    final double train = Math.max(inBytes(rate, LeakyBucket.MAX_TRAIN_NS), packet);
    final double most = train + (train == packet ? inBytes(rate, 125_000) : 1);
    assertTrue(mostBurst <= most, mostBurst + " > " + most);
  }

  @Test
  void shouldTakeNewRateFromThenOn() {
    final LeakyBucket bucket = new LeakyBucket(GIGABIT);
    bucket.onTrain(12_500, START_NS);
    bucket.rate(2 * GIGABIT);
    assertEquals(START_NS + 100_000, bucket.nextTrainNs());
    bucket.onTrain(12_500, START_NS + 100_000);
    assertEquals(START_NS + 150_000, bucket.nextTrainNs());
    bucket.rate(LeakyBucket.UNLIMITED);
    assertTrue(bucket.mayStart(START_NS));
  }
}
