package io.millrace.crypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HkdfTest {
  private static final HexFormat HEX = HexFormat.of();

  @Test
  void shouldGiveWhatTheStandardGives() {
    byte[] key =
        Hkdf.extract(HEX.parseHex("000102030405060708090a0b0c"), HEX.parseHex("0b".repeat(22)));
    assertEquals(
        "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5", HEX.formatHex(key));
    assertEquals(
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
        HEX.formatHex(Hkdf.expand(key, HEX.parseHex("f0f1f2f3f4f5f6f7f8f9"), 42)));
  }

  @Test
  void shouldGiveWhatTheStandardGivesWithoutSaltAndInfo() {
    byte[] key = Hkdf.extract(new byte[0], HEX.parseHex("0b".repeat(22)));
    assertEquals(
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
        HEX.formatHex(Hkdf.expand(key, new byte[0], 42)));
  }

  @Test
  void shouldAgreeWithAnIndependentImplementation() {
    long seed = 20_260_101;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      byte[] salt = bytes(random, random.nextInt(80));
      byte[] input = bytes(random, 1 + random.nextInt(80));
      byte[] context = bytes(random, random.nextInt(256));
      int length = 1 + random.nextInt(200);
      byte[] key = Hkdf.extract(salt, input);
      assertArrayEquals(IndependentHkdf.extract(salt, input), key);
      assertArrayEquals(
          IndependentHkdf.expandLabel(key, "label " + round, context, length),
          Hkdf.expandLabel(key, "label " + round, context, length));
    }
  }

  @Test
  void shouldRefuseContextsThatTheirLengthByteCannotName() {
    byte[] key = new byte[32];
    assertThrows(
        IllegalArgumentException.class, () -> Hkdf.expandLabel(key, "x", new byte[256], 16));
    assertThrows(
        IllegalArgumentException.class,
        () -> Hkdf.expandLabel(key, "x".repeat(246), new byte[0], 16));
  }

  @Test
  void shouldTellRightTagsFromWrongOnes() {
    HmacSha256 mac = new HmacSha256(HEX.parseHex("0b".repeat(20)));
    byte[] tag = mac.tag("Hi ".getBytes(), "There".getBytes());
    assertEquals(
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7", HEX.formatHex(tag));
    assertTrue(mac.matches(tag, "Hi There".getBytes()));
    for (int bit = 0; bit < 256; bit++) {
      byte[] forged = tag.clone();
      forged[bit / 8] ^= (byte) (1 << bit % 8);
      assertFalse(mac.matches(forged, "Hi There".getBytes()));
    }
    assertFalse(mac.matches(new byte[0], "Hi There".getBytes()));
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
