package io.millrace.handshake.psk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class PreSharedKeyTest {
  @Test
  void shouldReadHexadecimalDigits() {
    byte[] bytes = new byte[32];
    bytes[0] = (byte) 0xAB;
    assertArrayEquals(bytes, PreSharedKey.ofHex(" ab" + "00".repeat(31) + "\n").bytes());
  }

  @Test
  void shouldRefuseBadKeysWithoutQuotingThem() {
    IllegalArgumentException bad =
        assertThrows(IllegalArgumentException.class, () -> PreSharedKey.ofHex("secretsecret"));
    assertEquals("a pre-shared key is written in hexadecimal digits", bad.getMessage());
    assertNull(bad.getCause());
    assertEquals(
        "a pre-shared key has at least 32 bytes, this one has 31",
        assertThrows(IllegalArgumentException.class, () -> PreSharedKey.ofHex("ab".repeat(31)))
            .getMessage());
    assertFalse(PreSharedKey.ofHex("ab".repeat(32)).toString().contains("ab"));
  }

  @Test
  void shouldRefuseSettingsOutOfRange() {
    PreSharedKey key = PskNode.KEY;
    assertThrows(
        IllegalArgumentException.class,
        () -> new PskSettings(key, 0, -1, PskTimes.DEFAULT, PskLimits.DEFAULT));
    assertThrows(
        IllegalArgumentException.class,
        () -> new PskSettings(key, 0, 65_535, PskTimes.DEFAULT, PskLimits.DEFAULT));
    assertThrows(IllegalArgumentException.class, () -> new PskTimes(0, 1, 1, 2));
    assertThrows(IllegalArgumentException.class, () -> new PskTimes(1, 2, 1, 2));
    assertThrows(IllegalArgumentException.class, () -> new PskLimits(1, 1, 0, 1, 1));
  }
}
