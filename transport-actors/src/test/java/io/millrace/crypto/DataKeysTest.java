package io.millrace.crypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class DataKeysTest {
  private static final KeyLimits TEN_RECORDS = new KeyLimits(10, KeyLimits.MAX_BYTES);

  private static final long UNUSED_NS = 1_000;
  private final DataKeys keys =
      new DataKeys(AesKeySize.AES_128, TEN_RECORDS, 2, UNUSED_NS, new Random(1));

  @Test
  void shouldCountNoncesUnderOneKeyForEachRecipientSet() {
    RecordRange first = keys.reserve("a", 4);
    RecordRange other = keys.reserve("b", 1);
    RecordRange second = keys.reserve("a", 6);
    assertSame(first.key(), second.key());
    assertNotSame(first.key(), other.key());
    assertFalse(Arrays.equals(first.dataKey(), other.dataKey()));
    assertEquals(0, first.firstNonce());
    assertEquals(4, second.firstNonce());
    assertEquals(0, other.firstNonce());
    assertEquals(6, second.records());
    assertEquals(2, keys.generated());
  }

  @Test
  void shouldRotateAtTheLimitAndLeaveTransfersTheirKey() {
    RecordRange first = keys.reserve("a", 9);
    byte[] pinned = first.dataKey();
    RecordRange second = keys.reserve("a", 2);
    assertNotSame(first.key(), second.key());
    assertEquals(0, second.firstNonce());
    assertArrayEquals(pinned, first.dataKey(), "a transfer keeps its key");
    assertFalse(first.key().isErased());
    first.close();
    assertTrue(first.key().isErased());
    assertArrayEquals(new byte[16], first.key().bytes());
    assertFalse(second.key().isErased());
    assertThrows(IllegalStateException.class, first::dataKey);
    assertThrows(IllegalStateException.class, first::take);
    assertEquals(1, keys.reserve("a", 8).key().reserved() - 9);
  }

  @Test
  void shouldCountARecordAsAFullOne() {
    KeyLimits bytes = new KeyLimits(KeyLimits.MAX_PACKETS, 3L * Records.RECORD_BYTES + 1);
    DataKey key = new DataKey(new byte[32], bytes);
    assertNull(key.reserve(4));
    assertEquals(0, key.reserved());
    assertEquals(0, Objects.requireNonNull(key.reserve(3)).firstNonce());
    assertNull(key.reserve(1));
    DataKey least = new DataKey(new byte[16], new KeyLimits(1, 1));
    assertEquals(1, Objects.requireNonNull(least.reserve(1)).records());
    assertThrows(IllegalArgumentException.class, () -> keys.reserve("a", 11));
    assertThrows(IllegalArgumentException.class, () -> keys.reserve("a", 0));
    assertThrows(IllegalArgumentException.class, () -> keys.fresh(1 << 24));
    assertEquals(11, keys.fresh(11).records(), "the limits are of keys that are used again");
  }

  @Test
  void shouldUseAFreshKeyForNothingElse() {
    RecordRange current = keys.reserve("a", 1);
    RecordRange fresh = keys.fresh(2);
    RecordRange fresher = keys.fresh(2);
    assertNotSame(fresh.key(), fresher.key());
    assertNull(fresh.key().reserve(1));
    assertSame(current.key(), keys.reserve("a", 1).key());
    fresh.close();
    fresh.close();
    assertTrue(fresh.key().isErased());
    assertFalse(fresher.key().isErased());
  }

  @Test
  void shouldKeepTheKeysOfTheSetsUsedLast() {
    RecordRange a = keys.reserve("a", 1);
    RecordRange b = keys.reserve("b", 1);
    keys.reserve("a", 1).close();
    keys.reserve("c", 1).close();
    a.close();
    b.close();
    assertFalse(a.key().isErased());
    assertTrue(b.key().isErased(), "the set that was not used for longest");
    keys.forget("a");
    assertTrue(a.key().isErased());
    assertNotSame(a.key(), keys.reserve("a", 1).key());
  }

  @Test
  void shouldOverwriteKeysWhenClosedAndTheirRangesAre() {
    RecordRange range = keys.reserve("a", 2);
    keys.close();
    keys.close();
    assertFalse(range.key().isErased());
    assertEquals(0, range.take());
    range.close();
    assertTrue(range.key().isErased());
    assertArrayEquals(new byte[16], range.key().bytes());
    assertThrows(IllegalStateException.class, () -> keys.reserve("a", 1));
    assertThrows(IllegalStateException.class, () -> keys.fresh(1));
  }

  @Test
  void shouldNeverSayWhatTheKeyIs() {
    RecordRange range = keys.reserve("a", 2);
    byte[] bytes = range.dataKey();
    for (String said : List.of(range.toString(), range.key().toString(), keys.toString())) {
      assertFalse(said.contains(HexFormat.of().formatHex(bytes)), said);
      assertFalse(said.contains(Arrays.toString(bytes)), said);
    }
    assertEquals("DataKey[2 of 10 nonces, redacted]", range.key().toString());
    assertEquals("RecordRange[0 of 2 from 0]", range.toString());
  }

  @Test
  void shouldHandOutEachNonceOfARangeOnce() {
    RecordRange range = keys.reserve("a", 3);
    keys.reserve("a", 1).close();
    for (int i = 0; i < 3; i++) {
      assertEquals(i, range.take());
    }
    assertThrows(IllegalStateException.class, range::take);
    assertEquals(3, range.taken());
  }

  @Test
  void shouldReserveEachNonceOnceUnderContention() throws InterruptedException {
    int threads = 8;
    int each = 20_000;
    DataKey key = new DataKey(new byte[16], KeyLimits.DEFAULT);
    AtomicIntegerArray uses = new AtomicIntegerArray(threads * each * 2);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int records = i % 3 + 1;
      all.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int round = 0; round < each; round++) {
                      RecordRange range = Objects.requireNonNull(key.reserve(records));
                      for (int record = 0; record < records; record++) {
                        uses.incrementAndGet((int) range.take());
                      }
                      range.close();
                    }
                  }));
    }
    for (Thread thread : all) {
      thread.join();
    }
    int reserved = (int) key.reserved();
    assertEquals((1 + 2 + 3 + 1 + 2 + 3 + 1 + 2) * each, reserved);
    for (int nonce = 0; nonce < reserved; nonce++) {
      assertEquals(1, uses.get(nonce), "nonce " + nonce);
    }
    assertFalse(key.isErased());
    key.close();
    assertTrue(key.isErased());
  }
}
