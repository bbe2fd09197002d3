package io.millrace.protocol.causality;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.causality.SlotTable.Finding;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Slots under a single thread: the number of slots, the facts that an id still gives, and the facts
 * lost by shrinking.
 */
class SlotTableTest {
  private static final int INITIAL = 16;
  private static final int GROUP = 200;

  private static long used(SlotTable slots, boolean isSuccess) {
    long id = slots.allocate();
    assertNotEquals(0, id);
    finish(slots, id, isSuccess);
    return id;
  }

  private static void finish(SlotTable slots, long id, boolean isSuccess) {
    assertTrue(slots.end(id, isSuccess, isSuccess ? 0 : id));
    slots.free(SlotTable.slot(id));
  }

  private static List<Long> all(SlotTable slots) {
    List<Long> ids = new ArrayList<>();
    for (long id = slots.allocate(); id != 0; id = slots.allocate()) {
      ids.add(id);
    }
    return ids;
  }

  @Test
  void shouldGrowBySegmentsToTheMost() {
    SlotTable slots = new SlotTable(GROUP, INITIAL, 100);
    assertEquals(0, slots.capacity());
    Set<Integer> seen = new HashSet<>();
    for (int count = 1; count <= 100; count++) {
      long id = slots.allocate();
      assertEquals(GROUP, SlotTable.group(id));
      assertTrue(seen.add(SlotTable.slot(id)), () -> "slot " + SlotTable.slot(id) + " twice");
      assertEquals(count, slots.live());
      assertEquals(Math.min(100, (count + INITIAL - 1) / INITIAL * INITIAL), slots.capacity());
    }
    assertEquals(0, slots.allocate());
    assertEquals(100, slots.live());
  }

  @Test
  void shouldHaveSegmentsOfAThousandSlotsAtMost() {
    SlotTable slots = new SlotTable(0, 10_000, 3_000);
    slots.allocate();
    assertEquals(1_024, slots.capacity());
    assertEquals(2_999, all(slots).size());
    assertEquals(3_000, slots.capacity());
  }

  @Test
  void shouldAllocateAtTheMostOnceASlotIsFree() {
    SlotTable slots = new SlotTable(0, INITIAL, 32);
    List<Long> ids = all(slots);
    long ended = ids.get(20);
    slots.end(ended, true, 0);
    assertEquals(0, slots.allocate(), "an outcome that must be kept is lost");
    slots.free(SlotTable.slot(ended));
    long again = slots.allocate();
    assertEquals(SlotTable.slot(ended), SlotTable.slot(again));
    assertNotEquals(ended, again);
    assertEquals(0, slots.allocate());
  }

  @Test
  void shouldTellHowFarATransferIs() {
    SlotTable slots = new SlotTable(GROUP, INITIAL, INITIAL);
    long id = slots.allocate();
    assertEquals(Finding.PENDING, slots.look(id));
    slots.send(id);
    assertEquals(Finding.REQUEST_SENT, slots.look(id));
    assertTrue(slots.end(id, true, 0));
    assertEquals(Finding.SUCCEEDED, slots.look(id));
    assertFalse(slots.end(id, false, id));
    slots.send(id);
    assertEquals(Finding.SUCCEEDED, slots.look(id));
    assertEquals(0, slots.live());
  }

  @Test
  void shouldKnowTheOutcomeOfOneGenerationBefore() {
    SlotTable slots = new SlotTable(0, 1, 1);
    for (int round = 0; round < 10; round++) {
      boolean isSuccess = round % 3 != 0;
      long first = used(slots, isSuccess);
      Finding outcome = isSuccess ? Finding.SUCCEEDED : Finding.FAILED;
      assertEquals(outcome, slots.look(first));
      long second = slots.allocate();
      assertEquals(outcome, slots.look(first));
      slots.send(second);
      assertEquals(outcome, slots.look(first));
      assertEquals(isSuccess ? 0 : first, slots.root(first));
      finish(slots, second, !isSuccess);
      assertEquals(Finding.EXPIRED, slots.look(first));
      assertEquals(0, slots.root(first));
    }
  }

  @Test
  void shouldTakeNoNoticeOfWhatIsSaidOfAnOldId() {
    SlotTable slots = new SlotTable(0, 1, 1);
    long old = used(slots, true);
    long id = slots.allocate();
    slots.send(old);
    assertEquals(Finding.PENDING, slots.look(id));
    assertFalse(slots.end(old, false, old));
    assertEquals(Finding.PENDING, slots.look(id));
    assertEquals(Finding.SUCCEEDED, slots.look(old));
    assertEquals(1, slots.live());
  }

