package io.millrace.protocol.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SentPacketsTest {
  private static final SentLogSettings FIXED = new SentLogSettings(64, 64, 128, 128);

  private final SentPackets log = new SentPackets(FIXED);

  private void send(long number, long... items) {
    log.open(number);
    for (long item : items) {
      log.addItem(item);
    }
    log.commit(100, true, number * 10);
  }

  @Test
  void shouldRememberTimeBytesAndItemsUntilSettled() {
    send(0, 7, 8, 9);
    send(1);
    send(5, 10);
    assertEquals(3, log.outstandingPackets());
    assertEquals(0, log.oldest());
    assertEquals(6, log.nextPacketNumber());
    assertEquals(3, log.itemCount(0));
    assertEquals(9, log.item(0, 2));
    assertEquals(0, log.itemCount(1));
    assertEquals(10, log.item(5, 0));
    assertEquals(50, log.sentNs(5));
    assertEquals(100, log.bytes(5));
    assertEquals(0, log.nextOutstanding(0, 99));
    assertEquals(5, log.nextOutstanding(2, 99));
    assertEquals(-1, log.nextOutstanding(2, 4));
    log.settle(0);
    assertEquals(1, log.oldest());
    assertFalse(log.isOutstanding(0));
    log.settle(5);
    log.settle(1);
    assertEquals(6, log.oldest());
    assertEquals(0, log.heldItems());
  }

  @Test
  void shouldNotMakePacketsOutstandingThatWantNoAcknowledgement() {
    log.open(0);
    log.addItem(1);
    log.commit(50, false, 5);
    log.skip(3, 6);
    assertEquals(0, log.outstandingPackets());
    assertEquals(0, log.heldItems());
    assertEquals(4, log.oldest());
    assertEquals(5, log.sentNs(0));
    assertEquals(6, log.sentNs(3));
  }

  @Test
  void shouldForgetAnAbandonedPacketAndLeaveItsNumberFree() {
    send(0, 1, 2);
    log.open(1);
    log.addItem(3);
    log.abandon();
    assertEquals(2, log.heldItems());
    send(1, 4);
    assertEquals(4, log.item(1, 0));
  }

  @Test
  void shouldRefuseMorePacketsThanItHolds() {
    for (int i = 0; i < 64; i++) {
      assertTrue(log.canOpen(1));
      send(i);
    }
    assertFalse(log.canOpen(0));
    assertThrows(IllegalStateException.class, () -> log.open(64));
    log.settle(5);
    assertFalse(log.canOpen(0));
    log.settle(0);
    assertTrue(log.canOpen(0));
    assertThrows(IllegalStateException.class, () -> log.open(65));
    send(64);
    assertFalse(log.canOpen(0));
  }

  @Test
  void shouldRefuseMoreItemsThanItHolds() {
    log.open(0);
    for (int i = 0; i < 128; i++) {
      assertTrue(log.canAddItem());
      log.addItem(i);
    }
    assertFalse(log.canAddItem());
    assertThrows(IllegalStateException.class, () -> log.addItem(128));
    log.commit(1, true, 0);
    assertTrue(log.canOpen(0));
    assertFalse(log.canOpen(1));
    log.settle(0);
    assertTrue(log.canOpen(128));
    assertFalse(log.canOpen(129));
  }

  @Test
  void shouldRefuseCallsOutOfOrder() {
    assertThrows(IllegalStateException.class, () -> log.addItem(1));
    assertThrows(IllegalStateException.class, () -> log.commit(1, true, 0));
    log.open(3);
    assertThrows(IllegalStateException.class, () -> log.open(4));
    assertThrows(IllegalStateException.class, () -> log.skip(4, 0));
    log.commit(1, true, 0);
    assertThrows(IllegalStateException.class, () -> log.open(3));
    assertThrows(IllegalStateException.class, () -> log.skip(3, 0));
  }

  @Test
  void shouldLetPacketsThatWantNothingPassAFullLog() {
    for (int i = 0; i < 64; i++) {
      send(i, i);
    }
    for (int i = 64; i < 1000; i++) {
      log.skip(i, i * 10L);
      assertEquals(SentPackets.UNKNOWN_NS, log.sentNs(i));
    }
    for (int i = 0; i < 64; i++) {
      assertEquals(i, log.nextOutstanding(i, 2000));
      assertEquals(i * 10L, log.sentNs(i));
      assertEquals(i, log.item(i, 0));
    }
    log.settleLost(0);
    assertEquals(-1, log.nextLost(0, 2000));
    for (int i = 1; i < 64; i++) {
      log.settle(i);
    }
    assertTrue(log.canOpen(128));
    send(1000);
    assertEquals(1000, log.oldest());
    assertEquals(SentPackets.UNKNOWN_NS, log.sentNs(999));
  }

  @Test
  void shouldRememberLostPacketsForOneCapacity() {
    send(0);
    send(1);
    log.settleLost(0);
    assertEquals(0, log.oldestOfInterest());
    log.settle(1);
    assertEquals(0, log.nextLost(0, 99));
    for (int i = 2; i < 64; i++) {
      log.skip(i, 0);
    }
    assertEquals(0, log.nextLost(0, 99));
    log.skip(64, 0);
    assertEquals(-1, log.nextLost(0, 99));
    assertEquals(65, log.oldestOfInterest());
  }

  @Test
  void shouldRememberLostPacketsWhenItGrows() {
    final SentPackets growing = new SentPackets(new SentLogSettings(64, 256, 64, 64));
    for (int number = 0; number < 64; number++) {
      growing.open(number);
      growing.commit(1, true, 0);
    }
    growing.settleLost(3);
    for (int number = 64; number < 200; number++) {
      growing.open(number);
      growing.commit(1, true, 0);
    }
    assertEquals(3, growing.nextLost(0, 199));
    assertEquals(-1, growing.nextLost(4, 199));
  }

  @Test
  void shouldForgetALossOnRequest() {
    send(0);
    log.settleLost(0);
    log.forgetLost(0);
    assertEquals(-1, log.nextLost(0, 99));
  }

  @Test
  void shouldRejectSettingsOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> new SentLogSettings(32, 64, 64, 64));
    assertThrows(IllegalArgumentException.class, () -> new SentLogSettings(128, 64, 64, 64));
    assertThrows(IllegalArgumentException.class, () -> new SentLogSettings(64, 100, 64, 64));
    assertThrows(IllegalArgumentException.class, () -> new SentLogSettings(64, 1 << 17, 64, 64));
    assertThrows(IllegalArgumentException.class, () -> new SentLogSettings(64, 64, 64, 1 << 21));
  }

  /** Grows from the smallest to the bounds and back to empty, many times, against a sorted map. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void shouldHoldWhatASortedMapHolds(long seed) {
    final SplittableRandom random = new SplittableRandom(seed);
    final SentPackets sent = new SentPackets(new SentLogSettings(64, 512, 64, 2048));
    final TreeMap<Long, List<Long>> model = new TreeMap<>();
    long item = 0;
    for (int step = 0; step < 200_000; step++) {
      final String where = "seed " + seed + " step " + step;
      final boolean isFilling = step / 2000 % 2 == 0;
      final int wanted = random.nextInt(6);
      if (random.nextInt(10) < (isFilling ? 7 : 3)) {
        final long number = sent.nextPacketNumber() + (random.nextInt(8) == 0 ? 1 : 0);
        final boolean hasRoom = model.isEmpty() || number - model.firstKey() < 512;
        if (sent.canOpen(wanted) && hasRoom) {
          final List<Long> items = LongStream.range(item, item + wanted).boxed().toList();
          item += wanted;
          commit(sent, number, items, random.nextInt(5) > 0, model);
        }
      } else if (!model.isEmpty()) {
        final long from = model.firstKey() + (random.nextBoolean() ? 0 : random.nextInt(600));
        final Map.Entry<Long, List<Long>> entry = model.ceilingEntry(from);
        if (entry == null) {
          assertEquals(-1, sent.nextOutstanding(from, from + 999), where);
        } else {
          assertEquals(entry.getKey(), sent.nextOutstanding(from, from + 999), where);
          settle(sent, entry.getKey(), entry.getValue(), where);
          model.remove(entry.getKey());
        }
      }
      assertEquals(model.size(), sent.outstandingPackets(), where);
      assertEquals(
          model.isEmpty() ? sent.nextPacketNumber() : model.firstKey(), sent.oldest(), where);
    }
  }

  private static void settle(SentPackets sent, long number, List<Long> items, String where) {
    assertEquals(items.size(), sent.itemCount(number), where);
    for (int i = 0; i < items.size(); i++) {
      assertEquals(items.get(i), sent.item(number, i), where);
    }
    assertEquals(number * 3, sent.sentNs(number), where);
    assertEquals(1 + (number & 1023), sent.bytes(number), where);
    sent.settle(number);
  }

  private static void commit(
      SentPackets sent,
      long number,
      List<Long> items,
      boolean isAckEliciting,
      Map<Long, List<Long>> model) {
    sent.open(number);
    items.forEach(sent::addItem);
    sent.commit(1 + (int) (number & 1023), isAckEliciting, number * 3);
    if (isAckEliciting) {
      model.put(number, items);
    }
  }
}
