package io.millrace.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MemoryWaiterTest {
  private final List<String> told = new ArrayList<>();

  @Test
  void shouldNotWaitWhileThereIsMemory() {
    BufferRegistry registry = Buffers.registry(1, 1);
    MemoryWaiter waiter = waiter(registry, 1, "a");
    assertFalse(waiter.await());
    assertFalse(waiter.isWaiting());
    Buffers.allocate(registry, 1, "x").release();
    assertEquals(List.of(), told);
  }

  @Test
  void shouldBeToldOnceWhenMemoryIsFreed() {
    BufferRegistry registry = Buffers.registry(1, 1);
    TransferBuffer small = Buffers.allocate(registry, 1, "x");
    TransferBuffer large = Buffers.allocate(registry, 1, "y");
    MemoryWaiter waiter = waiter(registry, 1, "a");
    assertTrue(waiter.await());
    assertTrue(waiter.await(), "registered already");
    assertTrue(waiter.isWaiting());
    small.release();
    assertEquals(List.of("a"), told);
    assertFalse(waiter.isWaiting());
    large.release();
    assertEquals(List.of("a"), told);
  }

  @Test
  void shouldBeToldInTurnAndOnlyOfWhatIsEnough() {
    BufferRegistry registry = Buffers.registry(2, 1);
    TransferBuffer first = Buffers.allocate(registry, 1, "x");
    TransferBuffer second = Buffers.allocate(registry, 1, "y");
    TransferBuffer large = Buffers.allocate(registry, Buffers.LARGE, "z");
    assertTrue(waiter(registry, Buffers.LARGE, "large").await());
    assertTrue(waiter(registry, 1, "a").await());
    assertTrue(waiter(registry, 1, "b").await());
    first.release();
    assertEquals(List.of("a"), told);
    assertTrue(Buffers.allocate(registry, 1, "a").phase() == BufferPhase.ALLOCATED);
    second.release();
    assertEquals(List.of("a", "b"), told);
    large.release();
    assertEquals(List.of("a", "b", "large"), told);
  }

  @Test
  void shouldTellTheNextWhenMemoryIsLeftOver() {
    BufferRegistry registry = Buffers.registry(1, 2);
    TransferBuffer small = Buffers.allocate(registry, 1, "x");
    TransferBuffer large = Buffers.allocate(registry, 2 * Buffers.LARGE, "y");
    assertTrue(waiter(registry, Buffers.LARGE, "a").await());
    assertTrue(waiter(registry, Buffers.LARGE, "b").await());
    large.release();
    assertEquals(List.of("a"), told);
    Buffers.allocate(registry, Buffers.LARGE, "a");
    assertEquals(List.of("a", "b"), told);
    small.release();
  }

  @Test
  void shouldPassOnWhatItDoesNotWant() {
    BufferRegistry registry = Buffers.registry(1, 1);
    TransferBuffer small = Buffers.allocate(registry, 1, "x");
    Buffers.allocate(registry, 1, "y");
    MemoryWaiter first = waiter(registry, 1, "a");
    MemoryWaiter second = waiter(registry, 1, "b");
    MemoryWaiter third = waiter(registry, 1, "c");
    assertTrue(first.await());
    assertTrue(second.await());
    assertTrue(third.await());
    second.cancel();
    small.release();
    assertEquals(List.of("a"), told);
    first.cancel();
    assertEquals(List.of("a", "c"), told, "the first was told and passes on");
    second.cancel();
    assertEquals(List.of("a", "c"), told);
  }

  @Test
  void shouldTellAllWhenTheRegistryIsClosed() {
    BufferRegistry registry = Buffers.registry(1, 1);
    Buffers.allocate(registry, 1, "x");
    Buffers.allocate(registry, 1, "y");
    MemoryWaiter first = waiter(registry, 1, "a");
    assertTrue(first.await());
    assertTrue(waiter(registry, Buffers.LARGE, "b").await());
    registry.close();
    assertEquals(List.of("a", "b"), told);
    assertFalse(first.await(), "nobody waits for a closed registry");
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
    MemoryWaiter waiter =
        registry.waiter(
            1,
            () -> {
              throw planted;
            });
    assertTrue(waiter.await());
    assertTrue(small.release());
    assertEquals(List.of(planted), failures);
  }

  /** Bodies that wait run on a few threads; each must get its memory, whoever is quicker. */
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

  private MemoryWaiter waiter(BufferRegistry registry, int sizeBytes, String name) {
    return registry.waiter(sizeBytes, () -> told.add(name));
  }

  /** Allocates, holds for one turn of the executor, frees, and so on. */
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
      this.waiter = registry.waiter(sizeBytes, () -> executor.execute(this));
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
      TransferBuffer buffer = registry.tryAllocate(sizeBytes, "body");
      while (buffer == null) {
        if (waiter.await()) {
          return;
        }
        buffer = registry.tryAllocate(sizeBytes, "body");
      }
      held.add(buffer);
      executor.execute(this);
    }
  }
}
