package io.millrace.crypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import io.millrace.transfer.Protection;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records without enciphered bytes, or with an enciphered beginning only, by every provider. */
class AuthenticatedRecordTest {
  private static final int TAG = Records.TAG_BYTES;
  private static final int HEADERS = 19;
  private static final HexFormat HEX = HexFormat.of();

  static List<AeadProvider> available() {
    return PacketCipherTest.available();
  }

  /** From NIST's validation suite, gcmEncryptExtIV128 with 96 bits of IV and no plaintext. */
  @ParameterizedTest
  @MethodSource("available")
  void shouldGiveTheKnownAnswerOfGmac(AeadProvider provider) {
    byte[] data = HEX.parseHex("7a43ec1d9c0a5a78a0b16533a6213cab");
    SegmentBuffer packet = new SegmentBuffer(ByteBuffer.allocateDirect(data.length + TAG));
    packet.putBytes(0, data);
    byte[] material = HEX.parseHex("77be63708971c4e240d1cb79e8d77febe0e00f19fed7ba0136a797f3");
    try (AeadKey key = new AeadKey(material);
        PacketCipher sealer = provider.cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT)) {
      sealer.seal(packet, 0, data.length, 0, 0);
    }
    byte[] tag = new byte[TAG];
    packet.getBytes(data.length, tag);
    assertEquals("209fcc8d3675ed938e9c7166709dd946", HEX.formatHex(tag));
  }

  /**
   * Records of 100 bytes with no byte and with 19 bytes enciphered, made with OpenSSL by another
   * binding.
   */
  @ParameterizedTest
  @MethodSource("available")
  void shouldGiveTheKnownAnswers(AeadProvider provider) {
    String[][] answers = {
      {
        "5f3fab6e1b177b285ba98bd8aaf10050",
        "b9dfbe7bd2cfe71a75060dac74fb6b48afcde8948350bd0ee7a0be38edf81ef3de0801"
      },
      {
        "c0f6921b3dcf1a80db20dc2b52dc17e4",
        "afbe53d51790802696361e3188f778f60c678b78034b4a2076613388d819f0bd6e60fd"
      },
      {
        "6707d5cfcb48fbe0d9f49c2c448b9b2f",
        "16dcaee45bd21d2a356c1869bbf85f9b66e59d1024219dc03ed3faed32ca50f44c2689"
      },
      {
        "1e57cc2ccab75e3c48b992db9439ad06",
        "075b7416c2c724aa38ddb4bf49395c9c0983ddb4a65f9f0cbb3a0a7ec6dbb005e92559"
      }
    };
    byte[] plain = new byte[100];
    for (int i = 0; i < plain.length; i++) {
      plain[i] = (byte) (i * 7 + 3);
    }
    for (int i = 0; i < answers.length; i++) {
      byte[] key = new byte[i < 2 ? 16 : 32];
      for (int k = 0; k < key.length; k++) {
        key[k] = (byte) k;
      }
      long nonce = i % 2 == 0 ? 1 : 0x0102030405060708L;
      assertEquals(
          HEX.formatHex(plain) + answers[i][0],
          HEX.formatHex(sealed(provider, key, nonce, plain, 0)));
      String half = answers[i][1];
      assertEquals(
          half.substring(0, 2 * HEADERS)
              + HEX.formatHex(plain, HEADERS, plain.length)
              + half.substring(2 * HEADERS),
          HEX.formatHex(sealed(provider, key, nonce, plain, HEADERS)));
    }
  }

  /** With a cipher of its own for each record, because some ciphers refuse to use a nonce again. */
  private static byte[] sealed(
      AeadProvider provider, byte[] key, long nonce, byte[] plain, int secret) {
    byte[] sealed = new byte[plain.length + TAG];
    try (RecordCipher sealer = provider.recordCipher(key, CipherUse.SEAL)) {
      sealer.seal(nonce, plain, 0, plain.length, secret, sealed, 0);
    }
    return sealed;
  }

  @Test
  void shouldOpenWhatAnyOtherProviderSealed() {
    Random random = new Random(33);
    for (AeadProvider from : available()) {
      for (AeadProvider to : available()) {
        byte[] key = RecordCipherTest.bytes(random, random.nextBoolean() ? 16 : 32);
        try (RecordCipher sealer = from.recordCipher(key, CipherUse.SEAL);
            RecordCipher opener = to.recordCipher(key, CipherUse.OPEN)) {
          exchangeAll(sealer, opener, random);
        }
      }
    }
  }

  private static void exchangeAll(RecordCipher sealer, RecordCipher opener, Random random) {
    for (int length : new int[] {0, 1, 15, 16, 17, 1_000, 8_192, 65_535, Records.RECORD_BYTES}) {
      for (int secret : new int[] {0, 1, HEADERS, length - 1, length}) {
        exchange(sealer, opener, random, length, Math.clamp(secret, 0, length));
      }
    }
  }

  private static void exchange(
      RecordCipher sealer, RecordCipher opener, Random random, int length, int secret) {
    long nonce = random.nextLong() >>> 1;
    byte[] plain = RecordCipherTest.bytes(random, length + 9);
    byte[] sealed = new byte[length + TAG + 7];
    byte[] opened = new byte[length + 8];
    String what = secret + " of " + length;
    sealer.seal(nonce, plain, 4, length, secret, sealed, 3);
    assertArrayEquals(
        Arrays.copyOfRange(plain, 4 + secret, 4 + length),
        Arrays.copyOfRange(sealed, 3 + secret, 3 + length),
        what);
    assertTrue(opener.open(nonce, sealed, 3, length, secret, opened, 5), what);
    assertArrayEquals(
        Arrays.copyOfRange(plain, 4, 4 + length), Arrays.copyOfRange(opened, 5, 5 + length), what);
    assertArrayEquals(new byte[3], Arrays.copyOf(sealed, 3), what);
    assertArrayEquals(new byte[4], Arrays.copyOfRange(sealed, 3 + length + TAG, sealed.length));
    assertArrayEquals(new byte[5], Arrays.copyOf(opened, 5), what);
    assertArrayEquals(new byte[3], Arrays.copyOfRange(opened, 5 + length, opened.length), what);
  }

  /**
   * The tag binds the number of enciphered bytes: nobody turns one kind of record into the other
   * kind.
   */
  @ParameterizedTest
  @MethodSource("available")
  void shouldOpenARecordInNoOtherModeThanItsOwn(AeadProvider provider) {
    Random random = new Random(34);
    byte[] key = RecordCipherTest.bytes(random, 16);
    byte[] plain = RecordCipherTest.bytes(random, 320);
    int[] modes = {0, 1, 16, 160, 319, 320};
    try (RecordCipher opener = provider.recordCipher(key, CipherUse.OPEN)) {
      for (int sealedAs : modes) {
        byte[] sealed = sealed(provider, key, 7, plain, sealedAs);
        for (int openedAs : modes) {
          byte[] opened = RecordCipherTest.bytes(random, plain.length);
          boolean isRight = opener.open(7, sealed, 0, plain.length, openedAs, opened, 0);
          assertEquals(sealedAs == openedAs, isRight, sealedAs + " opened as " + openedAs);
          assertArrayEquals(isRight ? plain : new byte[plain.length], opened);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("available")
  void shouldReleaseNothingOfARecordWithAFlippedBit(AeadProvider provider) {
    Random random = new Random(35);
    byte[] key = RecordCipherTest.bytes(random, 16);
    byte[] plain = RecordCipherTest.bytes(random, 200);
    byte[] opened = new byte[plain.length];
    try (RecordCipher opener = provider.recordCipher(key, CipherUse.OPEN)) {
      for (int secret : new int[] {0, HEADERS}) {
        byte[] sealed = sealed(provider, key, 7, plain, secret);
        for (int bit = 0; bit < sealed.length * Byte.SIZE; bit++) {
          Arrays.fill(opened, (byte) 99);
          sealed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
          assertFalse(opener.open(7, sealed, 0, plain.length, secret, opened, 0), "bit " + bit);
          assertArrayEquals(new byte[plain.length], opened);
          sealed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        }
        assertFalse(opener.open(8, sealed, 0, plain.length, secret, opened, 0), "another nonce");
        assertTrue(opener.open(7, sealed, 0, plain.length, secret, opened, 0));
        assertArrayEquals(plain, opened);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("available")
  void shouldRefuseMoreSecretBytesThanThereAre(AeadProvider provider) {
    byte[] from = new byte[100];
    byte[] to = new byte[100];
    try (RecordCipher sealer = provider.recordCipher(new byte[16], CipherUse.SEAL);
        RecordCipher opener = provider.recordCipher(new byte[16], CipherUse.OPEN)) {
      for (int secret : new int[] {-1, 11, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
        assertThrows(
            IndexOutOfBoundsException.class, () -> sealer.seal(0, from, 0, 10, secret, to, 0));
        assertThrows(
            IndexOutOfBoundsException.class, () -> opener.open(0, from, 0, 10, secret, to, 0));
      }
    }
  }

  @Test
  void shouldEncipherTheHeadersAndAllElseOnlyIfSealed() {
    for (int length : new int[] {0, 1, 100, Records.RECORD_BYTES}) {
      assertEquals(length, Protection.SEALED.secretBytes(0, 0, length));
      assertEquals(length, Protection.SEALED.secretBytes(5, 1L << 40, length));
      assertEquals(0, Protection.AUTHENTICATED.secretBytes(0, 0, length));
      assertEquals(0, Protection.AUTHENTICATED.secretBytes(5, 1L << 40, length));
    }
    assertEquals(5, Protection.AUTHENTICATED.secretBytes(5, 0, 100));
    assertEquals(3, Protection.AUTHENTICATED.secretBytes(5, 2, 100));
    assertEquals(100, Protection.AUTHENTICATED.secretBytes(300, 100, 100));
    assertEquals(0, Protection.AUTHENTICATED.secretBytes(300, 300, 100));
  }
}
