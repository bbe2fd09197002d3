package io.millrace.crypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sealers and openers together, with a provider that counts the new ciphers. */
class RecordOpenerTest {
  private static final int LENGTH = 50;

  private final Counting provider = new Counting(AeadProviders.discover().named("jdk"));
  private final DataKeys keys =
      new DataKeys(
          AesKeySize.AES_128, new KeyLimits(20, 1L << 36), 8, Long.MAX_VALUE, new Random(4));
  private final RecordSealer sealer = new RecordSealer(provider, 2);
  private final RecordOpener opener = new RecordOpener(provider, 2, 1_000);
  private final byte[] plain = RecordCipherTest.bytes(new Random(5), LENGTH);
  private final byte[] sealed = new byte[LENGTH + Records.TAG_BYTES];
  private final byte[] opened = new byte[LENGTH];

  @Test
  void shouldOpenWhatWasSealedAndFindKeysByTheirBytes() {
    RecordRange range = keys.reserve("a", 5);
    for (int i = 0; i < 5; i++) {
      assertEquals(i, sealer.seal(range, plain, 0, LENGTH, sealed, 0));
      assertTrue(opener.open(range.dataKey(), i, sealed, 0, LENGTH, opened, 0));
      assertArrayEquals(plain, opened);
    }
    assertEquals(4, opener.hits());
    assertEquals(1, opener.misses());
    assertEquals(5, opener.opened());
    assertEquals(5, sealer.records());
    assertEquals(2, provider.made.size(), "one schedule to seal and one to open");
    assertThrows(
        IllegalStateException.class, () -> sealer.seal(range, plain, 0, LENGTH, sealed, 0));
  }

  @Test
  void shouldTellKeysThatDifferInOneBitApart() {
    RecordRange range = keys.reserve("a", 1);
    sealer.seal(range, plain, 0, LENGTH, sealed, 0);
    byte[] key = range.dataKey();
    assertTrue(opener.open(key, 0, sealed, 0, LENGTH, opened, 0));
    key[15] ^= 1;
    assertFalse(opener.open(key, 0, sealed, 0, LENGTH, opened, 0));
    assertArrayEquals(new byte[LENGTH], opened);
    assertEquals(2, opener.misses());
    assertEquals(1, opener.rejected());
    key[15] ^= 1;
    assertTrue(opener.open(key, 0, sealed, 0, LENGTH, opened, 0));
    assertEquals(1, opener.hits());
  }

  @Test
  void shouldTellKeysOfTheSameHashApart() {
    byte[] one = new byte[16];
    byte[] other = new byte[16];
    one[1] = 31;
    other[0] = 1;
    assertEquals(Arrays.hashCode(one), Arrays.hashCode(other));
    opener.open(one, 0, sealed, 0, LENGTH, opened, 0);
    opener.open(other, 0, sealed, 0, LENGTH, opened, 0);
    assertEquals(2, opener.misses());
    assertEquals(2, opener.schedules());
  }

  @Test
  void shouldFindAKeyThatItsCallerHasOverwrittenSince() {
    byte[] key = filled(3);
    opener.open(key, 0, sealed, 0, LENGTH, opened, 0);
    Arrays.fill(key, (byte) 0);
    opener.open(filled(3), 0, sealed, 0, LENGTH, opened, 0);
    assertEquals(1, opener.hits());
  }

  @Test
  void shouldKeepTheSchedulesUsedLast() {
    byte[][] three = {new byte[16], new byte[32], filled(1)};
    opener.open(three[0], 0, sealed, 0, LENGTH, opened, 0);
    opener.open(three[1], 0, sealed, 0, LENGTH, opened, 0);
    opener.open(three[0], 0, sealed, 0, LENGTH, opened, 0);
    opener.open(three[2], 0, sealed, 0, LENGTH, opened, 0);
    assertEquals(2, opener.schedules());
    assertEquals(List.of(false, true, false), provider.closed());
    opener.open(three[0], 0, sealed, 0, LENGTH, opened, 0);
    assertEquals(2, opener.hits());
    assertEquals(3, opener.misses());
  }

