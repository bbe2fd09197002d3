package io.millrace.crypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.millrace.memory.SegmentBuffer;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every available provider keeps the contract of the packet cipher. */
class PacketCipherTest {
  private static final String KEY_128 = "feffe9928665731c6d6a8f9467308308";
  private static final String IV = "cafebabefacedbaddecaf888";
  private static final String KNOWN_HEADER = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
  private static final String BODY_64 =
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
          + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255";
  private static final String BODY_60 = BODY_64.substring(0, 120);
  private static final String ZEROS = "00".repeat(16);
  private static final String NO_IV = "00".repeat(12);

  private static final int HEADER = 24;
  private static final int TAG = PacketCipher.TAG_LENGTH;
  private static final int OFFSET = 13;

  static List<AeadProvider> available() {
    return AeadProviders.discover().all().stream()
        .filter(provider -> provider.probe() instanceof AeadAvailability.Available)
        .toList();
  }

  @Test
  void shouldFindTheProvidersOfThisMachine() {
    for (AeadProvider provider : AeadProviders.discover().all()) {
      System.out.println("AEAD " + provider.name() + ": " + provider.probe());
    }
    assertTrue(available().stream().anyMatch(provider -> provider.name().equals("jdk")));
  }

  /**
   * Cases 1 to 4 and 13 to 16 of the GCM specification, in the values of NIST's validation suite.
   */
  static Stream<String[]> knownAnswers() {
    return Stream.concat(knownAnswers128(), knownAnswers256());
  }

  private static Stream<String[]> knownAnswers128() {
    return Stream.of(
        new String[] {ZEROS + NO_IV, "", "", "58e2fccefa7e3061367f1d57a4e7455a"},
        new String[] {
          ZEROS + NO_IV,
          "",
          ZEROS,
          "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"
        },
        new String[] {
          KEY_128 + IV,
          "",
          BODY_64,
          "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
              + "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985"
              + "4d5c2af327cd64a62cf35abd2ba6fab4"
        },
        new String[] {
          KEY_128 + IV,
          KNOWN_HEADER,
          BODY_60,
          "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
              + "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
              + "5bc94fbc3221a5db94fae95ae7121a47"
        });
  }

  private static Stream<String[]> knownAnswers256() {
    return Stream.of(
        new String[] {ZEROS + ZEROS + NO_IV, "", "", "530f8afbc74536b9a963b4f1c4cb738b"},
        new String[] {
          ZEROS + ZEROS + NO_IV,
          "",
          ZEROS,
          "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
        },
        new String[] {
          KEY_128 + KEY_128 + IV,
          "",
          BODY_64,
          "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
              + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad"
              + "b094dac5d93471bdec1a502270e3cc6c"
        },
        new String[] {
          KEY_128 + KEY_128 + IV,
          KNOWN_HEADER,
          BODY_60,
          "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
              + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
              + "76fc6ece0f4e1768cddf8853bb2d551b"
        });
  }

