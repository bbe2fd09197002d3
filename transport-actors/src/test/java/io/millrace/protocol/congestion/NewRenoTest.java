package io.millrace.protocol.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class NewRenoTest {
  private static final int DATAGRAM = 1200;
  private static final long RTT = 1_000_000;
  private static final NewRenoSettings SETTINGS =
      new NewRenoSettings(DATAGRAM, 12_000, 6000, 1 << 20, false);

  private final NewReno reno = new NewReno(SETTINGS);

  /** Acknowledges bytes sent at a time, with these bytes in flight before. */
  private void ack(int bytes, long sentNs, long inFlight) {
    reno.onAcked(0, bytes, sentNs, sentNs + RTT);
    reno.onAckEnd(inFlight, RTT, RTT, RTT, sentNs + RTT);
  }

  @Test
  void shouldStartAsRfc9002Says() {
    assertEquals(12_000, NewRenoSettings.forPath(1200, 65_536).initialWindowBytes());
    assertEquals(14_720, NewRenoSettings.forPath(1472, 65_536).initialWindowBytes());
    assertEquals(14_720, NewRenoSettings.forPath(4400, 65_536).initialWindowBytes());
    assertEquals(17_944, NewRenoSettings.forPath(8972, 65_536).initialWindowBytes());
    assertEquals(12_000, reno.windowBytes());
    assertEquals(0, reno.pacingRateBytesPerSecond());
  }

  @Test
  void shouldGrowByWhatWasAcknowledgedInSlowStart() {
    assertTrue(reno.isSlowStart());
    ack(2400, 1, 12_000);
    assertEquals(14_400, reno.windowBytes());
    ack(14_400, 2, 14_400);
    assertEquals(28_800, reno.windowBytes());
  }

  @Test
  void shouldNotGrowWhileTheApplicationLeavesTheWindowUnused() {
    ack(1200, 1, 5999);
    assertEquals(12_000, reno.windowBytes());
    ack(1200, 1, 6000);
    assertEquals(13_200, reno.windowBytes());
  }

  @Test
  void shouldGrowAndShrinkInDatagramsOfThePresentSize() {
    reno.onDatagramBytes(8972);
    assertEquals(17_944, reno.windowBytes());
    reno.onLost(0, 8972, 10, 100);
    assertEquals(17_944, reno.windowBytes());
    ack(17_944, 101, 17_944);
    assertEquals(17_944 + 8972, reno.windowBytes());
    reno.onDatagramBytes(1200);
    reno.onPersistentCongestion(200);
    assertEquals(2400, reno.windowBytes());
  }

  @Test
  void shouldHalveOnceForAllLossesOfARoundTrip() {
    reno.onLost(0, DATAGRAM, 10, 100);
    reno.onLost(1, DATAGRAM, 11, 100);
    reno.onLost(2, DATAGRAM, 100, 150);
    assertEquals(6000, reno.windowBytes());
    assertFalse(reno.isSlowStart());
    reno.onLost(3, DATAGRAM, 101, 300);
    assertEquals(3000, reno.windowBytes());
    reno.onLost(4, DATAGRAM, 301, 400);
    assertEquals(2400, reno.windowBytes());
    reno.onLost(5, DATAGRAM, 401, 500);
    assertEquals(2400, reno.windowBytes());
  }

  @Test
  void shouldTreatMarksLikeLosses() {
    reno.onEcnCe(3, 10, 100);
    reno.onLost(0, DATAGRAM, 50, 120);
    reno.onEcnCe(1, 99, 130);
    assertEquals(6000, reno.windowBytes());
  }

  @Test
  void shouldNotGrowByWhatWasSentBeforeTheReduction() {
    reno.onLost(0, DATAGRAM, 10, 100);
    ack(6000, 100, 6000);
    assertEquals(6000, reno.windowBytes());
  }

  @Test
  void shouldNotGrowByTheFrameThatProvedALoss() {
    reno.onAcked(1, DATAGRAM, 20, 100);
    reno.onLost(0, DATAGRAM, 10, 100);
    reno.onAckEnd(12_000, RTT, RTT, RTT, 100);
    assertEquals(6000, reno.windowBytes());
    for (int i = 0; i < 4; i++) {
      ack(DATAGRAM, 101 + i, 6000);
    }
    assertEquals(6000, reno.windowBytes());
  }

  @Test
  void shouldGrowByOneDatagramPerWindowAfterAReduction() {
    reno.onLost(0, DATAGRAM, 10, 100);
    for (int i = 0; i < 4; i++) {
      ack(DATAGRAM, 101 + i, 6000);
      assertEquals(6000, reno.windowBytes());
    }
    ack(DATAGRAM, 200, 6000);
    assertEquals(7200, reno.windowBytes());
    for (int i = 0; i < 6; i++) {
      assertEquals(7200, reno.windowBytes());
      ack(DATAGRAM, 201 + i, 7200);
    }
    assertEquals(8400, reno.windowBytes());
  }

  @Test
  void shouldNotGrowUnusedAfterAReductionEither() {
    reno.onLost(0, DATAGRAM, 10, 100);
    for (int i = 0; i < 100; i++) {
      ack(DATAGRAM, 101 + i, 2999);
    }
    assertEquals(6000, reno.windowBytes());
  }

  @Test
  void shouldFallToTheMinimumOnPersistentCongestionAndStartSlowly() {
    reno.onLost(0, DATAGRAM, 10, 100);
    reno.onPersistentCongestion(100);
    assertEquals(2400, reno.windowBytes());
    assertTrue(reno.isSlowStart());
    ack(1200, 50, 2400);
    assertEquals(3600, reno.windowBytes());
  }

  @Test
  void shouldNotGrowAboveTheMaximum() {
    for (int i = 0; i < 20; i++) {
      ack((int) reno.windowBytes(), 1 + i, reno.windowBytes());
    }
    assertEquals(1 << 20, reno.windowBytes());
  }

  @Test
  void shouldRejectSettingsOutOfRange() {
    assertThrows(
        IllegalArgumentException.class, () -> new NewRenoSettings(0, 12_000, 6000, 1 << 20, true));
    assertThrows(
        IllegalArgumentException.class, () -> new NewRenoSettings(1200, 2399, 6000, 9999, true));
    assertThrows(
        IllegalArgumentException.class, () -> new NewRenoSettings(1200, 2400, -1, 9999, true));
    assertThrows(
        IllegalArgumentException.class, () -> new NewRenoSettings(1200, 2400, 6000, 2399, true));
  }

  private static void ackOne(NewReno paced, long sentNs, long inFlight) {
    paced.onAcked(0, DATAGRAM, sentNs, sentNs + RTT);
    paced.onAckEnd(inFlight, RTT, RTT, RTT, sentNs + RTT);
  }

  @Test
  void shouldPaceAtTwiceTheWindowInSlowStartAndAtFiveQuartersLater() {
    NewReno paced = new NewReno(SETTINGS.paced());
    ackOne(paced, 1, 12_000);
    assertEquals(13_200 * 1_000 * 2, paced.pacingRateBytesPerSecond());
    paced.onLost(1, DATAGRAM, 1, 2 + RTT);
    ackOne(paced, 3 + RTT, 6_600);
    assertEquals(6_600 * 1_000 * 5 / 4, paced.pacingRateBytesPerSecond());
  }

  @Test
  void shouldNotPaceWhatLeavesTheWindowUnused() {
    NewReno paced = new NewReno(SETTINGS.paced());
    ackOne(paced, 1, 2_400);
    assertEquals(0, paced.pacingRateBytesPerSecond());
    ackOne(paced, 2, 12_000);
    assertTrue(paced.pacingRateBytesPerSecond() > 0);
    paced.onApplicationLimited(2_400);
    assertEquals(0, paced.pacingRateBytesPerSecond());
    ackOne(paced, 3, 2_400);
    assertEquals(0, paced.pacingRateBytesPerSecond());
  }
}
