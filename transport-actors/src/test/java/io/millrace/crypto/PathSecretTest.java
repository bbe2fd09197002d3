package io.millrace.crypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PathSecretTest {
  private static final byte[] BYTES = new byte[32];

  static {
    for (int i = 0; i < BYTES.length; i++) {
      BYTES[i] = (byte) (i * 7 + 1);
    }
  }

  @Test
  void shouldDeriveItsPathIdFromTheSecret() {
    PathSecret secret = new PathSecret(BYTES);
    byte[] expected = IndependentHkdf.expandLabel(BYTES, "path id", new byte[0], 8);
    assertEquals(ByteBuffer.wrap(expected).getLong(), secret.pathId());
    byte[] other = BYTES.clone();
    other[31] ^= 1;
    assertNotEquals(secret.pathId(), new PathSecret(other).pathId());
  }

  @Test
  void shouldKeepItsOwnCopy() {
    byte[] given = BYTES.clone();
    PathSecret secret = new PathSecret(given);
    Arrays.fill(given, (byte) 0);
    assertArrayEquals(
        IndependentHkdf.expandLabel(BYTES, "x", new byte[] {1}, 28),
        secret.derive("x", new byte[] {1}, 28));
  }

  @Test
  void shouldDeriveNothingOnceClosed() {
    PathSecret secret = new PathSecret(BYTES);
    long id = secret.pathId();
    secret.close();
    secret.close();
    assertThrows(IllegalStateException.class, () -> secret.derive("x", new byte[0], 16));
    assertEquals(id, secret.pathId());
  }

  @Test
  void shouldNeverPrintTheSecret() {
    PathSecret secret = new PathSecret(BYTES);
    String printed = secret.toString();
    assertFalse(printed.contains(HexFormat.of().formatHex(BYTES, 0, 4)), printed);
    assertEquals(
        "PathSecret[pathId=" + HexFormat.of().toHexDigits(secret.pathId()) + ", secret redacted]",
        printed);
  }

  @Test
  void shouldRefuseOtherLengths() {
    assertThrows(IllegalArgumentException.class, () -> new PathSecret(new byte[31]));
    assertThrows(IllegalArgumentException.class, () -> new PathSecret(new byte[33]));
  }
}
