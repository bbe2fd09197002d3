package io.millrace.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TaskQueueTest {
  private static final int CAPACITY = 4;

  private final LoopCounters counters = new LoopCounters();
  private final TaskQueue queue = new TaskQueue(CAPACITY, counters);
  private final List<Integer> ran = new ArrayList<>();

  @Test
  void shouldKeepOrderThroughRingAndOverflow() {
    int offered = 0;
    while (queue.offer(numbered(offered))) {
      offered++;
    }
    assertEquals(2 * CAPACITY, offered);
    assertEquals(CAPACITY, counters.overflows());
    runNext();
    // The ring has room now, but the overflow list is older.
    assertFalse(queue.offer(numbered(99)));
    for (int i = 1; i <= CAPACITY; i++) {
      runNext();
    }
    assertTrue(queue.offer(numbered(offered)), "a place in the overflow list became free");
    while (queue.hasTask()) {
      runNext();
    }
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8), ran);
    assertNull(queue.poll());
    long overflows = counters.overflows();
    assertTrue(queue.offer(numbered(10)));
    assertEquals(overflows, counters.overflows(), "back to the ring once all has been served");
  }

  @Test
  void shouldRefuseOwnTasksBeyondTwiceTheCapacity() {
    for (int i = 0; i < 2 * CAPACITY; i++) {
      assertTrue(queue.offerOwn(() -> {}));
    }
    assertFalse(queue.offerOwn(() -> {}));
  }

  @Test
  void shouldKeepEachThreadsOrderWhileThreadsRace() throws InterruptedException {
    int threads = 3;
    int each = 50_000;
    int[] next = new int[threads];
    AtomicInteger disorders = new AtomicInteger();
    List<Thread> producers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int self = t;
      producers.add(
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  int number = i;
                  Runnable task =
                      () -> {
                        if (next[self]++ != number) {
                          disorders.incrementAndGet();
                        }
                      };
                  while (!queue.offer(task)) {
                    Thread.yield();
                  }
                }
              }));
    }
    producers.forEach(Thread::start);
    for (int count = 0; count < threads * each; ) {
      Runnable task = queue.poll();
      if (task != null) {
        task.run();
        count++;
      } else {
        Thread.yield();
      }
    }
    assertEquals(0, disorders.get());
    assertTrue(counters.overflows() > 0, "the overflow list took part");
    for (Thread producer : producers) {
      producer.join();
    }
    assertFalse(queue.hasTask());
  }

  private Runnable numbered(int number) {
    return () -> ran.add(number);
  }

  private void runNext() {
    Runnable task = queue.poll();
    if (task != null) {
      task.run();
    }
  }
}