  @ParameterizedTest
  @MethodSource("available")
  void shouldGiveTheKnownAnswers(AeadProvider provider) {
    HexFormat hex = HexFormat.of();
    knownAnswers()
        .forEach(
            answer -> {
              byte[] header = hex.parseHex(answer[1]);
              byte[] body = hex.parseHex(answer[2]);
              SegmentBuffer buffer = nativeBuffer(header.length + body.length + TAG);
              buffer.putBytes(0, header);
              buffer.putBytes(header.length, body);
              try (AeadKey key = new AeadKey(hex.parseHex(answer[0]));
                  PacketCipher sealer = provider.cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT);
                  PacketCipher opener = provider.cipher(key, CipherUse.OPEN, KeyLimits.DEFAULT)) {
                sealer.seal(buffer, 0, header.length, body.length, 0);
                assertEquals(answer[1] + answer[3], hex.formatHex(bytes(buffer)));
                assertTrue(opener.open(buffer, 0, header.length, body.length, 0));
                assertEquals(answer[2], hex.formatHex(bytes(buffer, header.length, body.length)));
              }
            });
  }

  @ParameterizedTest
  @MethodSource("available")
  void shouldMakeNoncesAsTlsDoes(AeadProvider provider) throws GeneralSecurityException {
    Random random = new Random(12);
    for (long number : new long[] {0, 1, 0x0102030405060708L, PacketCipher.MAX_PACKET_NUMBER}) {
      byte[] material = randomBytes(random, 16 + AeadKey.IV_LENGTH);
      byte[] packet = randomBytes(random, HEADER + 50);
      SegmentBuffer buffer = nativeBuffer(packet.length + TAG);
      buffer.putBytes(0, packet);
      byte[] nonce = Arrays.copyOfRange(material, 16, 28);
      for (int i = 0; i < Long.BYTES; i++) {
        nonce[11 - i] ^= (byte) (number >>> 8 * i);
      }
      Cipher reference = Cipher.getInstance("AES/GCM/NoPadding", "SunJCE");
      reference.init(
          Cipher.ENCRYPT_MODE,
          new SecretKeySpec(material, 0, 16, "AES"),
          new GCMParameterSpec(128, nonce));
      reference.updateAAD(packet, 0, HEADER);
      byte[] expected = reference.doFinal(packet, HEADER, 50);
      try (AeadKey key = new AeadKey(material);
          PacketCipher sealer = provider.cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT)) {
        sealer.seal(buffer, 0, HEADER, 50, number);
        assertArrayEquals(expected, bytes(buffer, HEADER, 50 + TAG));
      }
    }
  }

  @Test
  void shouldOpenWhatAnyOtherProviderSealed() {
    long seed = 4_711;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int[] lengths =
        IntStream.concat(
                IntStream.rangeClosed(0, 300),
                IntStream.of(1_199, 1_200, 1_201, 8_899, 8_900, 8_901, 64_999, 65_000, 65_001))
            .toArray();
    for (AesKeySize size : AesKeySize.values()) {
      try (AeadKey key = randomKey(random, size)) {
        for (AeadProvider from : available()) {
          exchangeWithAll(random, key, from, lengths);
        }
      }
    }
  }

  private static void exchangeWithAll(
      Random random, AeadKey key, AeadProvider from, int[] lengths) {
    for (AeadProvider to : available()) {
      exchange(random, key, from, to, lengths);
    }
  }

  private static void exchange(
      Random random, AeadKey key, AeadProvider from, AeadProvider to, int[] lengths) {
    try (PacketCipher sealer = from.cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT);
        PacketCipher opener = to.cipher(key, CipherUse.OPEN, KeyLimits.DEFAULT)) {
      long number = 0;
      for (int length : lengths) {
        String what = from.name() + " to " + to.name() + ", " + length + " bytes";
        SegmentBuffer buffer = nativeBuffer(OFFSET + HEADER + length + TAG + 8);
        byte[] clear = randomBytes(random, buffer.capacity());
        buffer.putBytes(0, clear);
        number += 1 + random.nextInt(1 << 20);
        sealer.seal(buffer, OFFSET, HEADER, length, number);
        byte[] sealed = bytes(buffer);
        assertEqualRange(clear, sealed, 0, OFFSET + HEADER, what);
        assertEqualRange(clear, sealed, OFFSET + HEADER + length + TAG, clear.length, what);
        if (length >= 16) {
          assertFalse(
              Arrays.equals(
                  clear,
                  OFFSET + HEADER,
                  OFFSET + HEADER + 16,
                  sealed,
                  OFFSET + HEADER,
                  OFFSET + HEADER + 16),
              what);
        }
        assertTrue(opener.open(buffer, OFFSET, HEADER, length, number), what);
        assertEqualRange(clear, bytes(buffer), 0, OFFSET + HEADER + length, what);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("available")
  void shouldRejectEverySingleBitThatChanged(AeadProvider provider) {
    Random random = new Random(99);
    int body = 37;
    SegmentBuffer buffer = nativeBuffer(HEADER + body + TAG);
    buffer.putBytes(0, randomBytes(random, buffer.capacity()));
    try (AeadKey key = randomKey(random, AesKeySize.AES_128);
        PacketCipher sealer = provider.cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT);
        PacketCipher opener = provider.cipher(key, CipherUse.OPEN, KeyLimits.DEFAULT)) {
      sealer.seal(buffer, 0, HEADER, body, 5);
      byte[] sealed = bytes(buffer);
      for (int bit = 0; bit < sealed.length * 8; bit++) {
        byte[] forged = sealed.clone();
        forged[bit / 8] ^= (byte) (1 << bit % 8);
        buffer.putBytes(0, forged);
        assertFalse(opener.open(buffer, 0, HEADER, body, 5), "bit " + bit);
        assertArrayEquals(new byte[body], bytes(buffer, HEADER, body), "released at bit " + bit);
      }
      for (int bit = 0; bit < Long.SIZE; bit++) {
        buffer.putBytes(0, sealed);
        assertFalse(opener.open(buffer, 0, HEADER, body, 5 ^ 1L << bit), "number bit " + bit);
      }
      buffer.putBytes(0, sealed);
      assertFalse(opener.open(buffer, 0, HEADER - 1, body + 1, 5));
      buffer.putBytes(0, sealed);
      assertFalse(opener.open(buffer, 0, HEADER, body - 1, 5));
      buffer.putBytes(0, sealed);
      assertTrue(opener.open(buffer, 0, HEADER, body, 5));
    }
  }

  @ParameterizedTest
  @MethodSource("available")
  void shouldNeverSealTwiceUnderOneNonce(AeadProvider provider) {
    Random random = new Random(3);
    SegmentBuffer buffer = nativeBuffer(HEADER + 8 + TAG);
    try (AeadKey key = randomKey(random, AesKeySize.AES_128);
        PacketCipher sealer = provider.cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT)) {
      sealer.seal(buffer, 0, HEADER, 8, 10);
      byte[] before = bytes(buffer);
      for (long number : new long[] {10, 9, 0, -1, Long.MIN_VALUE, 1L << 62, Long.MAX_VALUE}) {
        assertThrows(
            IllegalStateException.class,
            () -> sealer.seal(buffer, 0, HEADER, 8, number),
            () -> "number " + number);
      }
      assertArrayEquals(before, bytes(buffer));
      assertEquals(1, sealer.sealedPackets());
      sealer.seal(buffer, 0, HEADER, 8, PacketCipher.MAX_PACKET_NUMBER);
      assertEquals(2, sealer.sealedPackets());
    }
  }

  @ParameterizedTest
  @MethodSource("available")
  void shouldRefuseMoreThanItsLimits(AeadProvider provider) {
    SegmentBuffer buffer = nativeBuffer(HEADER + 8 + TAG);
    try (AeadKey key = randomKey(new Random(3), AesKeySize.AES_128);
        PacketCipher byPackets = provider.cipher(key, CipherUse.SEAL, new KeyLimits(2, 1_000));
        PacketCipher byBytes = provider.cipher(key, CipherUse.SEAL, new KeyLimits(9, 63))) {
      byPackets.seal(buffer, 0, HEADER, 8, 0);
      byPackets.seal(buffer, 0, HEADER, 8, 1);
      assertFalse(byPackets.canSeal(0));
      assertThrows(IllegalStateException.class, () -> byPackets.seal(buffer, 0, HEADER, 8, 2));
      byBytes.seal(buffer, 0, HEADER, 8, 0);
      assertFalse(byBytes.canSeal(32));
      assertThrows(IllegalStateException.class, () -> byBytes.seal(buffer, 0, HEADER, 8, 1));
      byBytes.seal(buffer, 0, HEADER, 7, 2);
      assertEquals(63, byBytes.sealedBytes());
    }
  }

  @ParameterizedTest
  @MethodSource("available")
  void shouldStayWithinTheBufferAndItsUse(AeadProvider provider) {
    SegmentBuffer buffer = nativeBuffer(HEADER + 8 + TAG);
    try (AeadKey key = randomKey(new Random(3), AesKeySize.AES_128);
        PacketCipher sealer = provider.cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT);
        PacketCipher opener = provider.cipher(key, CipherUse.OPEN, KeyLimits.DEFAULT)) {
      int[][] outside = {
        {0, HEADER, 9},
        {1, HEADER, 8},
        {-1, HEADER, 8},
        {0, -1, 8},
        {0, HEADER, -1},
        {0, HEADER, Integer.MAX_VALUE},
        {0, HEADER, Integer.MAX_VALUE - TAG},
        {Integer.MAX_VALUE, 0, 0}
      };
      for (int[] range : outside) {
        assertThrowsOutside(() -> sealer.seal(buffer, range[0], range[1], range[2], 1));
        assertThrowsOutside(() -> opener.open(buffer, range[0], range[1], range[2], 1));
      }
      assertThrows(IllegalStateException.class, () -> opener.seal(buffer, 0, HEADER, 8, 1));
      assertThrows(IllegalStateException.class, () -> sealer.open(buffer, 0, HEADER, 8, 1));
    }
  }

  @ParameterizedTest
  @MethodSource("available")
  void shouldDoNothingOnceClosed(AeadProvider provider) {
    SegmentBuffer buffer = nativeBuffer(HEADER + 8 + TAG);
    AeadKey key = randomKey(new Random(3), AesKeySize.AES_128);
    PacketCipher sealer = provider.cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT);
    PacketCipher opener = provider.cipher(key, CipherUse.OPEN, KeyLimits.DEFAULT);
    for (int i = 0; i < 2; i++) {
      sealer.close();
      opener.close();
    }
    assertThrows(IllegalStateException.class, () -> sealer.seal(buffer, 0, HEADER, 8, 1));
    assertThrows(IllegalStateException.class, () -> opener.open(buffer, 0, HEADER, 8, 1));
  }

  private static void assertThrowsOutside(Executable call) {
    RuntimeException thrown = assertThrows(RuntimeException.class, call);
    assertTrue(
        thrown instanceof IndexOutOfBoundsException || thrown instanceof ArithmeticException,
        thrown::toString);
  }

  @ParameterizedTest
  @MethodSource("available")
  void shouldNotNeedTheKeyAfterwards(AeadProvider provider) {
    SegmentBuffer buffer = nativeBuffer(HEADER + 8 + TAG);
    AeadKey key = randomKey(new Random(3), AesKeySize.AES_256);
    PacketCipher sealer = provider.cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT);
    PacketCipher opener = provider.cipher(key, CipherUse.OPEN, KeyLimits.DEFAULT);
    key.close();
    sealer.seal(buffer, 0, HEADER, 8, 7);
    assertTrue(opener.open(buffer, 0, HEADER, 8, 7));
    sealer.close();
    opener.close();
  }

  static List<AeadProvider> natives() {
    return available().stream()
        .filter(provider -> provider.recordPreference() < provider.packetPreference())
        .toList();
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("natives")
  void shouldNotAllocateOnceItIsCompiled(AeadProvider provider) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    SegmentBuffer buffer = nativeBuffer(HEADER + 64 + TAG);
    try (AeadKey key = randomKey(new Random(3), AesKeySize.AES_128);
        PacketCipher sealer = provider.cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT);
        PacketCipher opener = provider.cipher(key, CipherUse.OPEN, KeyLimits.DEFAULT)) {
      long number = 0;
      long least = Long.MAX_VALUE;
      int wrong = 0;
      for (int round = 0; round < 60 && least > 0; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 10_000; i++) {
          sealer.seal(buffer, 0, HEADER, 64, ++number);
          wrong += opener.open(buffer, 0, HEADER, 64, number) ? 0 : 1;
        }
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      }
      assertEquals(0, wrong, "packets that did not open");
      assertEquals(0, least, "bytes per 10,000 packets");
    }
  }

  private static SegmentBuffer nativeBuffer(int length) {
    return new SegmentBuffer(ByteBuffer.allocateDirect(length));
  }

  private static AeadKey randomKey(Random random, AesKeySize size) {
    return new AeadKey(randomBytes(random, size.bytes() + AeadKey.IV_LENGTH));
  }

  private static byte[] randomBytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] bytes(SegmentBuffer buffer) {
    return bytes(buffer, 0, buffer.capacity());
  }

  private static byte[] bytes(SegmentBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(offset, bytes);
    return bytes;
  }

  private static void assertEqualRange(
      byte[] expected, byte[] actual, int from, int to, String what) {
    assertEquals(-1, Arrays.mismatch(expected, from, to, actual, from, to), what);
  }
}
