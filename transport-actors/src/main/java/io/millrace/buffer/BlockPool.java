package io.millrace.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * Heap blocks in which a worker hands bytes to application threads, so that the worker allocates
 * nothing in the steady state. The worker acquires; any thread releases. Of each size at most
 * {@code blocks} free ones are kept, and while none is free a new one is made. Small sizes matter:
 * a call that waits for its answer keeps its block.
 */
public final class BlockPool {
  private static final int NO_CLASS = -1;

  private final int[] sizes;
  private final List<ManyToOneConcurrentArrayQueue<Block>> free = new ArrayList<>();

  /** A block; whoever acquired it, or was given it, releases it once. */
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
    private final int sizeClass;

    @SuppressWarnings("UnusedVariable") // read by HELD
    private volatile boolean isHeld = true;

    private Block(int length, int sizeClass) {
      bytes = new byte[length];
      this.sizeClass = sizeClass;
    }

    /** Its memory, with any content; of its holder only. */
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
    this.sizes = sizes.clone();
    for (int i = 0; i < sizes.length; i++) {
      if (i > 0 && sizes[i] <= sizes[i - 1]) {
        throw new IllegalArgumentException("a size of " + sizes[i] + " bytes is not larger");
      }
      free.add(new ManyToOneConcurrentArrayQueue<>(blocks));
    }
  }

  /** A block of at least {@code length} bytes. Worker's thread only. */
  public Block acquire(int length) {
    for (int i = 0; i < sizes.length; i++) {
      if (length <= sizes[i]) {
        Block block = free.get(i).poll();
        if (block == null) {
          return new Block(sizes[i], i);
        }
        block.isHeld = true;
        return block;
      }
    }
    return new Block(length, NO_CLASS);
  }

  /**
   * Gives a block back; one of another size is left to the collector. Any thread.
   *
   * @throws IllegalStateException if it was given back before: nothing has happened
   */
  public void release(Block block) {
    if (!Block.HELD.compareAndSet(block, true, false)) {
      throw new IllegalStateException("a block was given back twice");
    }
    if (block.sizeClass != NO_CLASS) {
      free.get(block.sizeClass).offer(block);
    }
  }
}
