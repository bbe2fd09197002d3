package io.millrace.crypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/**
 * The power of several holders of a data key over each other; the reason why covers protect
 * broadcasts.
 */
class SharedKeyTest {
  private static final int BLOCK = 16;
  private static final int LENGTH = 10 * BLOCK;

  private final AeadProvider provider = AeadProviders.discover().named("jdk");
  private final DataKeys keys =
      new DataKeys(AesKeySize.AES_128, KeyLimits.DEFAULT, 4, Long.MAX_VALUE, new Random(1));
  private final RecordSealer sealer = new RecordSealer(provider, 2);
  private final RecordOpener opener = new RecordOpener(provider, 2, 1_000);

  @Test
  void shouldGiveEveryPayloadAKeyOfItsOwn() {
    try (RecordRange first = keys.fresh(1);
        RecordRange second = keys.fresh(1);
        RecordRange ofOne = keys.reserve("one peer", 1)) {
      assertNotEquals(hex(first.dataKey()), hex(second.dataKey()));
      assertNotEquals(hex(first.dataKey()), hex(ofOne.dataKey()));
      assertNotEquals(hex(second.dataKey()), hex(ofOne.dataKey()));
    }
  }

  @Test
  void shouldLetAHolderOfTheKeyChangeARecordUnderTheSameTag() throws Exception {
    byte[] plain = new byte[LENGTH];
    new Random(2).nextBytes(plain);
    byte[] sealed = new byte[LENGTH + BLOCK];
    try (RecordRange range = keys.fresh(1)) {
      sealer.seal(range, plain, 0, LENGTH, sealed, 0);
      byte[] change = new byte[BLOCK];
      change[3] = 0x55;
      byte[] mended = product(change, hashKey(range.dataKey()));
      xor(sealed, 4 * BLOCK, change);
      byte[] opened = new byte[LENGTH];
      assertFalse(opener.open(range.dataKey(), 0, sealed, 0, LENGTH, opened, 0));
      xor(sealed, 5 * BLOCK, mended);
      assertTrue(opener.open(range.dataKey(), 0, sealed, 0, LENGTH, opened, 0));
      xor(plain, 4 * BLOCK, change);
      xor(plain, 5 * BLOCK, mended);
      assertArrayEquals(plain, opened);
    }
  }

  private static byte[] hashKey(byte[] key) throws Exception {
    // Enciphers a block of zeros, which gives GCM's hash key by definition.
    Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
    return cipher.doFinal(new byte[BLOCK]);
  }

  private static void xor(byte[] bytes, int at, byte[] with) {
    for (int i = 0; i < with.length; i++) {
      bytes[at + i] ^= with[i];
    }
  }

  /** The product in GCM's field: the first bit has the lowest power. */
  private static byte[] product(byte[] left, byte[] right) {
    byte[] sum = new byte[BLOCK];
    byte[] shifted = right.clone();
    for (int bit = 0; bit < BLOCK * Byte.SIZE; bit++) {
      if ((left[bit / Byte.SIZE] >> (Byte.SIZE - 1 - bit % Byte.SIZE) & 1) != 0) {
        xor(sum, 0, shifted);
      }
      boolean isCarried = (shifted[BLOCK - 1] & 1) != 0;
      byte[] half = new BigInteger(1, shifted).shiftRight(1).toByteArray();
      shifted = new byte[BLOCK];
      int length = Math.min(half.length, BLOCK);
      System.arraycopy(half, half.length - length, shifted, BLOCK - length, length);
      if (isCarried) {
        shifted[0] ^= (byte) 0xE1;
      }
    }
    return sum;
  }

  private static String hex(byte[] bytes) {
    return new BigInteger(1, bytes).toString(BLOCK);
  }
}