  @Test
  void shouldKnowNothingOfIdsThatWereNeverGiven() {
    SlotTable slots = new SlotTable(0, INITIAL, 20);
    slots.allocate();
    assertEquals(Finding.EXPIRED, slots.look(0));
    assertEquals(Finding.EXPIRED, slots.look(1L << 32 | 19));
    assertEquals(Finding.EXPIRED, slots.look(1L << 32 | 20));
    all(slots);
    for (long id : new long[] {1L << 32 | 20, 1L << 32 | SlotTable.MOST_SLOTS - 1, 9L << 32}) {
      assertEquals(Finding.EXPIRED, slots.look(id));
      assertEquals(0, slots.root(id));
      assertFalse(slots.end(id, true, 0));
      slots.send(id);
    }
  }

  @Test
  void shouldTellTheRootOfAFailureOnly() {
    SlotTable slots = new SlotTable(0, 1, 1);
    long first = slots.allocate();
    assertEquals(0, slots.root(first));
    slots.end(first, false, 77);
    slots.free(0);
    assertEquals(77, slots.root(first));
    long second = slots.allocate();
    assertEquals(77, slots.root(first));
    assertEquals(0, slots.root(second));
    slots.end(second, true, 0);
    assertEquals(0, slots.root(second));
    assertEquals(0, slots.root(first));
  }

  @Test
  void shouldGiveMemoryBackAndForgetWhatItHeld() {
    SlotTable slots = new SlotTable(0, INITIAL, 100);
    List<Long> ids = all(slots);
    ids.forEach(id -> finish(slots, id, false));
    ids.forEach(id -> assertEquals(Finding.FAILED, slots.look(id)));
    assertEquals(100, slots.capacity());
    slots.shrink();
    assertEquals(0, slots.capacity());
    ids.forEach(id -> assertEquals(Finding.EXPIRED, slots.look(id)));
    ids.forEach(id -> assertEquals(0, slots.root(id)));
    assertEquals(100, all(slots).size());
    ids.forEach(id -> assertEquals(Finding.EXPIRED, slots.look(id)));
  }

  @Test
  void shouldKeepSegmentsOfWhichASlotIsInUse() {
    SlotTable slots = new SlotTable(0, INITIAL, 64);
    List<Long> ids = all(slots);
    long live = ids.get(20);
    long ended = ids.get(50);
    for (long id : ids) {
      if (id != live && id != ended) {
        finish(slots, id, true);
      }
    }
    slots.end(ended, false, 5);
    slots.shrink();
    assertEquals(2 * INITIAL, slots.capacity());
    assertEquals(Finding.PENDING, slots.look(live));
    assertEquals(5, slots.root(ended));
    Set<Integer> given = new HashSet<>();
    all(slots).forEach(id -> given.add(SlotTable.slot(id)));
    assertEquals(62, given.size());
    assertFalse(given.contains(SlotTable.slot(live)) || given.contains(SlotTable.slot(ended)));
  }

  @Test
  void shouldNeverGiveAnIdAgainAfterShrinking() {
    SlotTable slots = new SlotTable(0, 4, 10);
    Set<Long> seen = new HashSet<>();
    for (int round = 0; round < 20; round++) {
      for (int uses = 0; uses < round % 4; uses++) {
        assertTrue(seen.add(used(slots, true)));
      }
      List<Long> ids = all(slots);
      assertEquals(10, ids.size());
      assertTrue(ids.stream().allMatch(seen::add));
      ids.forEach(id -> finish(slots, id, true));
      slots.shrink();
      assertEquals(0, slots.capacity());
    }
  }

  @Test
  void shouldNeverGiveTheIdZeroWhenGenerationsBeginAgain() {
    SlotTable slots = new SlotTable(0, 1, 1, -3);
    Set<Long> seen = new HashSet<>();
    for (int round = 0; round < 8; round++) {
      long id = slots.allocate();
      assertNotEquals(0, id);
      assertTrue(seen.add(id));
      assertEquals(Finding.PENDING, slots.look(id));
      finish(slots, id, round % 2 == 0);
      assertEquals(round % 2 == 0 ? Finding.SUCCEEDED : Finding.FAILED, slots.look(id));
      assertEquals(round % 2 == 0 ? 0 : id, slots.root(id));
    }
  }
}
