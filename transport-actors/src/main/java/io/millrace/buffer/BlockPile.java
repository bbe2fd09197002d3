package io.millrace.buffer;

import io.millrace.driver.MappedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one class of blocks. A block on the heap is made when it is first handed out, and
 * the block that came back last goes out first, so that as many are made as were ever needed at
 * once; blocks off heap are mapped together, and the system gives pages when they are touched. Each
 * block begins 128 bytes behind a page, like the slots that packets are received into: a copy
 * between places that are almost equal modulo the page is many times slower on some processors.
 *
 * <p>The memory lives as long as anything refers to a block of it, so that closing the registry
 * cannot pull it from under a straggler.
 */
final class BlockPile {
  private static final int PAGE_BYTES = 4096;
  private static final int SHIFT_BYTES = 128;
  private static final int TAG_BYTES = BufferBinding.TAG_BYTES;

  private final int blockBytes;
  private final int index;
  private final int firstSlot;
  private final MemorySegment memory;
  private final @Nullable UnsafeBuffer[] blocks; // an element belongs to the owner of its block
  private final BlockStack free;

  /**
   * The blocks of a class, the first of which has the slot {@code firstSlot} in the registry. Those
   * on the heap have room for a tag behind the block, so that a record is sealed where it lies.
   */
  BlockPile(BlockClass settings, int index, int firstSlot, boolean isOnHeap) {
    this.index = index;
    this.blockBytes = settings.blockBytes();
    this.firstSlot = firstSlot;
    long total = settings.totalBytes();
    blocks = new @Nullable UnsafeBuffer[settings.blocks()];
    if (isOnHeap) {
      memory = MemorySegment.NULL;
    } else {
      memory =
          MappedMemory.map(Arena.ofAuto(), total + SHIFT_BYTES, PAGE_BYTES)
              .asSlice(SHIFT_BYTES, total);
      for (int i = 0; i < blocks.length; i++) {
        blocks[i] =
            new UnsafeBuffer(memory.asSlice((long) i * blockBytes, blockBytes).asByteBuffer());
      }
    }
    free = new BlockStack(blocks.length);
  }

  int blockBytes() {
    return blockBytes;
  }

  int blockCount() {
    return blocks.length;
  }

  /** How many hold so many bytes. */
  int blocksOf(int sizeBytes) {
    return Math.max(1, (int) (((long) sizeBytes + blockBytes - 1) / blockBytes));
  }

  /** Which class of the registry it is, from 0. */
  int index() {
    return index;
  }

  int firstSlot() {
    return firstSlot;
  }

  long totalBytes() {
    return (long) blockBytes * blocks.length;
  }

  /** Of no length where the blocks lie on the heap. */
  MemorySegment memory() {
    return memory;
  }

  /** A block that the caller has taken: nobody else looks at it meanwhile. */
  UnsafeBuffer block(int index) {
    UnsafeBuffer block = blocks[index];
    if (block == null) {
      block = new UnsafeBuffer(new byte[blockBytes + TAG_BYTES], 0, blockBytes);
      blocks[index] = block;
    }
    return block;
  }

  BlockStack free() {
    return free;
  }
}
