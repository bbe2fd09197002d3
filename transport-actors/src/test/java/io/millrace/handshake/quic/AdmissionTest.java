package io.millrace.handshake.quic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.HandshakeLimits;
import io.millrace.handshake.SourceLimits;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The clients that may open connections, and the datagrams that reach the codec at all. */
final class AdmissionTest {
  private static final long SECOND_NS = 1_000_000_000L;
  private static final InetAddress ONE = InetAddress.ofLiteral("192.0.2.1");
  private static final InetAddress NEIGHBOUR = InetAddress.ofLiteral("192.0.2.200");
  private static final InetAddress ELSEWHERE = InetAddress.ofLiteral("198.51.100.1");
  private static final InetAddress SIX = InetAddress.ofLiteral("2001:db8:1::1");
  private static final InetAddress SIX_NEIGHBOUR = InetAddress.ofLiteral("2001:db8:1::2");

  private static final long NOW_NS = -SECOND_NS / 2;

  private static Admission admission(QuicLimits limits, int perPrefix) {
    return new Admission(
        limits, new SourceLimits(new HandshakeLimits(perPrefix, 1_000), new Random(1)));
  }

  private static boolean isWelcome(Admission admission, InetAddress address) {
    return admission.isWelcome(address, NOW_NS);
  }

  @Test
  void shouldBoundTheRateOfAPrefix() {
    Admission admission = admission(new QuicLimits(1, 10, 10), 2);
    assertTrue(isWelcome(admission, ONE));
    assertTrue(isWelcome(admission, NEIGHBOUR));
    assertFalse(isWelcome(admission, ONE));
    assertTrue(isWelcome(admission, ELSEWHERE));
    assertTrue(isWelcome(admission, SIX));
    assertTrue(admission.isWelcome(ONE, NOW_NS + SECOND_NS));
    assertEquals(1, admission.refused());
  }

  private static Admission.Place open(
      Admission admission, InetAddress address, String name, List<String> evicted) {
    return admission.onOpened(address, () -> evicted.add(name));
  }

  /** Rule Q-5. */
  @Test
  void shouldBoundTheConnectionsOfAPrefixAndOfAll() {
    Admission admission = admission(new QuicLimits(1, 4, 2), 100);
    List<String> evicted = new ArrayList<>();
    open(admission, ONE, "first", evicted);
    open(admission, SIX, "second", evicted);
    open(admission, SIX_NEIGHBOUR, "third", evicted);
    assertEquals(List.of(), evicted);
    open(admission, SIX, "fourth", evicted);
    assertEquals(List.of("second"), evicted, "the oldest of the network");
    Admission.Place fifth = open(admission, ELSEWHERE, "fifth", evicted);
    open(admission, NEIGHBOUR, "sixth", evicted);
    assertEquals(List.of("second", "first"), evicted, "the oldest of all");
    assertEquals(4, admission.open());
    admission.onClosed(fifth);
    admission.onClosed(fifth);
    assertEquals(3, admission.open());
    open(admission, ELSEWHERE, "seventh", evicted);
    assertEquals(2, evicted.size(), "there is room");
  }

  @Test
  void shouldLetOnlyPlausibleDatagramsThrough() {
    assertFalse(isPlausible(new byte[0]));
    assertFalse(isPlausible(new byte[6]));
    assertTrue(isPlausible(new byte[7]), "a short header, whose connection the codec looks up");
    for (int length = 7; length < 1_200; length++) {
      assertFalse(isPlausible(longHeader(0xC0, 1, length)), "Initial of " + length);
    }
    assertTrue(isPlausible(longHeader(0xC0, 1, 1_200)));
    assertTrue(isPlausible(longHeader(0xE0, 1, 60)), "Handshake");
    assertFalse(isPlausible(longHeader(0xC0, 2, 1_200)), "would make the codec negotiate");
    assertFalse(isPlausible(longHeader(0xC0, 0, 1_200)));
    assertFalse(isPlausible(longHeader(0xFF, 0x0A0A0A0A, 1_200)));
  }

  private static boolean isPlausible(byte[] datagram) {
    return QuicGate.isPlausible(Unpooled.wrappedBuffer(datagram));
  }

  private static byte[] longHeader(int first, int version, int length) {
    return ByteBuffer.allocate(length).put((byte) first).putInt(version).array();
  }
}
