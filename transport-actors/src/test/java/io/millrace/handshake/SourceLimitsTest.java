package io.millrace.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.HandshakeLimits;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SourceLimitsTest {
  private static final long SECOND_NS = 1_000_000_000L;
  private static final int PER_PREFIX = 10;
  private static final int TOTAL = 25;

  /** Just ahead of where the clock turns negative. */
  private long nowNs = Long.MAX_VALUE - SECOND_NS / 2;

  private SourceLimits limits = limits(TOTAL);

  private static SourceLimits limits(int total) {
    return new SourceLimits(new HandshakeLimits(PER_PREFIX, total), new Random(5));
  }

  private static InetAddress address(String numeric) throws UnknownHostException {
    return InetAddress.getByName(numeric);
  }

  private int accepted(int asked, String source) throws UnknownHostException {
    int accepted = 0;
    for (int i = 0; i < asked; i++) {
      accepted += limits.tryAcquire(address(source), nowNs) ? 1 : 0;
    }
    return accepted;
  }

  @Test
  void shouldLimitOnePrefixAndNotItsNeighbour() throws UnknownHostException {
    assertEquals(PER_PREFIX, accepted(100, "192.0.2.1"));
    assertEquals(0, accepted(100, "192.0.2.255"));
    assertEquals(PER_PREFIX, accepted(100, "192.0.3.1"));
    assertEquals(300 - 2 * PER_PREFIX, limits.refused());
    nowNs += SECOND_NS / PER_PREFIX;
    assertEquals(1, accepted(100, "192.0.2.7"));
    nowNs += 10 * SECOND_NS;
    assertEquals(PER_PREFIX, accepted(100, "192.0.2.7"), "no more than a second's worth is saved");
  }

  @Test
  void shouldLimitAllOfThemTogether() throws UnknownHostException {
    int accepted = 0;
    for (int i = 0; i < 100; i++) {
      accepted += accepted(1, "198.51." + i + ".1");
    }
    assertEquals(TOTAL, accepted);
    nowNs += SECOND_NS;
    assertEquals(PER_PREFIX, accepted(100, "203.0.113.9"), "what was refused took no token");
  }

  @Test
  void shouldTakePrefixesOfBothFamilies() throws UnknownHostException {
    long site = SourceLimits.prefixOf(address("2001:db8:0:aa00::1"));
    assertEquals(site, SourceLimits.prefixOf(address("2001:db8:0:aaff:ffff::")));
    assertNotEquals(site, SourceLimits.prefixOf(address("2001:db8:0:ab00::1")));
    assertNotEquals(
        SourceLimits.prefixOf(address("0.0.0.1")), SourceLimits.prefixOf(address("::1")));
    assertNotEquals(0, SourceLimits.prefixOf(address("0.0.0.0")));
    assertNotEquals(0, SourceLimits.prefixOf(address("::")));
  }

  /** A stranger with more prefixes than buckets gets no bucket filled by its prefixes. */
  @Test
  void shouldGiveNothingToManyPrefixes() throws UnknownHostException {
    limits = limits(1_000_000);
    Map<Integer, Integer> accepted = new HashMap<>();
    int all = 0;
    for (int round = 0; round < 30; round++) {
      for (int i = 0; i < 4 * SourceLimits.BUCKETS; i++) {
        InetAddress source =
            InetAddress.getByAddress(ByteBuffer.allocate(4).putInt(0x0A000000 | i << 8).array());
        if (limits.tryAcquire(source, nowNs)) {
          accepted.merge(i, 1, Integer::sum);
          all++;
        }
      }
    }
    int most = all;
    assertTrue(all <= SourceLimits.BUCKETS * PER_PREFIX, () -> most + " were accepted");
    assertTrue(accepted.values().stream().allMatch(count -> count <= PER_PREFIX));
    nowNs += SECOND_NS;
    assertTrue(limits.tryAcquire(address("203.0.113.9"), nowNs));
  }

  @Test
  void shouldNotBeginWithEmptyBuckets() throws UnknownHostException {
    nowNs = Long.MIN_VALUE / 2;
    assertTrue(limits.tryAcquire(address("192.0.2.1"), nowNs));
    assertFalse(limits.refused() > 0);
  }
}
