package io.millrace.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.collections.LongHashSet;
import org.junit.jupiter.api.Test;

class BufferRegistryTest {
  @Test
  void shouldHaveAllItsMemoryFromTheStartBehindPages() {
    BufferRegistry registry = Buffers.registry(3, 2);
    long total = 3L * Buffers.SMALL + 2L * Buffers.LARGE;
    assertEquals(total, registry.totalBytes());
    assertEquals(total, registry.freeBytes());
    assertEquals(0, registry.usedBytes());
    assertEquals(2, registry.memory().size());
    for (int i = 0; i < 5; i++) {
      TransferBuffer buffer = Buffers.allocate(registry, 1, "all");
      long address = buffer.segment(0).addressOffset();
      assertEquals(128, address % 4096);
      long base = registry.memory().get(i < 3 ? 0 : 1).address();
      long size = registry.memory().get(i < 3 ? 0 : 1).byteSize();
      assertTrue(address >= base && address + buffer.capacityBytes() <= base + size);
    }
    assertEquals(total, registry.usedBytes());
  }

  @Test
  void shouldTakeTheSmallestBlockThatHoldsIt() {
    BufferRegistry registry = Buffers.registry(9, 9);
    int[][] sizes = {
      {0, Buffers.SMALL, 1},
      {1, Buffers.SMALL, 1},
      {Buffers.SMALL - 1, Buffers.SMALL, 1},
      {Buffers.SMALL, Buffers.SMALL, 1},
      {Buffers.SMALL + 1, Buffers.LARGE, 1},
      {20_000, Buffers.LARGE, 1},
      {Buffers.LARGE, Buffers.LARGE, 1},
      {Buffers.LARGE + 1, Buffers.LARGE, 2},
      {Buffers.MAX - 1, Buffers.LARGE, 4},
      {Buffers.MAX, Buffers.LARGE, 4}
    };
    for (int[] size : sizes) {
      TransferBuffer buffer = Buffers.allocate(registry, size[0], "sizes");
      assertEquals(size[1], buffer.segmentBytes(), "size " + size[0]);
      assertEquals(size[2], buffer.segmentCount(), "size " + size[0]);
      assertEquals(size[1] * size[2], buffer.capacityBytes());
      assertEquals((long) size[1] * size[2], registry.usedBytes());
      assertTrue(buffer.release());
      assertEquals(0, registry.usedBytes());
    }
    for (int wrong : new int[] {-1, Integer.MIN_VALUE, Buffers.MAX + 1, Integer.MAX_VALUE}) {
      assertThrows(IllegalArgumentException.class, () -> registry.tryAllocate(wrong, "wrong"));
      assertThrows(
          IllegalArgumentException.class,
          () -> registry.tryAllocate(wrong, "wrong", null, registry.waiter(() -> {})));
    }
  }

  @Test
  void shouldFallBackToLargerBlocksAndThenHaveNothing() {
    BufferRegistry registry = Buffers.registry(1, 2);
    TransferBuffer small = Buffers.allocate(registry, 1, "a");
    TransferBuffer large = Buffers.allocate(registry, 1, "b");
    assertEquals(Buffers.LARGE, large.segmentBytes());
    assertNull(registry.tryAllocate(Buffers.LARGE + 1, "c"), "one block is not two");
    assertEquals(1, registry.freeBlocks(1), "a part must not be kept");
    assertNotNull(registry.tryAllocate(Buffers.LARGE, "d"));
    assertNull(registry.tryAllocate(0, "e"));
    small.release();
    assertNull(registry.tryAllocate(Buffers.SMALL + 1, "f"), "small blocks hold small buffers");
    assertNotNull(registry.tryAllocate(0, "g"));
  }

  @Test
  void shouldFindABufferByItsIdUntilItIsFreed() {
    BufferRegistry registry = Buffers.registry(2, 2);
    TransferBuffer first = Buffers.allocate(registry, 1, "first");
    TransferBuffer other = Buffers.allocate(registry, Buffers.MAX / 2, "other");
    assertSame(first, registry.find(first.id()));
    assertSame(other, registry.find(other.id()));
    first.release();
    assertNull(registry.find(first.id()));
    TransferBuffer again = Buffers.allocate(registry, 1, "again");
    assertEquals(
        first.id() & (1 << BufferRegistry.SLOT_BITS) - 1,
        again.id() & (1 << BufferRegistry.SLOT_BITS) - 1,
        "the same slot, or this test proves nothing");
    assertNull(registry.find(first.id()));
    assertSame(again, registry.find(again.id()));
    for (long stranger : new long[] {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 0xFF_FFFF}) {
      assertNull(registry.find(stranger));
    }
  }

  @Test
  void shouldNotRepeatAnIdInAMillionAllocations() {
    BufferRegistry registry = Buffers.registry(5, 3);
    SplittableRandom random = new SplittableRandom(5);
    LongHashSet ids = new LongHashSet(2_000_000);
    Deque<TransferBuffer> held = new ArrayDeque<>();
    for (int i = 0; i < 1_000_000; i++) {
      TransferBuffer buffer = registry.tryAllocate(random.nextInt(Buffers.LARGE * 2), "ids");
      while (buffer == null) {
        held.remove().release();
        buffer = registry.tryAllocate(1, "ids");
      }
      assertTrue(ids.add(buffer.id()), "an id came again");
      held.add(buffer);
    }
    assertEquals(1_000_000, ids.size());
    held.forEach(TransferBuffer::release);
    assertEquals(0, registry.usedBytes());
  }

