package io.millrace.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiters for many blocks beside waiters for few blocks, and waiters with a share only. */
class MemoryQueueTest {
  private static final int BLOCKS = 16;
  private static final int MANY = 8;

  private final List<String> told = new ArrayList<>();

  @Test
  void shouldCollectWhileOthersKeepTakingAndLetThemGoOn() {
    BufferRegistry registry = Buffers.registry(1, BLOCKS);
    Deque<TransferBuffer> held = fill(registry);
    MemoryWaiter large = registry.waiter(() -> told.add("large"));
    large.await(MANY * Buffers.LARGE);
    int served = 0;
    while (!told.contains("large")) {
      String name = "small " + served++;
      MemoryWaiter small = registry.waiter(() -> told.add(name));
      small.await(Buffers.LARGE);
      while (!told.contains(name)) {
        held.removeFirst().release();
      }
      held.addLast(take(registry, Buffers.LARGE, small));
      assertTrue(served <= MANY + 1, "the large one starves");
    }
    assertTrue(served > 1, "the small ones stand still");
    assertNotNull(
        registry.tryAllocateRanges(
            MANY * Buffers.LARGE, Buffers.MAX, "large", bytes -> {}, null, large));
  }

  @Test
  void shouldCollectAllThatNobodyElseWaitsFor() {
    BufferRegistry registry = Buffers.registry(1, BLOCKS);
    Deque<TransferBuffer> held = fill(registry);
    MemoryWaiter large = registry.waiter(() -> told.add("large"));
    large.await(MANY * Buffers.LARGE);
    for (int i = 0; i < MANY; i++) {
      assertEquals(List.of(), told);
      held.removeFirst().release();
      assertNull(registry.tryAllocate(Buffers.LARGE, "late"));
    }
    assertEquals(List.of("large"), told);
  }

  @Test
  void shouldGiveBackWhatWasCollectedInVain() {
    BufferRegistry registry = Buffers.registry(1, BLOCKS);
    Deque<TransferBuffer> held = fill(registry);
    MemoryWaiter large = registry.waiter(() -> told.add("large"));
    large.await(MANY * Buffers.LARGE);
    held.removeFirst().release();
    held.removeFirst().release();
    MemoryWaiter small = registry.waiter(() -> told.add("small"));
    small.await(2 * Buffers.LARGE);
    assertEquals(List.of(), told);
    large.cancel();
    assertEquals(List.of("small"), told);
    take(registry, 2 * Buffers.LARGE, small).release();
    held.forEach(TransferBuffer::release);
    assertEquals(Buffers.SMALL, registry.usedBytes());
  }

  /**
   * A waiter for many blocks holds blocks that a second waiter needs, and the second waiter holds
   * the missing blocks of the first: several blocks, or just the last block.
   */
  @ParameterizedTest
  @ValueSource(ints = {3, 1})
  void shouldNotStandStillOverTheLastBlocks(int blocks) {
    BufferRegistry registry = Buffers.registry(1, 8);
    Buffers.allocate(registry, 1, "x");
    TransferBuffer four = one(registry, 4);
    TransferBuffer one = one(registry, 1);
    TransferBuffer last = one(registry, blocks);
    if (blocks < 3) {
      one(registry, 3 - blocks);
    }
    registry.waiter(() -> told.add("large")).await(6 * Buffers.LARGE);
    four.release();
    one.release();
    registry.waiter(() -> told.add("small")).await(4 * Buffers.LARGE);
    assertEquals(List.of(), told);
    last.release();
    assertEquals(List.of("large"), told);
  }

  @Test
  void shouldLetAShareWaitForItselfOnly() {
    BufferRegistry registry = Buffers.registry(1, BLOCKS);
    BufferShare greedy = registry.share(Buffers.MAX);
    BufferShare modest = registry.share(Buffers.MAX);
    TransferBuffer first = registry.tryAllocate(2 * Buffers.LARGE, "g", greedy, null);
    TransferBuffer second = registry.tryAllocate(2 * Buffers.LARGE, "g", greedy, null);
    assertEquals(Buffers.MAX, greedy.usedBytes());
    assertNull(registry.tryAllocate(1, "g", greedy, null));
    registry.waiter(greedy, () -> told.add("three")).await(3 * Buffers.LARGE);
    registry.waiter(greedy, () -> told.add("small")).await(1);
    assertNotNull(registry.tryAllocate(Buffers.MAX, "m", modest, null), "others go on");
    release(first);
    assertEquals(List.of(), told, "the first is not overtaken within its share");
    assertNull(registry.tryAllocate(1, "g", greedy, null));
    release(second);
    assertEquals(List.of("three", "small"), told);
    assertEquals(3L * Buffers.LARGE + Buffers.SMALL, greedy.usedBytes());
  }

