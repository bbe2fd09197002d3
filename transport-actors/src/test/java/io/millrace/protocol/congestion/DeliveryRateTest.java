package io.millrace.protocol.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DeliveryRateTest {
  private static final long MS = 1_000_000;
  private static final int BYTES = 1000;

  private final DeliveryRate rate = new DeliveryRate();
  private long inFlight;

  private void send(long number, long nowNs) {
    inFlight += BYTES;
    rate.onSent(number, BYTES, inFlight, nowNs);
  }

  private void ack(long number, long sentNs, long nowNs) {
    inFlight -= BYTES;
    rate.onAcked(number, BYTES, sentNs, nowNs);
  }

  /** A packet goes and its acknowledgement comes, so that the start does not limit samples. */
  private void begin() {
    send(0, 0);
    ack(0, 0, 10 * MS);
    rate.complete();
    rate.clear();
  }

  @Test
  void shouldMeasureOverTheLongerOfSendingAndAcknowledging() {
    begin();
    send(1, 100 * MS);
    send(2, 105 * MS);
    ack(1, 100 * MS, 110 * MS);
    ack(2, 105 * MS, 115 * MS);
    rate.complete();
    assertEquals(2000 * 1000 / 15, rate.bytesPerSecond());
    assertEquals(10 * MS, rate.rttNs());
    rate.clear();

    send(3, 115 * MS);
    send(4, 155 * MS);
    ack(3, 115 * MS, 165 * MS);
    ack(4, 155 * MS, 165 * MS);
    rate.complete();
    assertEquals(2000 * 1000 / 50, rate.bytesPerSecond(), "sending took longer");
  }

  @Test
  void shouldForgetAPacketAcknowledgedInItsOwnTurnWithoutASample() {
    begin();
    send(1, 100 * MS);
    ack(1, 100 * MS, 100 * MS);
    rate.complete();
    assertFalse(rate.hasSample());
    assertEquals(-1, rate.inFlightAtSend(1));
  }

  @Test
  void shouldNotBelieveSampleShorterThanAnyRoundTrip() {
    begin();
    send(1, 100 * MS);
    ack(1, 100 * MS, 110 * MS);
    send(2, 110 * MS);
    rate.complete();
    rate.clear();
    ack(2, 110 * MS, 119 * MS);
    rate.complete();
    assertTrue(rate.bytesPerSecond() > 0);
    rate.clear();
    send(3, 200 * MS);
    send(4, 201 * MS);
    ack(3, 200 * MS, 215 * MS);
    rate.complete();
    rate.clear();
    send(5, 215 * MS);
    ack(5, 215 * MS, 221 * MS);
    rate.complete();
    assertEquals(6 * MS, rate.rttNs());
    assertTrue(rate.bytesPerSecond() > 0);
  }

  @Test
  void shouldMarkWhatLeavesUntilAllThatWasInFlightIsDelivered() {
    send(0, 0);
    ack(0, 0, 10 * MS);
    rate.complete();
    assertTrue(rate.isLimitedSample(), "at first");
    rate.clear();
    send(1, 20 * MS);
    rate.onLimited(inFlight);
    send(2, 21 * MS);
    ack(1, 20 * MS, 30 * MS);
    rate.complete();
    assertFalse(rate.isLimitedSample());
    assertTrue(rate.isLimited());
    rate.clear();
    send(3, 30 * MS);
    ack(2, 21 * MS, 31 * MS);
    rate.complete();
    assertTrue(rate.isLimitedSample());
    assertFalse(rate.isLimited());
    rate.clear();
    send(4, 31 * MS);
    ack(3, 30 * MS, 40 * MS);
    rate.complete();
    assertTrue(rate.isLimitedSample());
    rate.clear();
    ack(4, 31 * MS, 41 * MS);
    rate.complete();
    assertFalse(rate.isLimitedSample());
  }

  @Test
  void shouldKeepAllPacketsInFlightHoweverMany() {
    begin();
    for (int i = 1; i <= 5000; i++) {
      send(3L * i, i * 1000L);
    }
    for (int i = 1; i <= 5000; i++) {
      assertEquals((long) BYTES * i, rate.inFlightAtSend(3L * i), "packet " + i);
    }
    rate.onLost(BYTES);
    assertEquals(BYTES, rate.lostSince(3));
    rate.forget(3);
    assertEquals(-1, rate.inFlightAtSend(3));
    ack(15_000, 5_000_000, 20 * MS);
    rate.complete();
    assertEquals(5000 * BYTES, rate.sampleInFlightBytes());
    assertEquals(BYTES, rate.sampleLostBytes());
  }

  @Test
  void shouldTakeNoSampleFromPacketsThatAreNotKnown() {
    begin();
    rate.onAcked(77, BYTES, 0, 30 * MS);
    rate.complete();
    assertFalse(rate.hasSample());
    assertEquals(0, rate.bytesPerSecond());
    assertEquals(BYTES, rate.newlyAckedBytes());
  }
}
