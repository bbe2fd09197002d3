package io.millrace.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AesKeySize;
import io.millrace.driver.EndpointAddress;
import io.millrace.wire.codec.AdvertEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class AdvertCodecTest {
  private static AdvertisedEndpoint endpoint(int worker, String family, String hex) {
    return new AdvertisedEndpoint(
        worker,
        new AdvertisedNic(worker % 8, worker > 0, worker % 128, worker * 1_000L),
        new EndpointAddress(family, HexFormat.of().parseHex(hex)));
  }

  private static final Advert SAMPLE =
      new Advert(
          3,
          -42,
          65_536,
          100,
          8_952,
          AesKeySize.AES_256,
          1_000,
          CreditTerms.ENDLESS,
          List.of(endpoint(0, "udp", "7f0000011d28"), endpoint(255, "efa", "fe80".repeat(16))),
          "node-1.example:7400",
          77);

  static Advert random(Random random) {
    List<AdvertisedEndpoint> endpoints = new ArrayList<>();
    for (int i = random.nextInt(Advert.MAX_ENDPOINTS + 1); i > 0; i--) {
      byte[] address = new byte[1 + random.nextInt(AdvertisedEndpoint.MAX_ADDRESS_LENGTH)];
      random.nextBytes(address);
      String family = "abcdefgh".substring(random.nextInt(8));
      endpoints.add(
          new AdvertisedEndpoint(
              random.nextInt(256),
              new AdvertisedNic(
                  random.nextInt(256),
                  random.nextBoolean(),
                  random.nextInt(129),
                  random.nextInt() >>> 1,
                  random.nextBoolean(),
                  random.nextBoolean(),
                  random.nextBoolean()),
              new EndpointAddress(family, address)));
    }
    return new Advert(
        random.nextInt(256),
        random.nextLong(),
        random.nextLong() >>> 1,
        random.nextInt() >>> 1,
        1 + (random.nextInt() >>> 2),
        random.nextBoolean() ? AesKeySize.AES_128 : AesKeySize.AES_256,
        random.nextInt() >>> 1,
        new CreditTerms(random.nextInt() >>> 1, random.nextInt() >>> 1),
        endpoints,
        "h\u00f6st-" + random.nextInt() + ":7400",
        random.nextLong());
  }

  @Test
  void shouldReadWhatItWrote() {
    assertEquals(SAMPLE, AdvertCodec.decode(AdvertCodec.encode(SAMPLE)));
    long seed = 31;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      Advert advert = random(random);
      byte[] bytes = AdvertCodec.encode(advert);
      assertEquals(advert, AdvertCodec.decode(bytes));
      assertEquals(bytes.length, AdvertCodec.encodedLength(advert));
    }
  }

  @Test
  void shouldKeepItsBytes() {
    Advert small =
        new Advert(
            1,
            -2,
            2,
            3,
            4,
            AesKeySize.AES_256,
            512,
            CreditTerms.ENDLESS,
            List.of(
                new AdvertisedEndpoint(
                    9,
                    new AdvertisedNic(1, true, 9, 9_000, true, true, true),
                    new EndpointAddress("udp", new byte[] {1, 2}))),
            "a:1",
            0x1234);
    assertEquals(
        "5e003e00"
            + "60010100"
            + "01"
            + "feffffffffffffff"
            + "0200000000000000"
            + "03000000"
            + "04000000"
            + "20"
            + "00020000"
            + "00000000"
            + "00000000"
            + "0000000000000000"
            + "0000000000000000"
            + "3412000000000000"
            + "08"
            + "01"
            + "09"
            + "01"
            + "1e"
            + "09"
            + "28230000"
            + "0300"
            + "756470"
            + "0200"
            + "0102"
            + "0300"
            + "613a31",
        HexFormat.of().formatHex(AdvertCodec.encode(small)));
  }

  /**
   * The bytes of an advert whose block is longer or shorter by {@code change} bytes than this
   * version's block.
   */
  private static byte[] withBlock(byte[] bytes, int change) {
    int blockEnd = 8 + AdvertEncoder.BLOCK_LENGTH;
    byte[] changed = new byte[bytes.length + change];
    System.arraycopy(bytes, 0, changed, 0, blockEnd + Math.min(0, change));
    System.arraycopy(
        bytes, blockEnd, changed, blockEnd + change, changed.length - blockEnd - change);
    ByteBuffer.wrap(changed)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putShort(0, (short) changed.length)
        .putShort(2, (short) (AdvertEncoder.BLOCK_LENGTH + change));
    return changed;
  }

  /** A block that ends ahead of the host. */
  private static final int HOST = -Long.BYTES;

  /** A block that ends ahead of the part about earlier paths. */
  private static final int PATHS = HOST - 2 * Long.BYTES;

  @Test
  void shouldReadWhatEarlierAndLaterVersionsWrite() {
    EarlierPath path = new EarlierPath(-5, 6);
    byte[] bytes = AdvertCodec.encode(SAMPLE, path);
    assertEquals(path, AdvertCodec.earlier(bytes));
    assertEquals(path, AdvertCodec.earlier(withBlock(bytes, 7)));
    Advert withoutHost = AdvertCodec.decode(withBlock(bytes, HOST));
    assertNotNull(withoutHost);
    assertEquals(Advert.UNKNOWN_HOST, withoutHost.host());
    assertEquals(path, AdvertCodec.earlier(withBlock(bytes, HOST)));
    assertEquals(new EarlierPath(-5, 0), AdvertCodec.earlier(withBlock(bytes, HOST - Long.BYTES)));
    assertEquals(EarlierPath.NONE, AdvertCodec.earlier(withBlock(bytes, PATHS)));
    Advert earlier = AdvertCodec.decode(withBlock(bytes, PATHS - Integer.BYTES));
    assertNotNull(earlier);
    assertEquals(SAMPLE.credit().lifetimeMs(), earlier.credit().lifetimeMs());
    assertEquals(0, earlier.credit().queueUs());
    Advert before = AdvertCodec.decode(withBlock(bytes, PATHS - 2 * Integer.BYTES));
    assertNotNull(before);
    assertEquals(CreditTerms.ENDLESS, before.credit());
    assertEquals(SAMPLE.headersBytes(), earlier.headersBytes());
    Advert earliest = AdvertCodec.decode(withBlock(bytes, PATHS - 3 * Integer.BYTES));
    assertNotNull(earliest);
    assertEquals(16_384, earliest.headersBytes());
    assertEquals(SAMPLE.identity(), earliest.identity());
    assertEquals(SAMPLE, AdvertCodec.decode(withBlock(bytes, 7)));
    assertNull(AdvertCodec.decode(withBlock(bytes, PATHS - 3 * Integer.BYTES - 1)));
  }

  @Test
  void shouldTakeTheLargestLimitForOneThatNobodyReaches() {
    byte[] bytes = AdvertCodec.encode(SAMPLE);
    ByteBuffer.wrap(bytes).putInt(8 + AdvertEncoder.headersBytesEncodingOffset(), -1);
    Advert unlimited = AdvertCodec.decode(bytes);
    assertNotNull(unlimited);
    assertEquals(Integer.MAX_VALUE, unlimited.headersBytes());
  }

  @Test
  void shouldRejectEveryOtherLength() {
    byte[] bytes = AdvertCodec.encode(SAMPLE);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertNull(AdvertCodec.decode(cut), "cut to " + length);
      if (length >= 2) {
        cut[0] = (byte) length;
        cut[1] = (byte) (length >> 8);
        assertNull(AdvertCodec.decode(cut), "cut to " + length + " and relabelled");
      }
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    assertNull(AdvertCodec.decode(longer));
    longer[0]++;
    assertNull(AdvertCodec.decode(longer));
  }

  @Test
  void shouldSurviveGarbageAndTakeOnlyWhatIsInBounds() {
    long seed = 32;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    byte[] sample = AdvertCodec.encode(SAMPLE);
    int taken = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = sample.clone();
      for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      Advert advert = AdvertCodec.decode(bytes);
      if (advert != null) {
        taken++;
        assertNotNull(AdvertCodec.decode(AdvertCodec.encode(advert)));
      }
      byte[] noise = new byte[random.nextInt(100)];
      random.nextBytes(noise);
      assertNull(AdvertCodec.decode(noise));
    }
    assertTrue(taken > 1_000, "the mutations reached the fields");
  }

  @Test
  void shouldRejectTextThatIsNotText() {
    byte[] bytes = AdvertCodec.encode(SAMPLE);
    int last = bytes.length - 1;
    for (int bad : new int[] {0xFF, 0xC3, 0x00, '\n', ' ', 0x7F}) {
      byte[] forged = bytes.clone();
      forged[last] = (byte) bad;
      assertNull(AdvertCodec.decode(forged), "byte " + bad);
    }
  }

  private static void assertRefused(Executable making) {
    assertThrows(IllegalArgumentException.class, making);
  }

  private static Advert advert(
      int worker,
      long inlineLimit,
      int transfers,
      int datagramBytes,
      int headersBytes,
      List<AdvertisedEndpoint> endpoints,
      String identity) {
    return new Advert(
        worker,
        0,
        inlineLimit,
        transfers,
        datagramBytes,
        AesKeySize.AES_128,
        headersBytes,
        CreditTerms.ENDLESS,
        endpoints,
        identity);
  }

  @Test
  void shouldRefuseWhatIsOutOfBounds() {
    List<AdvertisedEndpoint> many = Collections.nCopies(65, endpoint(0, "udp", "00"));
    assertRefused(() -> advert(0, 0, 0, 1, 512, many, "a:1"));
    assertRefused(() -> advert(256, 0, 0, 1, 512, List.of(), "a:1"));
    assertRefused(() -> advert(0, -1, 0, 1, 512, List.of(), "a:1"));
    assertRefused(() -> advert(0, 0, -1, 1, 512, List.of(), "a:1"));
    assertRefused(() -> advert(0, 0, 0, 0, 512, List.of(), "a:1"));
    assertRefused(() -> advert(0, 0, 0, 1, 512, List.of(), ""));
    assertRefused(() -> advert(0, 0, 0, 1, 512, List.of(), "a b"));
    assertRefused(() -> advert(0, 0, 0, 1, 512, List.of(), "a".repeat(261)));
    assertRefused(() -> advert(0, 0, 0, 1, -1, List.of(), "a:1"));
    assertRefused(() -> new CreditTerms(-1, 0));
    assertRefused(() -> new CreditTerms(0, -1));
    assertThrows(IllegalArgumentException.class, () -> endpoint(0, "", "00"));
    assertThrows(IllegalArgumentException.class, () -> endpoint(0, "u p", "00"));
    assertThrows(IllegalArgumentException.class, () -> endpoint(0, "x".repeat(33), "00"));
    assertThrows(IllegalArgumentException.class, () -> endpoint(0, "udp", ""));
    assertThrows(IllegalArgumentException.class, () -> endpoint(0, "udp", "00".repeat(129)));
  }
}
