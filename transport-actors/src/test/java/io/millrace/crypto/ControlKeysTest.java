package io.millrace.crypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ControlKeysTest {
  private static final int[] WORKERS = {0, 1, 255};
  private static final int[] KEY_IDS = {0, 1, 256, -1};
  private static final byte[] SECRET = new byte[32];

  static {
    for (int i = 0; i < SECRET.length; i++) {
      SECRET[i] = (byte) (255 - i);
    }
  }

  @Test
  void shouldMatchAnIndependentDerivation() {
    ControlKeys keys = new ControlKeys(new PathSecret(SECRET), AesKeySize.AES_256);
    byte[] context = {1, 3, (byte) 250, (byte) 0x80, 1, 2, 3};
    byte[] expected = IndependentHkdf.expandLabel(SECRET, "control key", context, 44);
    AeadKey key =
        keys.derive(PathDirection.RESPONDER_TO_INITIATOR, new WorkerPair(3, 250), 0x80010203);
    assertArrayEquals(Arrays.copyOf(expected, 32), key.key());
    assertArrayEquals(Arrays.copyOfRange(expected, 32, 44), key.nonce());
    assertEquals(AesKeySize.AES_256, key.size());
  }

  @Test
  void shouldGiveEveryDirectionWorkerKeyIdAndSizeItsOwnKey() {
    Set<String> seen = new HashSet<>();
    int made = 0;
    for (AesKeySize size : AesKeySize.values()) {
      ControlKeys keys = new ControlKeys(new PathSecret(SECRET), size);
      for (int i = 0; i < 2 * 3 * 3 * 4; i++) {
        PathDirection direction = PathDirection.values()[i % 2];
        WorkerPair pair = new WorkerPair(WORKERS[i / 2 % 3], WORKERS[i / 6 % 3]);
        AeadKey key = keys.derive(direction, pair, KEY_IDS[i / 18]);
        seen.add(HexFormat.of().formatHex(key.key(), 0, 16));
        seen.add(HexFormat.of().formatHex(key.nonce()));
        made++;
      }
      assertEquals(made, keys.derivations() * (size == AesKeySize.AES_128 ? 1 : 2));
    }
    assertEquals(2 * made, seen.size());
  }

  @Test
  void shouldOverwriteClosedKeysAndNeverPrintThem() {
    ControlKeys keys = new ControlKeys(new PathSecret(SECRET), AesKeySize.AES_128);
    AeadKey key = keys.derive(PathDirection.INITIATOR_TO_RESPONDER, new WorkerPair(0, 0), 0);
    assertEquals("AeadKey[AES_128, redacted]", key.toString());
    key.close();
    assertArrayEquals(new byte[16], key.key());
    assertArrayEquals(new byte[12], key.nonce());
  }

  @Test
  void shouldDeriveNothingFromAClosedSecret() {
    PathSecret secret = new PathSecret(SECRET);
    ControlKeys keys = new ControlKeys(secret, AesKeySize.AES_128);
    secret.close();
    assertThrows(
        IllegalStateException.class,
        () -> keys.derive(PathDirection.INITIATOR_TO_RESPONDER, new WorkerPair(0, 0), 0));
  }

  @Test
  void shouldTellDirectionsByWhoBeganTheHandshake() {
    assertEquals(PathDirection.INITIATOR_TO_RESPONDER, PathDirection.sending(true));
    assertEquals(PathDirection.INITIATOR_TO_RESPONDER, PathDirection.receiving(false));
    assertEquals(PathDirection.RESPONDER_TO_INITIATOR, PathDirection.sending(false));
    assertEquals(PathDirection.RESPONDER_TO_INITIATOR, PathDirection.receiving(true));
  }

  @Test
  void shouldRefuseWorkersAndKeyLengthsOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> new WorkerPair(-1, 0));
    assertThrows(IllegalArgumentException.class, () -> new WorkerPair(0, 256));
    assertThrows(IllegalArgumentException.class, () -> new AeadKey(new byte[27]));
    assertThrows(IllegalArgumentException.class, () -> new AeadKey(new byte[36]));
    assertThrows(IllegalArgumentException.class, () -> new KeyLimits(0, 1));
    assertThrows(IllegalArgumentException.class, () -> new KeyLimits((1 << 23) + 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new KeyLimits(1, (64L << 30) + 1));
    assertEquals(new KeyLimits(1 << 23, 64L << 30), KeyLimits.DEFAULT);
  }
}
