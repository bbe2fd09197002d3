package io.millrace.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A single allocation whose ranges are held and freed range by range. */
class BufferRangesTest {
  private static final int RANGE = 4 * Buffers.LARGE;

  private final List<Integer> freed = new ArrayList<>();

  private List<TransferBuffer> allocate(BufferRegistry registry, int bytes) {
    return Objects.requireNonNull(
        registry.tryAllocateRanges(bytes, RANGE, "ranges", freed::add, null, null), "no memory");
  }

  @Test
  void shouldCutOneAllocationIntoRanges() {
    BufferRegistry registry = Buffers.registry(4, 16);
    List<TransferBuffer> ranges = allocate(registry, 2 * RANGE + Buffers.LARGE + 1);
    assertEquals(1, registry.allocations());
    assertEquals(
        List.of(RANGE, RANGE, 2 * Buffers.LARGE),
        ranges.stream().map(TransferBuffer::capacityBytes).toList());
    assertEquals(10L * Buffers.LARGE, registry.usedBytes());
    for (TransferBuffer range : ranges) {
      assertEquals(range, registry.find(range.id()));
      assertEquals(1, range.refCount());
    }
  }

  @Test
  void shouldFreeEachRangeWithItsLastHolderAndTellItsBytes() {
    BufferRegistry registry = Buffers.registry(4, 16);
    int size = 2 * RANGE + 100;
    List<TransferBuffer> ranges = allocate(registry, size);
    ranges.forEach(range -> range.retain(2));
    ranges.get(1).release();
    ranges.get(1).release();
    assertEquals(List.of(), freed);
    assertTrue(ranges.get(1).release());
    assertEquals(List.of(RANGE), freed);
    assertEquals(5L * Buffers.LARGE, registry.usedBytes());
    assertThrows(IllegalStateException.class, () -> ranges.get(1).release());
    for (int i = 0; i < 3; i++) {
      ranges.get(0).release();
      ranges.get(2).release();
    }
    assertEquals(List.of(RANGE, RANGE, 100), freed);
    assertEquals(0, registry.usedBytes());
  }

  @Test
  void shouldTakeASmallBlockForLittle() {
    BufferRegistry registry = Buffers.registry(1, 4);
    List<TransferBuffer> ranges = allocate(registry, 1);
    assertEquals(1, ranges.size());
    assertEquals(Buffers.SMALL, registry.usedBytes());
  }

  @Test
  void shouldTakeAllOrNothing() {
    BufferRegistry registry = Buffers.registry(1, 8);
    TransferBuffer other = Buffers.allocate(registry, Buffers.LARGE, "other");
    assertNull(
        registry.tryAllocateRanges(8 * Buffers.LARGE, RANGE, "ranges", freed::add, null, null));
    assertEquals(Buffers.LARGE, registry.usedBytes());
    assertEquals(1, registry.allocations());
    List<Boolean> told = new ArrayList<>();
    MemoryWaiter waiter = registry.waiter(() -> told.add(true));
    waiter.await(8 * Buffers.LARGE);
    other.release();
    assertEquals(List.of(true), told);
    List<TransferBuffer> ranges =
        registry.tryAllocateRanges(8 * Buffers.LARGE, RANGE, "ranges", freed::add, null, waiter);
    assertEquals(2, ranges == null ? 0 : ranges.size());
  }

  @Test
  void shouldRefuseSizesThatCannotBe() {
    BufferRegistry registry = Buffers.registry(1, 8);
    int most = registry.maxRangesBytes();
    assertEquals(8 * Buffers.LARGE, most);
    int[][] wrong = {{0, RANGE}, {-1, RANGE}, {most + 1, RANGE}, {10, 0}, {10, RANGE + 1}};
    for (int[] sizes : wrong) {
      assertThrows(
          IllegalArgumentException.class,
          () -> registry.tryAllocateRanges(sizes[0], sizes[1], "wrong", freed::add, null, null));
    }
    assertThrows(IllegalArgumentException.class, () -> registry.waiter(() -> {}).await(most + 1));
    registry.close();
    assertThrows(
        IllegalStateException.class,
        () -> registry.tryAllocateRanges(10, RANGE, "closed", freed::add, null, null));
  }

  @Test
  void shouldNeverGiveABlockTwice() {
    BufferRegistry registry = Buffers.registry(2, 32);
    Random random = new Random(3);
    List<TransferBuffer> held = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      if (random.nextInt(3) > 0 && !held.isEmpty()) {
        TransferBuffer gone = held.remove(random.nextInt(held.size()));
        byte[] content = new byte[1];
        gone.getBytes(gone.capacityBytes() - 1, content, 0, 1);
        assertEquals((byte) gone.id(), content[0]);
        gone.release();
      } else {
        int size = 1 + random.nextInt(3 * RANGE);
        List<TransferBuffer> next =
            registry.tryAllocateRanges(size, RANGE, "random", freed::add, null, null);
        if (next != null) {
          next.forEach(BufferRangesTest::mark);
          held.addAll(next);
        }
      }
    }
    held.forEach(TransferBuffer::release);
    assertFalse(freed.isEmpty());
    assertEquals(0, registry.usedBytes());
    assertEquals(List.of(), registry.outstanding());
  }

  private static void mark(TransferBuffer range) {
    range.beginWrite();
    range.putBytes(range.capacityBytes() - 1, new byte[] {(byte) range.id()}, 0, 1);
    range.fill(range.capacityBytes());
  }
}