  @Test
  void shouldNameTheOwnersOfWhatIsNotFree() {
    AtomicLong clockNs = new AtomicLong(1_000);
    List<BufferLeak> told = new ArrayList<>();
    BufferRegistry registry = new BufferRegistry(Buffers.settings(2, 2), leaks(told), clockNs::get);
    TransferBuffer first = Buffers.allocate(registry, 1, "first call");
    clockNs.set(1_500);
    TransferBuffer second = Buffers.allocate(registry, Buffers.LARGE + 1, "second call");
    second.retain(2);
    clockNs.set(2_000);
    List<BufferLeak> expected =
        List.of(
            new BufferLeak(first.id(), "first call", Buffers.SMALL, 1, 1_000),
            new BufferLeak(second.id(), "second call", 2 * Buffers.LARGE, 3, 500));
    assertEquals(expected, registry.outstanding());
    assertEquals(List.of(), told);
    registry.close();
    assertEquals(List.of(), told);
    registry.reportLeaks();
    registry.reportLeaks();
    second.reportLeak(1);
    assertEquals(expected, told);
  }

  @Test
  void shouldNameTheOwnerOfWhatWasDropped() {
    List<BufferLeak> told = new ArrayList<>();
    BufferRegistry registry = new BufferRegistry(Buffers.settings(2, 2), leaks(told), () -> 5);
    TransferBuffer buffer = Buffers.allocate(registry, 1, "a call");
    buffer.retain(1);
    buffer.reportLeak(77);
    assertEquals(List.of(new BufferLeak(buffer.id(), "a call", 77, 2, 0)), told);
  }

  @Test
  void shouldLeaveWhatWasHandedOutUsableWhenClosed() {
    BufferRegistry registry = Buffers.registry(2, 2);
    TransferBuffer buffer = Buffers.allocate(registry, 1, "late");
    registry.close();
    assertThrows(IllegalStateException.class, () -> registry.tryAllocate(1, "later"));
    buffer.segment(0).putLong(0, 42);
    assertEquals(42, buffer.segment(0).getLong(0));
    assertTrue(buffer.release());
    assertEquals(List.of(), registry.outstanding());
  }

  @Test
  void shouldNeverHandOutABlockTwiceAtATime() throws InterruptedException {
    long seed = 77;
    System.out.println("seed " + seed);
    BufferRegistry registry = Buffers.registry(6, 6);
    AtomicReference<String> wrong = new AtomicReference<>("");
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Random random = new Random(seed + i);
      long mark = i + 1L;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int round = 0; round < 30_000 && wrong.get().isEmpty(); round++) {
                      wrong.compareAndSet("", complaint(registry, random, mark));
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals("", wrong.get());
    assertEquals(registry.totalBytes(), registry.freeBytes());
    assertEquals(6, registry.freeBlocks(0));
    for (int i = 0; i < 12; i++) {
      assertNotNull(registry.tryAllocate(1, "every block is there again"));
    }
  }

  private static String complaint(BufferRegistry registry, Random random, long mark) {
    TransferBuffer buffer = registry.tryAllocate(random.nextInt(3 * Buffers.LARGE), "race");
    if (buffer == null) {
      return "";
    }
    for (int i = 0; i < buffer.segmentCount(); i++) {
      buffer.segment(i).putLong(0, mark);
    }
    VarHandle.fullFence();
    if (registry.find(buffer.id()) != buffer) {
      return "not found by its id";
    }
    for (int i = 0; i < buffer.segmentCount(); i++) {
      if (buffer.segment(i).getLong(0) != mark) {
        return "somebody else writes the same block";
      }
    }
    return buffer.release() ? "" : "it was not the last";
  }

  @Test
  void shouldRefuseSettingsThatCannotWork() {
    BlockClass block = new BlockClass(8192, 2);
    assertThrows(IllegalArgumentException.class, () -> new BlockClass(0, 1));
    assertThrows(IllegalArgumentException.class, () -> new BlockClass(8191, 1));
    assertThrows(IllegalArgumentException.class, () -> new BlockClass(8192, 0));
    assertThrows(IllegalArgumentException.class, () -> new BufferSettings(List.of(), 1));
    assertThrows(
        IllegalArgumentException.class, () -> new BufferSettings(List.of(block, block), 1));
    assertThrows(IllegalArgumentException.class, () -> new BufferSettings(List.of(block), 0));
    assertThrows(IllegalArgumentException.class, () -> new BufferSettings(List.of(block), 16_385));
    assertFalse(new BufferSettings(List.of(block), 16_384).classes().isEmpty());
  }

  static BufferListener leaks(List<BufferLeak> told) {
    return new BufferListener() {
      @Override
      public void onLeak(BufferLeak leak) {
        told.add(leak);
      }

      @Override
      public void onWakeFailed(RuntimeException failure) {
        throw new AssertionError(failure);
      }
    };
  }
}
