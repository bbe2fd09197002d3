package io.millrace.buffer;

import io.millrace.queue.ManyToOneQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Heap blocks in which a worker hands bytes to application threads, so that the worker allocates
 * nothing in the steady state. The worker acquires; any thread releases. The pool keeps at most
 * {@code blocks} free blocks of each size, and makes a new block while no block is free. Small
 * sizes matter: a call that waits for its answer keeps its block. The room for free blocks of a
 * size, 4 or 8 bytes a block, is made with the first block of that size: a worker that needs no
 * block of a size has no such room.
 */
public final class BlockPool {
  private final int blocks;
  private final Size[] sizes;

  /** Blocks of a single size. Worker's thread only. */
  private static final class Size {
    private final int bytes;

    /** Null before the first block of this size. */
    private @Nullable ManyToOneQueue<Block> free;

    private Size(int bytes) {
      this.bytes = bytes;
    }
  }

  /** A block; its holder, by acquisition or by handover, releases the block once. */
  public static final class Block {
    private static final VarHandle HELD;

    static {
      try {
        HELD = MethodHandles.lookup().findVarHandle(Block.class, "isHeld", boolean.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private final byte[] bytes;

    /** The queue where the block waits while free; null for a block of another size. */
    private final @Nullable ManyToOneQueue<Block> home;

    @SuppressWarnings("UnusedVariable") // read by HELD
    private volatile boolean isHeld = true;

    private Block(int length, @Nullable ManyToOneQueue<Block> home) {
      bytes = new byte[length];
      this.home = home;
    }

    /** The block's memory, with any content; for the holder only. */
    public byte[] bytes() {
      return bytes;
    }
  }

  /**
   * A pool that keeps at most {@code blocks} free blocks of each size.
   *
   * @param sizes bytes, the smallest first
   */
  public BlockPool(int blocks, int... sizes) {
    this.blocks = blocks;
    this.sizes = new Size[sizes.length];
    for (int i = 0; i < sizes.length; i++) {
      if (i > 0 && sizes[i] <= sizes[i - 1]) {
        throw new IllegalArgumentException("a size of " + sizes[i] + " bytes is not larger");
      }
      this.sizes[i] = new Size(sizes[i]);
    }
  }

  /** A block of at least {@code length} bytes. Worker's thread only. */
  public Block acquire(int length) {
    for (Size size : sizes) {
      if (length <= size.bytes) {
        return acquire(size);
      }
    }
    return new Block(length, null);
  }

  private Block acquire(Size size) {
    ManyToOneQueue<Block> free = size.free;
    if (free == null) {
      free = new ManyToOneQueue<>(blocks);
      size.free = free;
    }
    Block block = free.poll();
    if (block == null) {
      return new Block(size.bytes, free);
    }
    block.isHeld = true;
    return block;
  }

  /**
   * Gives a block back; a block of another size is left to the collector. Any thread.
   *
   * @throws IllegalStateException if the block was given back before: nothing has happened
   */
  public void release(Block block) {
    if (!Block.HELD.compareAndSet(block, true, false)) {
      throw new IllegalStateException("a block was given back twice");
    }
    ManyToOneQueue<Block> home = block.home;
    if (home != null) {
      home.offer(block);
    }
  }
}
