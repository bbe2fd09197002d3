package io.millrace.protocol.causality;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.causality.SlotTable.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

/** Slots that four threads take, read, end and give back at once. */
class SlotTableThreadsTest {
  private static final int THREADS = 4;
  private static final int USES = 100_000;
  private static final int HELD = 24;

  private static void together(int threads, Callable<?> work) throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        all.add(executor.submit(work));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  /** Holds some slots, each slot alone; returns the ids of all allocated slots. */
  private static final class User {
    private final SlotTable slots;
    private final AtomicLongArray owners;
    private final long[] held = new long[HELD];
    private final long[] given = new long[USES];

    User(SlotTable slots, AtomicLongArray owners) {
      this.slots = slots;
      this.owners = owners;
    }

    long[] run() {
      for (int use = 0; use < USES; use++) {
        int place = use * 7 % HELD;
        giveBack(place, use);
        long id = slots.allocate();
        while (id == 0) {
          Thread.onSpinWait();
          id = slots.allocate();
        }
        long owner = owners.getAndSet(SlotTable.slot(id), id);
        assertEquals(0, owner, "a slot that is in use was given out");
        assertEquals(Finding.PENDING, slots.look(id));
        slots.send(id);
        held[place] = id;
        given[use] = id;
      }
      for (int place = 0; place < HELD; place++) {
        giveBack(place, place);
      }
      return given;
    }

    private void giveBack(int place, int use) {
      long id = held[place];
      if (id == 0) {
        return;
      }
      boolean isSuccess = use % 3 != 0;
      assertEquals(Finding.REQUEST_SENT, slots.look(id));
      assertTrue(slots.end(id, isSuccess, isSuccess ? 0 : id));
      assertEquals(isSuccess ? Finding.SUCCEEDED : Finding.FAILED, slots.look(id));
      assertEquals(isSuccess ? 0 : id, slots.root(id));
      assertEquals(id, owners.getAndSet(SlotTable.slot(id), 0));
      slots.free(SlotTable.slot(id));
      held[place] = 0;
    }
  }

  @Test
  void shouldGiveEachSlotToOneThreadAndLoseNone() throws Exception {
    int most = THREADS * HELD;
    SlotTable slots = new SlotTable(3, 16, most);
    AtomicLongArray owners = new AtomicLongArray(most);
    long[] given = new long[THREADS * USES];
    AtomicInteger filled = new AtomicInteger();
    together(
        THREADS,
        () -> {
          long[] own = new User(slots, owners).run();
          System.arraycopy(own, 0, given, filled.getAndAdd(USES), USES);
          return own;
        });
    assertAllDiffer(given, THREADS * USES);
    assertEquals(0, slots.live());
    slots.shrink();
    assertEquals(0, slots.capacity());
    for (int slot = 0; slot < most; slot++) {
      assertTrue(slots.allocate() != 0);
    }
    assertEquals(0, slots.allocate());
  }

  private static void assertAllDiffer(long[] ids, int count) {
    long[] sorted = Arrays.copyOf(ids, count);
    Arrays.sort(sorted);
    assertTrue(count > 0 && sorted[0] != 0);
    for (int at = 1; at < count; at++) {
      assertTrue(sorted[at - 1] != sorted[at], "an id was given twice");
    }
  }

  @Test
  void shouldNeverGiveAnIdTwiceWhileMemoryComesAndGoes() throws Exception {
    int uses = 20_000;
    SlotTable slots = new SlotTable(0, 64, 128);
    long[] given = new long[THREADS * uses];
    AtomicInteger filled = new AtomicInteger();
    AtomicInteger running = new AtomicInteger(THREADS);
    AtomicInteger shrinkers = new AtomicInteger();
    together(
        THREADS + 1,
        () -> {
          if (shrinkers.getAndIncrement() == 0) {
            while (running.get() > 0) {
              slots.shrink();
              Thread.yield();
            }
            return given;
          }
          for (int use = 0; use < uses; use++) {
            long id = slots.allocate();
            while (id == 0) {
              Thread.yield();
              id = slots.allocate();
            }
            given[filled.getAndIncrement()] = id;
            assertEquals(Finding.PENDING, slots.look(id));
            assertTrue(slots.end(id, true, 0));
            slots.free(SlotTable.slot(id));
          }
          running.decrementAndGet();
          return given;
        });
    assertAllDiffer(given, filled.get());
    slots.shrink();
    assertEquals(0, slots.capacity());
  }

  /**
   * The next transfer of the slot fails, too, while a thread reads the root of the former
   * transfer's failure.
   */
  @Test
  void shouldTellTheRootOfTheFailureThatWasAskedFor() throws Exception {
    SlotTable slots = new SlotTable(0, 1, 1);
    AtomicLong last = new AtomicLong();
    AtomicInteger readers = new AtomicInteger();
    together(
        2,
        () -> {
          if (readers.getAndIncrement() == 0) {
            while (last.get() >= 0) {
              long id = last.get();
              long root = id <= 0 ? 0 : slots.root(id);
              assertTrue(root == 0 || root == id, "the root of another failure");
            }
            return last;
          }
          for (int use = 0; use < 20 * USES; use++) {
            long id = slots.allocate();
            slots.end(id, false, id);
            last.set(id);
            slots.free(0);
          }
          last.set(-1);
          return last;
        });
    assertEquals(0, slots.live());
  }
}
