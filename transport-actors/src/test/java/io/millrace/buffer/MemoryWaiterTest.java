package io.millrace.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MemoryWaiterTest {
  private final List<String> told = new ArrayList<>();

  @Test
  void shouldBeToldAtOnceWhileThereIsMemory() {
    BufferRegistry registry = Buffers.registry(1, 1);
    MemoryWaiter waiter = waiting(registry, 1, "a");
    assertEquals(List.of("a"), told);
    assertFalse(waiter.isWaiting());
    assertEquals(1, waiter.grantedBytes());
    assertEquals(Buffers.SMALL, registry.usedBytes(), "set aside");
    take(registry, 1, waiter).release();
    assertEquals(0, waiter.grantedBytes());
    assertEquals(0, registry.usedBytes());
    assertEquals(List.of("a"), told);
  }

  @Test
  void shouldBeToldOnceWhenMemoryIsFreed() {
    BufferRegistry registry = Buffers.registry(1, 1);
    TransferBuffer small = Buffers.allocate(registry, 1, "x");
    TransferBuffer large = Buffers.allocate(registry, 1, "y");
    MemoryWaiter waiter = waiting(registry, 1, "a");
    waiter.await(1);
    assertTrue(waiter.isWaiting());
    small.release();
    waiter.await(1);
    assertEquals(List.of("a"), told);
    large.release();
    assertEquals(List.of("a"), told);
    assertEquals(Buffers.SMALL, registry.usedBytes(), "it waited once");
  }

  @Test
  void shouldServeThoseWhoWaitBeforeThoseWhoCome() {
    BufferRegistry registry = Buffers.registry(1, 1);
    TransferBuffer small = Buffers.allocate(registry, 1, "x");
    TransferBuffer large = Buffers.allocate(registry, 1, "y");
    MemoryWaiter first = waiting(registry, 1, "a");
    MemoryWaiter second = waiting(registry, 1, "b");
    small.release();
    assertEquals(List.of("a"), told);
    assertNull(registry.tryAllocate(1, "late"), "it is set aside, and somebody waits");
    large.release();
    assertEquals(List.of("a", "b"), told);
    take(registry, 1, second);
    take(registry, 1, first);
  }

  @Test
  void shouldPassOverNobodyButForBlocksThatHeCannotUse() {
    BufferRegistry registry = Buffers.registry(2, 1);
    TransferBuffer first = Buffers.allocate(registry, 1, "x");
    TransferBuffer second = Buffers.allocate(registry, 1, "y");
    TransferBuffer large = Buffers.allocate(registry, Buffers.LARGE, "z");
    waiting(registry, Buffers.LARGE, "large");
    waiting(registry, 1, "a");
    waiting(registry, 1, "b");
    waiting(registry, 1, "c");
    first.release();
    assertEquals(List.of("a"), told);
    large.release();
    assertEquals(List.of("a", "large"), told, "it came before b");
    second.release();
    assertEquals(List.of("a", "large", "b"), told);
  }

  /** Bodies want up to four blocks of the larger size, while small requests come and go. */
  @Test
  void shouldKeepBlocksForTheFirstThatWantsSeveral() {
    BufferRegistry registry = Buffers.registry(1, 4);
    Buffers.allocate(registry, 1, "x");
    List<TransferBuffer> held = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      held.add(Buffers.allocate(registry, Buffers.LARGE, "y"));
    }
    waiting(registry, Buffers.MAX, "four");
    waiting(registry, Buffers.LARGE, "one");
    for (TransferBuffer buffer : held) {
      assertEquals(List.of(), told);
      assertNull(registry.tryAllocate(1, "late"), "small ones may not take them one by one");
      buffer.release();
    }
    assertEquals(List.of("four"), told);
  }

  @Test
  void shouldPassOnWhatItDoesNotWant() {
    BufferRegistry registry = Buffers.registry(1, 1);
    TransferBuffer small = Buffers.allocate(registry, 1, "x");
    Buffers.allocate(registry, 1, "y");
    MemoryWaiter first = waiting(registry, 1, "a");
    MemoryWaiter second = waiting(registry, 1, "b");
    MemoryWaiter third = waiting(registry, 1, "c");
    second.cancel();
    small.release();
    assertEquals(List.of("a"), told);
    first.cancel();
    first.cancel();
    assertEquals(List.of("a", "c"), told, "the first was told and passes on");
    second.cancel();
    third.cancel();
    assertEquals(List.of("a", "c"), told);
    assertEquals(Buffers.LARGE, registry.usedBytes());
  }

  @Test
  void shouldGiveBackWhatItDoesNotNeedOfWhatItWaitedFor() {
    BufferRegistry registry = Buffers.registry(1, 4);
    TransferBuffer all = Buffers.allocate(registry, Buffers.MAX, "x");
    MemoryWaiter waiter = waiting(registry, Buffers.MAX, "a");
    waiting(registry, 2 * Buffers.LARGE, "b");
    all.release();
    assertEquals(List.of("a"), told);
    assertEquals(2 * Buffers.LARGE, take(registry, 2 * Buffers.LARGE, waiter).capacityBytes());
    assertEquals(List.of("a", "b"), told);
    assertThrows(
        IllegalArgumentException.class,
        () -> {
          MemoryWaiter small = waiting(registry, 1, "small");
          take(registry, Buffers.LARGE, small);
        });
    assertEquals(4L * Buffers.LARGE, registry.usedBytes(), "nothing is lost");
  }

  @Test
  void shouldTellAllWhenTheRegistryIsClosed() {
    BufferRegistry registry = Buffers.registry(1, 1);
    BufferShare share = registry.share(Buffers.LARGE);
    registry.tryAllocate(Buffers.LARGE, "y", share, null);
    Buffers.allocate(registry, 1, "x");
    MemoryWaiter first = waiting(registry, 1, "a");
    waiting(registry, Buffers.LARGE, "b");
    registry.waiter(share, () -> told.add("of a share")).await(1);
    registry.close();
    assertEquals(Set.of("a", "b", "of a share"), Set.copyOf(told));
    assertEquals(3, told.size());
    first.await(1);
    assertEquals(4, told.size(), "nobody waits for a closed registry");
    assertThrows(IllegalStateException.class, () -> registry.tryAllocate(1, "a"));
  }

  @Test
  void shouldShieldTheOneThatReleasesFromTheOneThatWaits() {
    List<RuntimeException> failures = new ArrayList<>();
    BufferListener listener =
        new BufferListener() {
          @Override
          public void onLeak(BufferLeak leak) {}

          @Override
          public void onWakeFailed(RuntimeException failure) {
            failures.add(failure);
          }
        };
    BufferRegistry registry = new BufferRegistry(Buffers.settings(1, 1), listener, () -> 0);
    Buffers.allocate(registry, Buffers.LARGE, "x");
    TransferBuffer small = Buffers.allocate(registry, 1, "y");
    RuntimeException planted = new RuntimeException("planted");
    registry
        .waiter(
            () -> {
              throw planted;
            })
        .await(1);
    assertTrue(small.release());
    assertEquals(List.of(planted), failures);
  }

  /**
   * Waiting bodies run on a few threads; each body must get its memory, however quick the others
   * are.
   */
  @Test
  void shouldServeEveryWaiterUnderContention() throws InterruptedException {
    BufferRegistry registry = Buffers.registry(1, 2);
    int bodies = 64;
    int rounds = 200;
    CountDownLatch done = new CountDownLatch(bodies);
    try (ExecutorService executor = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < bodies; i++) {
        executor.execute(
            new Body(registry, executor, i % 3 == 0 ? Buffers.LARGE : 1, rounds, done));
      }
      assertTrue(done.await(60, TimeUnit.SECONDS), () -> "stuck with " + done.getCount());
    }
    assertEquals(0, registry.usedBytes());
    assertNull(registry.find(0));
  }

  private MemoryWaiter waiting(BufferRegistry registry, int sizeBytes, String name) {
    MemoryWaiter waiter = registry.waiter(() -> told.add(name));
    waiter.await(sizeBytes);
    return waiter;
  }

  private static TransferBuffer take(BufferRegistry registry, int sizeBytes, MemoryWaiter waiter) {
    return Objects.requireNonNull(
        registry.tryAllocate(sizeBytes, "taker", null, waiter), "no memory");
  }

  /** Allocates, holds for a turn of the executor, frees, and so on. */
  private static final class Body implements Runnable {
    private final BufferRegistry registry;
    private final ExecutorService executor;
    private final int sizeBytes;
    private final MemoryWaiter waiter;
    private final CountDownLatch done;
    private final Queue<TransferBuffer> held = new ArrayDeque<>();
    private int left;

    Body(
        BufferRegistry registry,
        ExecutorService executor,
        int sizeBytes,
        int rounds,
        CountDownLatch done) {
      this.registry = registry;
      this.executor = executor;
      this.sizeBytes = sizeBytes;
      this.left = rounds;
      this.done = done;
      this.waiter = registry.waiter(() -> executor.execute(this));
    }

    @Override
    public void run() {
      if (!held.isEmpty()) {
        held.remove().release();
        if (--left == 0) {
          waiter.cancel();
          done.countDown();
          return;
        }
      }
      TransferBuffer buffer = registry.tryAllocate(sizeBytes, "body", null, waiter);
      if (buffer == null) {
        waiter.await(sizeBytes);
        return;
      }
      held.add(buffer);
      executor.execute(this);
    }
  }
}