  @Test
  void shouldCountWholeBlocksOfWhicheverSizeTheyAre() {
    BufferRegistry registry = Buffers.registry(1, BLOCKS);
    BufferShare share = registry.share(Buffers.MAX);
    List<TransferBuffer> held = new ArrayList<>();
    TransferBuffer next = registry.tryAllocate(1, "tiny", share, null);
    while (next != null) {
      held.add(next);
      next = registry.tryAllocate(1, "tiny", share, null);
    }
    assertEquals(1 + 3, held.size());
    held.forEach(TransferBuffer::release);
    assertEquals(0, share.usedBytes());
    assertThrows(IllegalArgumentException.class, () -> registry.share(Buffers.MAX - 1));
  }

  /** As when a node gives up many transfers to a stalled peer. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2 * MANY})
  void shouldNotKeepThoseThatHaveGoneWhileOthersWait(int blocks) {
    BufferRegistry registry = Buffers.registry(1, BLOCKS);
    BufferShare share = registry.shareOfLargest((long) BLOCKS * Buffers.LARGE);
    Deque<TransferBuffer> held = fill(registry);
    registry.waiter(share, () -> told.add("first")).await(blocks * Buffers.LARGE);
    registry.waiter(share, () -> told.add("second")).await(blocks * Buffers.LARGE);
    WeakReference<Object> gone = comeAndGo(registry, share, blocks);
    for (int i = 0; i < 100 && gone.get() != null; i++) {
      System.gc();
    }
    assertNull(gone.get(), "kept by the queue");
    registry.close();
    assertEquals(List.of("first", "second"), told);
    held.forEach(TransferBuffer::release);
    assertEquals(0, share.usedBytes());
  }

  private static WeakReference<Object> comeAndGo(
      BufferRegistry registry, BufferShare share, int blocks) {
    Object body = new Object();
    MemoryWaiter waiter = registry.waiter(share, () -> List.of(body));
    waiter.await(blocks * Buffers.LARGE);
    waiter.cancel();
    return new WeakReference<>(body);
  }

  /** Payloads held whole leave blocks to callers that need a single buffer at a time. */
  @Test
  void shouldLeaveLargeBlocksToThoseOutsideAShareOfThem() {
    BufferRegistry registry = Buffers.registry(1, BLOCKS);
    BufferShare shared = registry.shareOfLargest((BLOCKS - 5) * Buffers.LARGE - 1L);
    List<TransferBuffer> held = ranges(registry, MANY, shared, null);
    assertNotNull(registry.tryAllocate(1, "little", shared, null), "small blocks do not count");
    assertEquals((long) MANY * Buffers.LARGE, shared.usedBytes());
    MemoryWaiter more = registry.waiter(shared, () -> told.add("more"));
    more.await(MANY * Buffers.LARGE);
    registry.waiter(shared, () -> told.add("last")).await(1);
    assertEquals(List.of(), told);
    TransferBuffer part = registry.tryAllocate(Buffers.MAX, "part", null, null);
    assertNotNull(part, "others go on");
    held.forEach(TransferBuffer::release);
    assertEquals(List.of("more", "last"), told);
    assertEquals((MANY + 1L) * Buffers.LARGE, shared.usedBytes());
    ranges(registry, MANY, shared, more).forEach(TransferBuffer::release);
    assertEquals(Buffers.LARGE, shared.usedBytes());
  }

  @Test
  void shouldCountWhatIsCollectedFromItsBeginningToItsEnd() {
    BufferRegistry registry = Buffers.registry(1, BLOCKS);
    BufferShare shared = registry.shareOfLargest((long) MANY * Buffers.LARGE);
    Deque<TransferBuffer> held = fill(registry);
    MemoryWaiter first = registry.waiter(shared, () -> told.add("first"));
    first.await((MANY - 1) * Buffers.LARGE);
    held.removeFirst().release();
    assertEquals((MANY - 1L) * Buffers.LARGE, shared.usedBytes());
    MemoryWaiter second = registry.waiter(shared, () -> told.add("second"));
    second.await(MANY * Buffers.LARGE);
    first.cancel();
    assertEquals((long) MANY * Buffers.LARGE, shared.usedBytes(), "the next one's turn has come");
    held.removeFirst().release();
    registry.close();
    assertEquals(List.of("second"), told);
    assertEquals(0, shared.usedBytes());
    held.forEach(TransferBuffer::release);
    assertEquals(Buffers.SMALL, registry.usedBytes());
  }

  /**
   * Random users that come, go and give up: no waiter is lost, and in the end each waiter gets its
   * call.
   */
  @Test
  void shouldLoseNothing() {
    for (int seed = 0; seed < 200; seed++) {
      new Walk(seed).run();
    }
  }

