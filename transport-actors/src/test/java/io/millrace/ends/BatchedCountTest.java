package io.millrace.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BatchedCountTest {
  private static final int STRIPED = 8_192;
  private static final int THREADS = 8;
  private static final int TURNS = 20_000;

  private static int takeAll(BatchedCount count) {
    int taken = 0;
    while (count.tryTake()) {
      taken++;
    }
    return taken;
  }

  @Test
  void shouldLetAThreadTakeThePlacesThatOtherThreadsGaveBack() throws InterruptedException {
    BatchedCount count = new BatchedCount(STRIPED);
    assertEquals(STRIPED, takeAll(count));
    assertFalse(count.isFree());
    for (int i = 0; i < THREADS; i++) {
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int place = 0; place < 10; place++) {
                      count.giveBack();
                    }
                  });
      other.join();
    }
    assertTrue(count.isFree());
    assertEquals(THREADS * 10, takeAll(count));
    assertFalse(count.isFree());
  }

  @Test
  void shouldGiveNoPlaceWhileMoreAreTakenThanThereAre() {
    BatchedCount count = new BatchedCount(STRIPED);
    assertEquals(STRIPED, takeAll(count));
    count.take();
    count.take();
    count.giveBack();
    count.giveBack();
    assertFalse(count.tryTake());
    count.giveBack();
    assertTrue(count.tryTake());
    assertFalse(count.tryTake());
  }

  @Test
  void shouldRefuseAPlaceThatNobodyHas() {
    BatchedCount few = new BatchedCount(1);
    assertThrows(IllegalStateException.class, few::giveBack);
    assertTrue(few.tryTake());
    assertFalse(few.tryTake());
    few.giveBack();
    assertTrue(few.isFree());
  }

  @Test
  void shouldNeverHaveMorePlacesTakenThanThereAre() throws Exception {
    BatchedCount count = new BatchedCount(STRIPED);
    AtomicInteger held = new AtomicInteger();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<Integer>> most = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        most.add(threads.submit(() -> turn(count, held)));
      }
      for (Future<Integer> each : most) {
        assertTrue(each.get() <= STRIPED, "more places were taken than there are");
      }
    }
    assertEquals(0, held.get());
    assertEquals(STRIPED, takeAll(count));
  }

  /** Takes many places and gives them back; returns the largest number of places held by all. */
  private static int turn(BatchedCount count, AtomicInteger held) {
    int own = 0;
    int most = 0;
    for (int i = 0; i < TURNS; i++) {
      if (count.tryTake()) {
        own++;
        most = Math.max(most, held.incrementAndGet());
      } else {
        for (; own > 0; own--) {
          held.decrementAndGet();
          count.giveBack();
        }
      }
    }
    for (; own > 0; own--) {
      held.decrementAndGet();
      count.giveBack();
    }
    return most;
  }
}
