package io.millrace.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BoundedQueueTest {
  private static final int PER_PRODUCER = 200_000;

  /** The kinds of queues, with the threads that each kind allows. */
  enum Kind {
    ONE_TO_ONE(1, 1),
    MANY_TO_ONE(3, 1),
    MANY_TO_MANY(2, 2);

    private final int producers;
    private final int consumers;

    Kind(int producers, int consumers) {
      this.producers = producers;
      this.consumers = consumers;
    }

    private BoundedQueue<Long> made(int leastCapacity) {
      return switch (this) {
        case ONE_TO_ONE -> new OneToOneQueue<>(leastCapacity);
        case MANY_TO_ONE -> new ManyToOneQueue<>(leastCapacity);
        case MANY_TO_MANY -> new ManyToManyQueue<>(leastCapacity);
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldHoldTheNextPowerOfTwoAndNoMore(Kind kind) {
    int[][] expected = {{2, 2}, {3, 4}, {4, 4}, {5, 8}, {1000, 1024}};
    for (int[] each : expected) {
      BoundedQueue<Long> queue = kind.made(each[0]);
      assertEquals(each[1], queue.capacity());
      for (long i = 0; i < each[1]; i++) {
        assertEquals(each[1] - i, queue.remainingCapacity());
        assertTrue(queue.offer(i));
      }
      assertFalse(queue.offer(-1L));
      assertEquals(each[1], queue.size());
      assertEquals(0, queue.poll());
      assertTrue(queue.offer(-1L));
      assertFalse(queue.offer(-2L));
    }
    assertThrows(IllegalArgumentException.class, () -> kind.made(0));
    assertThrows(IllegalArgumentException.class, () -> kind.made(Integer.MAX_VALUE));
  }

  @Test
  void shouldHaveOnePlaceWhereOneIsAllowed() {
    for (BoundedQueue<String> queue :
        List.of(new OneToOneQueue<String>(1), new ManyToOneQueue<String>(1))) {
      assertEquals(1, queue.capacity());
      assertTrue(queue.offer("a"));
      assertFalse(queue.offer("b"));
      assertEquals("a", queue.poll());
      assertNull(queue.poll());
    }
    assertThrows(IllegalArgumentException.class, () -> new ManyToManyQueue<String>(1));
  }

  @ParameterizedTest
  @EnumSource
  void shouldDoAsPlainQueueDoes(Kind kind) {
    SplittableRandom random = new SplittableRandom(71);
    BoundedQueue<Long> queue = kind.made(8);
    Deque<Long> model = new ArrayDeque<>();
    for (long step = 0; step < 20_000; step++) {
      if (random.nextBoolean()) {
        assertEquals(model.size() < 8, queue.offer(step));
        if (model.size() < 8) {
          model.add(step);
        }
      } else {
        assertEquals(model.poll(), queue.poll());
      }
      assertEquals(model.size(), queue.size());
      assertEquals(model.isEmpty(), queue.isEmpty());
    }
  }

  /** No element is lost, doubled or overtaken by another element of its thread. */
  @ParameterizedTest
  @EnumSource
  void shouldHandOverEachElementOnceInItsThreadsOrder(Kind kind) throws InterruptedException {
    BoundedQueue<Long> queue = kind.made(64);
    AtomicInteger left = new AtomicInteger(kind.producers * PER_PRODUCER);
    AtomicLong sum = new AtomicLong();
    AtomicInteger overtaken = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < kind.producers; i++) {
      long producer = i;
      threads.add(Thread.ofPlatform().start(() -> produce(queue, producer)));
    }
    for (int i = 0; i < kind.consumers; i++) {
      threads.add(
          Thread.ofPlatform().start(() -> consume(queue, kind.producers, left, sum, overtaken)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(0, left.get());
    assertEquals(0, overtaken.get());
    long ofOne = (long) PER_PRODUCER * (PER_PRODUCER - 1) / 2;
    assertEquals(kind.producers * ofOne, sum.get());
    assertTrue(queue.isEmpty());
  }

  private static void produce(BoundedQueue<Long> queue, long producer) {
    for (long i = 0; i < PER_PRODUCER; i++) {
      while (!queue.offer(producer << 32 | i)) {
        Thread.yield();
      }
    }
  }

  private static void consume(
      BoundedQueue<Long> queue,
      int producers,
      AtomicInteger left,
      AtomicLong sum,
      AtomicInteger overtaken) {
    long[] last = new long[producers];
    Arrays.fill(last, -1);
    while (left.get() > 0) {
      Long element = queue.poll();
      if (element == null) {
        Thread.yield();
        continue;
      }
      int producer = (int) (element >> 32);
      long number = element & 0xFFFF_FFFFL;
      if (number <= last[producer]) {
        overtaken.incrementAndGet();
      }
      last[producer] = number;
      sum.addAndGet(number);
      left.decrementAndGet();
    }
  }
}
