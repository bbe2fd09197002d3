package io.millrace.buffer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The memory of one class of blocks, allocated and touched at once. Each block begins 128 bytes
 * behind a page, like the slots that packets are received into: a copy between places that are
 * almost equal modulo the page is many times slower on some processors.
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
  private final UnsafeBuffer[] blocks;
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
    blocks = new UnsafeBuffer[settings.blocks()];
    if (isOnHeap) {
      memory = MemorySegment.NULL;
      for (int i = 0; i < blocks.length; i++) {
        blocks[i] = new UnsafeBuffer(new byte[blockBytes + TAG_BYTES], 0, blockBytes);
      }
    } else {
      memory = Arena.ofAuto().allocate(total + SHIFT_BYTES, PAGE_BYTES).asSlice(SHIFT_BYTES, total);
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

  UnsafeBuffer block(int index) {
    return blocks[index];
  }

  BlockStack free() {
    return free;
  }
}
