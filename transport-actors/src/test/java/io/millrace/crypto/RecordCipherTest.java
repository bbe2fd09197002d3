package io.millrace.crypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every available provider keeps the contract of the record cipher. */
class RecordCipherTest {
  private static final int TAG = Records.TAG_BYTES;
  private static final String ZEROS = "00".repeat(16);

  static List<AeadProvider> available() {
    return PacketCipherTest.available();
  }

  /**
   * Cases 1, 2, 13 and 14 of the GCM specification: the cases with a nonce that a record can have.
   */
  @ParameterizedTest
  @MethodSource("available")
  void shouldGiveTheKnownAnswers(AeadProvider provider) {
    String[][] answers = {
      {ZEROS, "", "58e2fccefa7e3061367f1d57a4e7455a"},
      {ZEROS, ZEROS, "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"},
      {ZEROS + ZEROS, "", "530f8afbc74536b9a963b4f1c4cb738b"},
      {ZEROS + ZEROS, ZEROS, "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"}
    };
    HexFormat hex = HexFormat.of();
    for (String[] answer : answers) {
      byte[] key = hex.parseHex(answer[0]);
      byte[] plain = hex.parseHex(answer[1]);
      byte[] sealed = new byte[plain.length + TAG];
      try (RecordCipher sealer = provider.recordCipher(key, CipherUse.SEAL)) {
        sealer.seal(0, plain, 0, plain.length, sealed, 0);
      }
      assertEquals(answer[2], hex.formatHex(sealed));
    }
  }

  @ParameterizedTest
  @MethodSource("available")
  void shouldCountInTheLastEightBytesOfTheNonce(AeadProvider provider)
      throws GeneralSecurityException {
    Random random = new Random(31);
    for (int keyBytes : new int[] {16, 32}) {
      byte[] key = bytes(random, keyBytes);
      try (RecordCipher sealer = provider.recordCipher(key, CipherUse.SEAL)) {
        for (long nonce : new long[] {5, 4, 0x0102030405060708L, 1L << 32, Long.MAX_VALUE, 0}) {
          byte[] plain = bytes(random, 1 + random.nextInt(3_000));
          byte[] sealed = new byte[plain.length + TAG];
          sealer.seal(nonce, plain, 0, plain.length, sealed, 0);
          Cipher reference = Cipher.getInstance("AES/GCM/NoPadding", "SunJCE");
          reference.init(
              Cipher.ENCRYPT_MODE,
              new SecretKeySpec(key, "AES"),
              new GCMParameterSpec(128, ByteBuffer.allocate(12).putLong(4, nonce).array()));
          assertArrayEquals(reference.doFinal(plain), sealed, "nonce " + nonce);
        }
      }
    }
  }

  @Test
  void shouldOpenWhatAnyOtherProviderSealed() {
    long seed = 815;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int[] lengths = {0, 1, 15, 16, 17, 1_000, 8_191, 8_192, 65_535, Records.RECORD_BYTES};
    for (AeadProvider from : available()) {
      for (AeadProvider to : available()) {
        byte[] key = bytes(random, random.nextBoolean() ? 16 : 32);
        try (RecordCipher sealer = from.recordCipher(key, CipherUse.SEAL);
            RecordCipher opener = to.recordCipher(key, CipherUse.OPEN)) {
          IntStream.of(lengths).forEach(length -> exchange(sealer, opener, random, length));
        }
      }
    }
  }

  private static void exchange(
      RecordCipher sealer, RecordCipher opener, Random random, int length) {
    long nonce = random.nextLong() >>> 1;
    byte[] plain = bytes(random, length + 9);
    byte[] sealed = new byte[length + TAG + 7];
    byte[] opened = new byte[length + 8];
    sealer.seal(nonce, plain, 4, length, sealed, 3);
    assertTrue(opener.open(nonce, sealed, 3, length, opened, 5));
    assertArrayEquals(
        Arrays.copyOfRange(plain, 4, 4 + length), Arrays.copyOfRange(opened, 5, 5 + length));
    assertArrayEquals(new byte[3], Arrays.copyOf(sealed, 3), "written ahead of the record");
    assertArrayEquals(new byte[4], Arrays.copyOfRange(sealed, 3 + length + TAG, sealed.length));
    assertArrayEquals(new byte[5], Arrays.copyOf(opened, 5));
    assertArrayEquals(new byte[3], Arrays.copyOfRange(opened, 5 + length, opened.length));
  }

