package io.millrace.buffer;

import io.millrace.driver.MappedMemory;
import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a class of blocks. A block on the heap gets its array at its first write, and the
 * block that came back last goes out first. So the number of arrays is the largest number of blocks
 * needed at once. While nobody holds the block, its array is parked: the search for memory to give
 * back takes parked arrays, and never the array of a held block. Blocks off heap are mapped
 * together, and the system gives pages at their first touch; a driver has registered the pages, so
 * the pages stay. Each block begins 128 bytes behind a page, like the slots that packets are
 * received into: a copy between places that are almost equal modulo the page is many times slower
 * on some processors.
 *
 * <p>The memory lives as long as anything refers to a block of the memory, so that closing the
 * registry cannot pull the memory from under a straggler.
 */
final class BlockPile {
  private static final int PAGE_BYTES = 4096;
  private static final int SHIFT_BYTES = 128;
  private static final int TAG_BYTES = BufferBinding.TAG_BYTES;

  private final int blockBytes;
  private final int index;
  private final int firstSlot;
  private final MemorySegment memory;

  /** Arrays of held blocks, or of all blocks off heap. */
  private final AtomicReferenceArray<@Nullable SegmentBuffer> blocks;

  /** Arrays of free blocks. */
  private final @Nullable AtomicReferenceArray<@Nullable SegmentBuffer> parked;

  /**
   * For each parked array, the value of {@link #lookedNs} when the array came back; written before
   * the array is parked.
   */
  private final long[] parkedNs;

  /** The time of the last search for blocks to give back. */
  private volatile long lookedNs = Long.MIN_VALUE;

  private final BlockStack free;

  /**
   * The blocks of a class, the first of which has the slot {@code firstSlot} in the registry.
   * Blocks on the heap have room for a tag behind the block, so that a record is sealed in place.
   */
  BlockPile(BlockClass settings, int index, int firstSlot, boolean isOnHeap) {
    this.index = index;
    this.blockBytes = settings.blockBytes();
    this.firstSlot = firstSlot;
    long total = settings.totalBytes();
    int count = settings.blocks();
    blocks = new AtomicReferenceArray<>(count);
    parkedNs = new long[isOnHeap ? count : 0];
    parked = isOnHeap ? new AtomicReferenceArray<>(count) : null;
    if (isOnHeap) {
      memory = MemorySegment.NULL;
    } else {
      memory =
          MappedMemory.map(Arena.ofAuto(), total + SHIFT_BYTES, PAGE_BYTES)
              .asSlice(SHIFT_BYTES, total);
      for (int i = 0; i < count; i++) {
        blocks.setPlain(
            i, new SegmentBuffer(memory.asSlice((long) i * blockBytes, blockBytes).asByteBuffer()));
      }
    }
    free = new BlockStack(count);
  }

  int blockBytes() {
    return blockBytes;
  }

  int blockCount() {
    return blocks.length();
  }

  /** The number of blocks that hold this number of bytes. */
  int blocksOf(int sizeBytes) {
    return Math.max(1, (int) (((long) sizeBytes + blockBytes - 1) / blockBytes));
  }

  /** The number of this class in the registry, from 0. */
  int index() {
    return index;
  }

  int firstSlot() {
    return firstSlot;
  }

  long totalBytes() {
    return (long) blockBytes * blocks.length();
  }

  /** Of no length where the blocks lie on the heap. */
  MemorySegment memory() {
    return memory;
  }

  /** A block that the caller has taken: nobody else looks at the block meanwhile. */
  SegmentBuffer block(int index) {
    SegmentBuffer block = blocks.get(index);
    return block == null ? make(index) : block;
  }

  /** A straggler may be here, too: the first array stays. */
  private SegmentBuffer make(int index) {
    SegmentBuffer made = new SegmentBuffer(new byte[blockBytes + TAG_BYTES], 0, blockBytes);
    SegmentBuffer before = blocks.compareAndExchange(index, null, made);
    return before == null ? made : before;
  }

  /** The caller has just taken these blocks: their arrays are its own. */
  void unpark(int[] taken) {
    if (parked == null) {
      return;
    }
    for (int block : taken) {
      SegmentBuffer array = parked.getAndSet(block, null);
      if (array != null) {
        blocks.set(block, array);
      }
    }
  }

  /** The caller is about to free these blocks, and reads and writes the blocks no more. */
  void park(int[] released) {
    if (parked == null) {
      return;
    }
    for (int block : released) {
      SegmentBuffer array = blocks.get(block);
      blocks.setPlain(block, null);
      parkedNs[block] = lookedNs;
      parked.setRelease(block, array);
    }
  }

  /** Arrays that come back from now on count as back after {@code nowNs}. */
  void onLook(long nowNs) {
    lookedNs = nowNs;
  }

  /**
   * Lets go of arrays that came back before somebody looked at {@code sinceNs}, and were not needed
   * since. A clock that threads read at the same time may let a block go early, which costs an
   * array.
   *
   * @return how many came back later, and stay
   */
  int giveBack(long sinceNs, long nowNs) {
    int kept = 0;
    for (int i = 0; i < parkedNs.length && parked != null; i++) {
      SegmentBuffer array = parked.getAcquire(i);
      if (array != null && parkedNs[i] < sinceNs) {
        parked.compareAndSet(i, array, null);
      } else if (array != null) {
        kept++;
      }
    }
    onLook(nowNs);
    return kept;
  }

  BlockStack free() {
    return free;
  }
}
