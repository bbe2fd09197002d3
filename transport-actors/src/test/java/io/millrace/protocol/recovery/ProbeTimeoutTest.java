package io.millrace.protocol.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProbeTimeoutTest {
  private static final long R = 1_000_000;
  private static final long CAP = 1_000_000_000L;

  private static ProbeTimeout timeout(int multiplier, int factor, int jitterPercent, long seed) {
    return new ProbeTimeout(new ProbeTimeoutSettings(multiplier, factor, CAP, jitterPercent, seed));
  }

  private static RttEstimator rtt(long maxAckDelayNs) {
    final RttEstimator rtt = new RttEstimator(50 * R, maxAckDelayNs);
    rtt.onSample(R, 0);
    return rtt;
  }

  private static List<Long> intervals(ProbeTimeout timeout, RttEstimator rtt, int count) {
    final List<Long> intervals = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      intervals.add(timeout.intervalNs(rtt));
      timeout.onExpiry(rtt);
    }
    return intervals;
  }

  @Test
  void shouldStartWithThreeRoundTripsAndDouble() {
    assertEquals(List.of(3 * R, 6 * R, 12 * R, 24 * R), intervals(timeout(3, 2, 0, 0), rtt(0), 4));
  }

  @Test
  void shouldFollowMultiplierFactorAndThePeersDelay() {
    assertEquals(List.of(5 * R, 15 * R, 45 * R), intervals(timeout(5, 3, 0, 0), rtt(0), 3));
    assertEquals(List.of(4 * R, 8 * R, 16 * R), intervals(timeout(3, 2, 0, 0), rtt(R), 3));
    assertEquals(List.of(3 * R, 3 * R, 3 * R), intervals(timeout(3, 1, 0, 0), rtt(0), 3));
  }

  @Test
  void shouldUseTheInitialGuessBeforeTheFirstSample() {
    final RttEstimator guess = new RttEstimator(10 * R, 0);
    assertEquals(30 * R, timeout(3, 2, 0, 0).intervalNs(guess));
  }

  @Test
  void shouldNotGrowAboveTheCap() {
    final List<Long> intervals = intervals(timeout(3, 2, 0, 0), rtt(0), 60);
    assertEquals(768 * R, intervals.get(8));
    for (long interval : intervals.subList(9, 60)) {
      assertEquals(CAP, interval);
    }
  }

  @Test
  void shouldKeepAFirstIntervalAboveTheCap() {
    final RttEstimator slow = new RttEstimator(CAP, 0);
    assertEquals(List.of(3 * CAP, 3 * CAP, 3 * CAP), intervals(timeout(3, 2, 0, 0), slow, 3));
  }

  @Test
  void shouldStartOverOnceAPacketArrives() {
    final ProbeTimeout timeout = timeout(3, 2, 0, 0);
    final RttEstimator rtt = rtt(0);
    intervals(timeout, rtt, 5);
    assertEquals(5, timeout.expiriesInRow());
    timeout.onPacketReceived();
    assertEquals(0, timeout.expiriesInRow());
    assertEquals(List.of(3 * R, 6 * R), intervals(timeout, rtt, 2));
  }

  @Test
  void shouldFollowTheRoundTripTimeWhileBackingOff() {
    final ProbeTimeout timeout = timeout(3, 2, 0, 0);
    final RttEstimator rtt = rtt(0);
    timeout.onExpiry(rtt);
    rtt.onSample(9 * R, 0);
    assertEquals(12 * R, timeout.intervalNs(rtt));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, -1, 77})
  void shouldBeLongerByUpToTenPercentAndNeverShorter(long seed) {
    final ProbeTimeout timeout = timeout(3, 1, 10, seed);
    final RttEstimator rtt = rtt(0);
    long least = Long.MAX_VALUE;
    long most = 0;
    final Set<Long> different = new HashSet<>();
    for (long interval : intervals(timeout, rtt, 1000)) {
      least = Math.min(least, interval);
      most = Math.max(most, interval);
      different.add(interval);
    }
    assertTrue(least >= 3 * R && least < 3 * R * 101 / 100, "least " + least);
    assertTrue(most <= 3 * R * 11 / 10 && most > 3 * R * 108 / 100, "most " + most);
    assertTrue(different.size() > 80, "different " + different.size());
  }

  @Test
  void shouldStrayTheSameWayForTheSameSeedAndAnotherForAnother() {
    final RttEstimator rtt = rtt(0);
    final List<Long> first = intervals(timeout(3, 2, 10, 5), rtt, 8);
    assertEquals(first, intervals(timeout(3, 2, 10, 5), rtt, 8));
    final List<Long> neighbour = intervals(timeout(3, 2, 10, 6), rtt, 8);
    assertTrue(!first.equals(neighbour) && !first.get(1).equals(neighbour.get(0) * 2));
  }

  @Test
  void shouldKeepAnIntervalWhileNothingHappens() {
    final ProbeTimeout timeout = timeout(3, 2, 10, 5);
    final RttEstimator rtt = rtt(0);
    final long interval = timeout.intervalNs(rtt);
    timeout.onPacketReceived();
    assertEquals(interval, timeout.intervalNs(rtt));
  }

  @Test
  void shouldRejectSettingsOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> timeout(0, 2, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> timeout(3, 0, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> timeout(3, 2, 51, 0));
    assertThrows(IllegalArgumentException.class, () -> new ProbeTimeoutSettings(3, 2, 0, 10, 0));
  }
}
