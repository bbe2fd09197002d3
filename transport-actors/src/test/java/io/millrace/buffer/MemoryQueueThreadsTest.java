package io.millrace.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Users of shares on several threads, beside some waiters that never take their memory. */
final class MemoryQueueThreadsTest {
  private static final int THREADS = 4;
  private static final int BODIES = 32;
  private static final int FICKLE = 6;

  /**
   * In the soak up to 25 times as many rounds. The time grows faster than the rounds, and strays.
   */
  private static final int ROUNDS = 200 * Math.min(25, Integer.getInteger("millrace.soak", 1));

  /** Only a defect makes the test last so long. */
  private static final int LIMIT_S = 300;

  private final BufferRegistry registry = Buffers.registry(2, 6);
  private final List<BufferShare> shares =
      List.of(registry.share(Buffers.MAX), registry.share(Buffers.MAX));
  private final CountDownLatch bodiesDone = new CountDownLatch(BODIES);
  private final CountDownLatch fickleDone = new CountDownLatch(FICKLE);
  private final AtomicBoolean isOver = new AtomicBoolean();

  @Test
  void shouldServeEveryUserOfAShareWhateverOthersGiveUp() throws InterruptedException {
    try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
      for (int i = 0; i < BODIES; i++) {
        int size = i % 3 == 0 ? 2 * Buffers.LARGE : 1 + i * Buffers.SMALL / 2;
        executor.execute(new Body(shares.get(i % shares.size()), size, executor));
      }
      for (int i = 0; i < FICKLE; i++) {
        BufferShare share = shares.get(i % shares.size());
        executor.execute(() -> comeAndGo(share, executor));
      }
      boolean isServed = bodiesDone.await(LIMIT_S, TimeUnit.SECONDS);
      isOver.set(true);
      assertTrue(isServed, () -> bodiesDone.getCount() + " are never served");
      assertTrue(fickleDone.await(LIMIT_S, TimeUnit.SECONDS));
    }
    assertEquals(0, registry.usedBytes());
    shares.forEach(share -> assertEquals(0, share.usedBytes()));
  }

  /** Waits for memory and leaves at once, with or without the memory. */
  private void comeAndGo(BufferShare share, Executor executor) {
    if (isOver.get()) {
      fickleDone.countDown();
      return;
    }
    MemoryWaiter waiter = registry.waiter(share, () -> {});
    waiter.await(Buffers.LARGE);
    waiter.cancel();
    executor.execute(() -> comeAndGo(share, executor));
  }

  /** Allocates, holds for a turn of the executor, frees, and so on. */
  private final class Body implements Runnable {
    private final BufferShare share;
    private final int sizeBytes;
    private final Executor executor;
    private final MemoryWaiter waiter;
    private @Nullable TransferBuffer held;
    private int left = ROUNDS;

    Body(BufferShare share, int sizeBytes, Executor executor) {
      this.share = share;
      this.sizeBytes = sizeBytes;
      this.executor = executor;
      waiter = registry.waiter(share, () -> executor.execute(this));
    }

    @Override
    public void run() {
      TransferBuffer last = held;
      held = null;
      if (last != null) {
        last.release();
        if (--left == 0) {
          bodiesDone.countDown();
          return;
        }
      }
      held = registry.tryAllocate(sizeBytes, "body", share, waiter);
      if (held == null) {
        waiter.await(sizeBytes);
      } else {
        executor.execute(this);
      }
    }
  }
}