  @ParameterizedTest
  @MethodSource("available")
  void shouldReleaseNothingOfARecordWithAFlippedBit(AeadProvider provider) {
    Random random = new Random(3);
    byte[] key = bytes(random, 16);
    byte[] plain = bytes(random, 200);
    byte[] sealed = new byte[plain.length + TAG];
    byte[] opened = new byte[plain.length];
    try (RecordCipher sealer = provider.recordCipher(key, CipherUse.SEAL);
        RecordCipher opener = provider.recordCipher(key, CipherUse.OPEN)) {
      sealer.seal(7, plain, 0, plain.length, sealed, 0);
      for (int bit = 0; bit < sealed.length * Byte.SIZE; bit++) {
        Arrays.fill(opened, (byte) 99);
        sealed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        assertFalse(opener.open(7, sealed, 0, plain.length, opened, 0), "bit " + bit);
        assertArrayEquals(new byte[plain.length], opened);
        sealed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      }
      assertFalse(opener.open(8, sealed, 0, plain.length, opened, 0), "another nonce");
      assertFalse(opener.open(7, sealed, 0, plain.length - 1, opened, 0), "another length");
      assertTrue(opener.open(7, sealed, 0, plain.length, opened, 0), "a bad one does no harm");
      assertArrayEquals(plain, opened);
    }
  }

  @ParameterizedTest
  @MethodSource("available")
  void shouldStayWithinItsArraysAndItsUse(AeadProvider provider) {
    byte[] key = new byte[16];
    byte[] from = new byte[100];
    byte[] to = new byte[100];
    RecordCipher sealer = provider.recordCipher(key, CipherUse.SEAL);
    RecordCipher opener = provider.recordCipher(key, CipherUse.OPEN);
    int[][] outside = {
      {-1, 1, 0},
      {0, -1, 0},
      {0, 1, -1},
      {0, 101, 0},
      {0, 85, 0},
      {0, 84, 1},
      {17, 84, 0},
      {0, Records.RECORD_BYTES + 1, 0},
      {0, Integer.MAX_VALUE, 0},
      {Integer.MAX_VALUE, 1, 0}
    };
    for (int[] range : outside) {
      if (range[0] != 17) {
        assertThrows(
            IndexOutOfBoundsException.class,
            () -> sealer.seal(0, from, range[0], range[1], to, range[2]));
      }
      if (range[2] != 1) {
        assertThrows(
            IndexOutOfBoundsException.class,
            () -> opener.open(0, from, range[0], range[1], to, range[2]));
      }
    }
    assertThrows(IllegalArgumentException.class, () -> sealer.seal(0, from, 0, 1, from, 50));
    assertThrows(IllegalArgumentException.class, () -> opener.open(0, from, 0, 1, from, 50));
    assertThrows(IllegalStateException.class, () -> sealer.open(0, from, 0, 1, to, 0));
    assertThrows(IllegalStateException.class, () -> opener.seal(0, from, 0, 1, to, 0));
    sealer.close();
    sealer.close();
    opener.close();
    assertThrows(IllegalStateException.class, () -> sealer.seal(0, from, 0, 1, to, 0));
    assertThrows(IllegalStateException.class, () -> opener.open(0, from, 0, 1, to, 0));
  }

  @ParameterizedTest
  @MethodSource("available")
  void shouldTakeKeysOfTwoSizesAndCopyThem(AeadProvider provider) {
    for (int length : new int[] {0, 15, 17, 24, 31, 33, 64}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> provider.recordCipher(new byte[length], CipherUse.SEAL));
    }
    byte[] key = bytes(new Random(9), 16);
    byte[] copy = key.clone();
    byte[] sealed = new byte[10 + TAG];
    byte[] again = new byte[10 + TAG];
    RecordCipher sealer = provider.recordCipher(key, CipherUse.SEAL);
    Arrays.fill(key, (byte) 0);
    sealer.seal(1, new byte[10], 0, 10, sealed, 0);
    try (RecordCipher other = provider.recordCipher(copy, CipherUse.SEAL)) {
      other.seal(1, new byte[10], 0, 10, again, 0);
    }
    assertArrayEquals(again, sealed);
    sealer.close();
  }

  static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