  /** Random users of a small registry. */
  private static final class Walk {
    private final Random random;
    private final BufferRegistry registry = Buffers.registry(3, BLOCKS);
    private final List<BufferShare> shares =
        List.of(
            registry.share(Buffers.MAX),
            registry.share(2 * Buffers.MAX),
            registry.shareOfLargest(10 * Buffers.LARGE));
    private final Map<MemoryWaiter, Integer> waiting = new HashMap<>();
    private final Map<MemoryWaiter, BufferShare> shareOf = new HashMap<>();
    private final List<MemoryWaiter> told = new ArrayList<>();
    private final List<TransferBuffer> held = new ArrayList<>();
    private final int seed;

    Walk(int seed) {
      this.seed = seed;
      random = new Random(seed);
    }

    void run() {
      for (int i = 0; i < 500; i++) {
        step();
        assertEquals(heldOf(0) + heldOf(1) <= registry.usedBytes(), true, "seed " + seed);
      }
      for (int i = 0; i < 10_000 && !(waiting.isEmpty() && held.isEmpty()); i++) {
        serveTold();
        release();
      }
      assertEquals(Map.of(), waiting, "seed " + seed + ": somebody was never told");
      assertEquals(0, registry.usedBytes(), "seed " + seed);
      shares.forEach(share -> assertEquals(0, share.usedBytes(), "seed " + seed));
      assertNotNull(registry.tryAllocate(Buffers.MAX, "after", null, null), "seed " + seed);
    }

    private long heldOf(int share) {
      return shares.get(share).usedBytes();
    }

    private void step() {
      switch (random.nextInt(5)) {
        case 0, 1 -> come();
        case 2 -> release();
        case 3 -> serveTold();
        default -> giveUp();
      }
    }

    private void come() {
      int user = random.nextInt(5);
      BufferShare share = user < 3 ? shares.get(user) : null;
      boolean isMany = user == 3 || (user == 2 && random.nextBoolean());
      int size =
          isMany
              ? (5 + random.nextInt(4)) * Buffers.LARGE
              : 1 + random.nextInt(random.nextBoolean() ? Buffers.SMALL : Buffers.MAX);
      TransferBuffer buffer = isMany ? null : registry.tryAllocate(size, "walk", share, null);
      if (buffer != null) {
        held.add(buffer);
        return;
      }
      MemoryWaiter[] self = new MemoryWaiter[1];
      self[0] =
          share == null
              ? registry.waiter(() -> told.add(self[0]))
              : registry.waiter(share, () -> told.add(self[0]));
      waiting.put(self[0], size);
      if (share != null) {
        shareOf.put(self[0], share);
      }
      self[0].await(size);
    }

    private void release() {
      if (!held.isEmpty()) {
        held.remove(random.nextInt(held.size())).release();
      }
    }

    private void giveUp() {
      if (!waiting.isEmpty()) {
        MemoryWaiter one = waiting.keySet().iterator().next();
        waiting.remove(one);
        told.remove(one);
        one.cancel();
      }
    }

    private void serveTold() {
      List<MemoryWaiter> now = List.copyOf(told);
      told.clear();
      for (MemoryWaiter waiter : now) {
        int size = Objects.requireNonNull(waiting.remove(waiter), "told in vain");
        if (size > Buffers.MAX) {
          held.addAll(
              Objects.requireNonNull(
                  registry.tryAllocateRanges(
                      size, Buffers.MAX, "walk", bytes -> {}, shareOf.get(waiter), waiter)));
        } else {
          held.add(
              Objects.requireNonNull(
                  registry.tryAllocate(size, "walk", shareOf.get(waiter), waiter)));
        }
      }
    }
  }

  private static Deque<TransferBuffer> fill(BufferRegistry registry) {
    Buffers.allocate(registry, 1, "small");
    Deque<TransferBuffer> held = new ArrayDeque<>();
    for (int i = 0; i < BLOCKS; i++) {
      held.add(one(registry, 1));
    }
    return held;
  }

  private static List<TransferBuffer> ranges(
      BufferRegistry registry, int blocks, BufferShare share, @Nullable MemoryWaiter waiter) {
    return Objects.requireNonNull(
        registry.tryAllocateRanges(
            blocks * Buffers.LARGE, Buffers.MAX, "ranges", bytes -> {}, share, waiter));
  }

  private static TransferBuffer one(BufferRegistry registry, int blocks) {
    return Buffers.allocate(registry, blocks * Buffers.LARGE, "held");
  }

  private static TransferBuffer take(BufferRegistry registry, int bytes, MemoryWaiter waiter) {
    return Objects.requireNonNull(registry.tryAllocate(bytes, "taker", null, waiter), "none");
  }

  private static void release(@Nullable TransferBuffer buffer) {
    Objects.requireNonNull(buffer).release();
  }
}
