package io.millrace.protocol.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A Bbr without a path: the initial state and the effects of single inputs. */
class BbrTest {
  private static final int DATAGRAM = 1200;
  private static final long RTT = 10_000_000;

  private final Bbr bbr = new Bbr(BbrSettings.forPath(DATAGRAM, 65_536, RTT, 2, 1_000_000, 1));

  private void sendAndAck(long number, long sentNs, long nowNs) {
    bbr.onSent(number, DATAGRAM, DATAGRAM, sentNs);
    bbr.onAcked(number, DATAGRAM, sentNs, nowNs);
    bbr.onAckEnd(DATAGRAM, nowNs - sentNs, nowNs - sentNs, nowNs - sentNs, nowNs);
  }

  @Test
  void shouldStartWithTenDatagramsAtOnceAndThenPaced() {
    assertEquals(10 * DATAGRAM, bbr.windowBytes());
    final long burst = bbr.pacingRateBytesPerSecond();
    assertTrue(burst >= 10 * DATAGRAM * 10_000L);
    for (int i = 0; i < 10; i++) {
      assertEquals(burst, bbr.pacingRateBytesPerSecond());
      bbr.onSent(i, DATAGRAM, (i + 1L) * DATAGRAM, 0);
    }
    assertEquals((long) (2.77 * 10 * DATAGRAM * 100), bbr.pacingRateBytesPerSecond());
  }

  @Test
  void shouldPaceByTheFirstRoundTripIfItIsShorterThanExpected() {
    sendAndAck(0, 0, RTT / 100);
    for (int i = 1; i <= 10; i++) {
      bbr.onSent(i, DATAGRAM, (long) i * DATAGRAM, RTT);
    }
    assertTrue(bbr.pacingRateBytesPerSecond() >= (long) (2.76 * 10 * DATAGRAM * 10_000));
  }

  @Test
  void shouldKeepFourDatagramsOfThePresentSize() {
    bbr.onDatagramBytes(8972);
    assertEquals(4 * 8972, bbr.windowBytes());
  }

  @Test
  void shouldShrinkToWhatIsInFlightOnPersistentCongestionAndComeBack() {
    for (int i = 0; i < 10; i++) {
      bbr.onSent(i, DATAGRAM, (i + 1L) * DATAGRAM, 0);
    }
    for (int i = 0; i < 8; i++) {
      bbr.onLost(i, DATAGRAM, 0, RTT * 10);
    }
    bbr.onPersistentCongestion(RTT * 10);
    assertEquals(3 * DATAGRAM, bbr.windowBytes());
    bbr.onSent(10, DATAGRAM, 3 * DATAGRAM, RTT * 11);
    bbr.onAcked(10, DATAGRAM, RTT * 11, RTT * 12);
    bbr.onAckEnd(3 * DATAGRAM, RTT, RTT, RTT, RTT * 12);
    assertTrue(bbr.windowBytes() >= 10 * DATAGRAM);
  }

  @Test
  void shouldNotCountLostSizeProbeAsLossButAsGone() {
    bbr.onSent(0, 8972, 8972, 0);
    bbr.onDiscarded(0, 8972);
    assertEquals(0, bbr.inFlightBytes());
    assertEquals(10 * DATAGRAM, bbr.windowBytes());
  }

  @Test
  void shouldRejectSettingsOutOfRange() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new BbrSettings(0, 12_000, 1 << 20, 65_536, RTT, 2, 0, 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> new BbrSettings(1200, 4799, 1 << 20, 65_536, RTT, 2, 0, 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> new BbrSettings(1200, 4800, 4799, 65_536, RTT, 2, 0, 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> new BbrSettings(1200, 4800, 1 << 20, 65_536, 0, 2, 0, 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> new BbrSettings(1200, 4800, 1 << 20, 65_536, RTT, 2, -1, 1));
  }
}