  @Test
  void shouldDropSchedulesThatWereNotUsedForLong() {
    opener.onTime(5_000);
    opener.open(filled(1), 0, sealed, 0, LENGTH, opened, 0);
    opener.onTime(5_600);
    opener.open(filled(2), 0, sealed, 0, LENGTH, opened, 0);
    opener.onTime(5_999);
    assertEquals(2, opener.schedules());
    opener.onTime(6_000);
    assertEquals(1, opener.schedules());
    assertEquals(List.of(true, false), provider.closed());
    opener.open(filled(2), 0, sealed, 0, LENGTH, opened, 0);
    opener.onTime(6_999);
    assertEquals(1, opener.schedules());
    opener.onTime(7_000);
    assertEquals(0, opener.schedules());
  }

  @Test
  void shouldReleaseEverythingWhenClosed() {
    RecordRange range = keys.reserve("a", 2);
    sealer.seal(range, plain, 0, LENGTH, sealed, 0);
    byte[] key = range.dataKey();
    opener.open(key, 0, sealed, 0, LENGTH, opened, 0);
    sealer.close();
    opener.close();
    assertEquals(List.of(true, true), provider.closed());
    assertThrows(
        IllegalStateException.class, () -> sealer.seal(range, plain, 0, LENGTH, sealed, 0));
    assertThrows(
        IllegalStateException.class, () -> opener.open(key, 0, sealed, 0, LENGTH, opened, 0));
    assertEquals(1, range.taken());
  }

  @Test
  void shouldForgetTheScheduleOfAnErasedKeyFirst() {
    RecordRange first = keys.fresh(1);
    sealer.seal(first, plain, 0, LENGTH, sealed, 0);
    RecordRange second = keys.fresh(1);
    sealer.seal(second, plain, 0, LENGTH, sealed, 0);
    second.close();
    RecordRange third = keys.fresh(1);
    sealer.seal(third, plain, 0, LENGTH, sealed, 0);
    assertEquals(List.of(false, true, false), provider.closed());
    RecordRange fourth = keys.fresh(1);
    sealer.seal(fourth, plain, 0, LENGTH, sealed, 0);
    assertEquals(2, sealer.schedules());
    assertEquals(List.of(true, true, false, false), provider.closed());
  }

  @Test
  void shouldNotUseUpANonceWhenThereIsNoCipher() {
    RecordRange range = keys.reserve("a", 1);
    provider.broken = true;
    assertThrows(
        IllegalStateException.class, () -> sealer.seal(range, plain, 0, LENGTH, sealed, 0));
    provider.broken = false;
    assertEquals(0, sealer.seal(range, plain, 0, LENGTH, sealed, 0));
  }

  @Test
  void shouldCountRecords() {
    assertEquals(0, Records.count(0));
    assertEquals(1, Records.count(1));
    assertEquals(1, Records.count(Records.RECORD_BYTES));
    assertEquals(2, Records.count(Records.RECORD_BYTES + 1));
    assertEquals(1L << 47, Records.count(Long.MAX_VALUE));
  }

  private static byte[] filled(int with) {
    byte[] key = new byte[16];
    Arrays.fill(key, (byte) with);
    return key;
  }

  private static final class Counting extends ForwardingAead {
    private final List<Watched> made = new ArrayList<>();
    private boolean broken;

    Counting(AeadProvider real) {
      super(real);
    }

    List<Boolean> closed() {
      return made.stream().map(each -> each.released).toList();
    }

    @Override
    public RecordCipher recordCipher(byte[] key, CipherUse use) {
      if (broken) {
        throw new IllegalStateException("planted");
      }
      Watched watched = new Watched(super.recordCipher(key, use), use);
      made.add(watched);
      return watched;
    }

    /** Records whether the cipher was closed. */
    private static final class Watched extends ForwardingRecords {
      private boolean released;

      Watched(RecordCipher real, CipherUse use) {
        super(real, use);
      }

      @Override
      protected void release() {
        released = true;
        super.release();
      }
    }
  }
}
