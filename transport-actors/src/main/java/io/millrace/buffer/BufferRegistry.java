package io.millrace.buffer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory that bodies are sent from, one registry for a node: blocks of a few sizes, allocated
 * when it is made, and a map from ids to the buffers that are made of them. Any thread; lock-free.
 *
 * <p>A buffer takes one block of the smallest class that holds it, or of a larger one if there is
 * none left; only what no block holds takes several, of the largest class. It has the slot of its
 * first block, and an id of the slot (lower {@value #SLOT_BITS} bits) and of how often the slot was
 * used, so that an id is found without search and means one allocation only.
 */
public final class BufferRegistry implements AutoCloseable {
  /** Lowest bits of an id, which are the slot. */
  public static final int SLOT_BITS = 24;

  private static final long SLOT_MASK = (1L << SLOT_BITS) - 1;
  private static final int MAX_LOOKED_AT = 32;

  private final BufferSettings settings;
  private final BufferListener listener;
  private final LongSupplier clockNs;
  private final BlockPile[] piles;
  private final AtomicReferenceArray<@Nullable TransferBuffer> slots;
  // Of each slot; touched only by the owner of its block, who hands it on with the block.
  private final long[] generations;
  private final Queue<MemoryWaiter.Wait> waits = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicLong allocations = new AtomicLong();

  /** A registry that tells nobody about leaks. */
  public BufferRegistry(BufferSettings settings) {
    this(settings, BufferListener.SILENT, System::nanoTime);
  }

  /**
   * Allocates all the memory.
   *
   * @param clockNs where the age of buffers comes from
   * @throws OutOfMemoryError if the system has not that much
   */
  public BufferRegistry(BufferSettings settings, BufferListener listener, LongSupplier clockNs) {
    this.settings = settings;
    this.listener = listener;
    this.clockNs = clockNs;
    piles = new BlockPile[settings.classes().size()];
    int slot = 0;
    for (int i = 0; i < piles.length; i++) {
      piles[i] = new BlockPile(settings.classes().get(i), i, slot, settings.isOnHeap());
      slot += piles[i].blockCount();
    }
    slots = new AtomicReferenceArray<>(slot);
    generations = new long[slot];
  }

  /**
   * Hands out a buffer, which the caller holds.
   *
   * @param sizeBytes 0 to the largest of the settings
   * @param owner for whom, to name him if it is never released
   * @return null if there is not enough memory now
   * @throws IllegalArgumentException if the size is out of bounds
   * @throws IllegalStateException after {@link #close}
   */
  public @Nullable TransferBuffer tryAllocate(int sizeBytes, String owner) {
    requireSize(sizeBytes);
    if (closed.get()) {
      throw new IllegalStateException("the buffer registry is closed");
    }
    for (int i = firstClass(sizeBytes); i < piles.length; i++) {
      int[] blocks = new int[blocksOf(piles[i], sizeBytes)];
      if (piles[i].free().tryPop(blocks)) {
        TransferBuffer buffer = register(piles[i], blocks, owner, BufferRegistry::tellNobody);
        allocations.incrementAndGet();
        wakeOne();
        return buffer;
      }
    }
    return null;
  }

  /**
   * Hands out one allocation as a list of buffers, each of which is held and freed by itself.
   *
   * @param sizeBytes 1 to {@link #maxRangesBytes}
   * @param rangeBytes of each buffer but the last; blocks of the largest class make it up
   * @param owner for whom, to name him if it is never released
   * @param freed told the bytes of a range, of those asked for, when it is freed; any thread, must
   *     not block
   * @return null if there is not enough memory now
   * @throws IllegalArgumentException if a size is out of bounds
   * @throws IllegalStateException after {@link #close}
   */
  public @Nullable List<TransferBuffer> tryAllocateRanges(
      int sizeBytes, int rangeBytes, String owner, IntConsumer freed) {
    requireRangesSize(sizeBytes);
    requireRange(rangeBytes);
    if (closed.get()) {
      throw new IllegalStateException("the buffer registry is closed");
    }
    for (int i = firstClass(sizeBytes); i < piles.length; i++) {
      int[] blocks = new int[blocksOf(piles[i], sizeBytes)];
      if (piles[i].free().tryPop(blocks)) {
        List<TransferBuffer> ranges = cut(piles[i], blocks, sizeBytes, rangeBytes, owner, freed);
        allocations.incrementAndGet();
        wakeOne();
        return ranges;
      }
    }
    return null;
  }

  private List<TransferBuffer> cut(
      BlockPile pile,
      int[] blocks,
      int sizeBytes,
      int rangeBytes,
      String owner,
      IntConsumer freed) {
    int step = Math.max(1, rangeBytes / pile.blockBytes());
    List<TransferBuffer> ranges = new ArrayList<>();
    for (int from = 0; from < blocks.length; from += step) {
      int[] part = Arrays.copyOfRange(blocks, from, Math.min(blocks.length, from + step));
      int bytes = Math.min(rangeBytes, sizeBytes - from * pile.blockBytes());
      ranges.add(register(pile, part, owner, () -> freed.accept(bytes)));
    }
    return List.copyOf(ranges);
  }

  /**
   * Hands out one allocation for several messages, in blocks of the largest class. Each is a buffer
   * that is written, held and released by itself; the memory is free when the last of them is
   * released.
   *
   * @param lengths bytes of each, 1 or more; {@link #batchBytes} is at most {@link #maxRangesBytes}
   * @param owner for whom, to name him if it is never released
   * @param freed told the bytes of the blocks when they are freed; any thread, must not block
   * @return null if there is not enough memory now
   * @throws IllegalArgumentException if a size is out of bounds
   * @throws IllegalStateException after {@link #close}
   */
  public @Nullable List<TransferBuffer> tryAllocateBatch(
      int[] lengths, String owner, IntConsumer freed) {
    BlockPile pile = piles[piles.length - 1];
    BatchLayout layout = new BatchLayout(lengths, pile.blockBytes());
    if (layout.totalBytes() > maxRangesBytes()) {
      throw new IllegalArgumentException(
          "a batch has up to " + maxRangesBytes() + " bytes, not " + layout.totalBytes());
    }
    if (closed.get()) {
      throw new IllegalStateException("the buffer registry is closed");
    }
    int bytes = (int) layout.totalBytes();
    int[] blocks = new int[bytes / pile.blockBytes()];
    if (!pile.free().tryPop(blocks)) {
      return null;
    }
    TransferBuffer whole = register(pile, blocks, owner, () -> freed.accept(bytes));
    allocations.incrementAndGet();
    wakeOne();
    return whole.slices(layout);
  }

  /**
   * Bytes of the blocks that messages of these lengths take together; what a {@link #rangesWaiter}
   * for them waits for.
   *
   * @throws IllegalArgumentException if there is none, or one is empty
   */
  public long batchBytes(int[] lengths) {
    return new BatchLayout(lengths, piles[piles.length - 1].blockBytes()).totalBytes();
  }

  /** The most bytes of one allocation in ranges. */
  public int maxRangesBytes() {
    return (int) Math.min(BufferSettings.MAX_BUFFER_BYTES, piles[piles.length - 1].totalBytes());
  }

  /** How many times memory was handed out, whatever its size. */
  public long allocations() {
    return allocations.get();
  }

  /**
   * The buffer with this id, or null if it was freed or never was. It may be freed at any time by
   * those who hold it: {@link TransferBuffer#tryRetain} says whether the caller came in time.
   */
  public @Nullable TransferBuffer find(long id) {
    int slot = (int) (id & SLOT_MASK);
    if (slot >= slots.length()) {
      return null;
    }
    TransferBuffer buffer = slots.get(slot);
    return buffer != null && buffer.id() == id && buffer.refCount() > 0 ? buffer : null;
  }

  /**
   * One that can wait for memory.
   *
   * <p>Whoever wants the size of one block is told as soon as one is free. Whoever wants several
   * may be overtaken for as long as others keep taking single ones.
   *
   * @param sizeBytes what it will ask for
   * @param wake run by whatever thread frees memory; short, does not block, does not throw
   */
  public MemoryWaiter waiter(int sizeBytes, Runnable wake) {
    requireSize(sizeBytes);
    return new MemoryWaiter(this, sizeBytes, wake);
  }

  /** The same for {@link #tryAllocateRanges}. */
  public MemoryWaiter rangesWaiter(int sizeBytes, Runnable wake) {
    requireRangesSize(sizeBytes);
    return new MemoryWaiter(this, sizeBytes, wake);
  }

  /** Number of classes. */
  public int classCount() {
    return piles.length;
  }

  /** Free blocks of a class, which are numbered from 0. */
  public int freeBlocks(int classIndex) {
    return piles[classIndex].free().available();
  }

  /** Bytes of all free blocks. */
  public long freeBytes() {
    long sum = 0;
    for (BlockPile pile : piles) {
      sum += (long) pile.free().available() * pile.blockBytes();
    }
    return sum;
  }

  /** Bytes of all blocks that are part of a buffer. */
  public long usedBytes() {
    return totalBytes() - freeBytes();
  }

  /** Bytes of all blocks. */
  public long totalBytes() {
    long sum = 0;
    for (BlockPile pile : piles) {
      sum += pile.totalBytes();
    }
    return sum;
  }

  /**
   * Where the blocks lie, one piece of native memory for each class, for drivers to register;
   * nothing where they lie on the heap.
   */
  public List<MemorySegment> memory() {
    List<MemorySegment> all = new ArrayList<>();
    for (BlockPile pile : piles) {
      if (!settings.isOnHeap()) {
        all.add(pile.memory());
      }
    }
    return all;
  }

  /** The buffers that are not free. */
  public List<BufferLeak> outstanding() {
    long nowNs = clockNs.getAsLong();
    List<BufferLeak> all = new ArrayList<>();
    for (int i = 0; i < slots.length(); i++) {
      TransferBuffer buffer = slots.get(i);
      if (buffer != null && buffer.refCount() > 0) {
        all.add(buffer.leak(nowNs));
      }
    }
    return all;
  }

  /**
   * Hands out no more, tells the listener of each buffer that is not free, and tells all who wait.
   * What was handed out stays usable and can be released. Idempotent.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    outstanding().forEach(listener::onLeak);
    MemoryWaiter.Wait wait = waits.poll();
    while (wait != null) {
      if (wait.end()) {
        tell(wait.waiter());
      }
      wait = waits.poll();
    }
  }

  /** The last holder gave the buffer up. */
  void free(TransferBuffer buffer) {
    BlockPile pile = buffer.pile();
    int[] blocks = buffer.blocks();
    slots.set(pile.firstSlot() + blocks[0], null);
    for (int i = blocks.length - 1; i >= 0; i--) {
      pile.free().push(blocks[i]);
    }
    buffer.onFreed().run();
    wakeOne();
  }

  boolean await(MemoryWaiter waiter) {
    MemoryWaiter.Wait wait = waiter.begin();
    if (wait == null) {
      return true;
    }
    waits.add(wait);
    // Memory that was freed before the wait could be seen would otherwise go unnoticed.
    if ((closed.get() || hasRoom(waiter.sizeBytes())) && wait.end()) {
      waits.remove(wait);
      return false;
    }
    if (!wait.isOpen()) {
      // Cancelled from elsewhere, perhaps before it was added.
      waits.remove(wait);
    }
    // It may have been told of memory that it had no use for, and others behind it have.
    wakeOne();
    return true;
  }

  void cancel(MemoryWaiter waiter) {
    MemoryWaiter.Wait wait = waiter.current();
    if (wait != null && wait.end()) {
      waits.remove(wait);
    } else {
      wakeOne();
    }
  }

  private TransferBuffer register(BlockPile pile, int[] blocks, String owner, Runnable onFreed) {
    int slot = pile.firstSlot() + blocks[0];
    long id = ++generations[slot] << SLOT_BITS | slot;
    TransferBuffer buffer =
        new TransferBuffer(this, id, owner, clockNs.getAsLong(), pile, blocks, onFreed);
    slots.set(slot, buffer);
    return buffer;
  }

  private static void tellNobody() {
    // Most buffers are in nobody's account.
  }

  private void wakeOne() {
    if (waits.isEmpty()) {
      return;
    }
    int looked = 0;
    for (MemoryWaiter.Wait wait : waits) {
      if (hasRoom(wait.waiter().sizeBytes()) && wait.end()) {
        waits.remove(wait);
        tell(wait.waiter());
        return;
      }
      if (++looked == MAX_LOOKED_AT) {
        return;
      }
    }
  }

  private void tell(MemoryWaiter waiter) {
    try {
      waiter.run();
    } catch (RuntimeException e) {
      listener.onWakeFailed(e);
    }
  }

  private boolean hasRoom(int sizeBytes) {
    for (int i = firstClass(sizeBytes); i < piles.length; i++) {
      if (piles[i].free().available() >= blocksOf(piles[i], sizeBytes)) {
        return true;
      }
    }
    return false;
  }

  private int firstClass(int sizeBytes) {
    int index = 0;
    while (index < piles.length - 1 && piles[index].blockBytes() < sizeBytes) {
      index++;
    }
    return index;
  }

  private static int blocksOf(BlockPile pile, int sizeBytes) {
    return Math.max(1, (int) (((long) sizeBytes + pile.blockBytes() - 1) / pile.blockBytes()));
  }

  private void requireRangesSize(int sizeBytes) {
    if (sizeBytes < 1 || sizeBytes > maxRangesBytes()) {
      throw new IllegalArgumentException(
          "ranges have 1 to " + maxRangesBytes() + " bytes, not " + sizeBytes);
    }
  }

  private void requireRange(int rangeBytes) {
    int blockBytes = piles[piles.length - 1].blockBytes();
    if (rangeBytes < blockBytes || rangeBytes % blockBytes != 0) {
      throw new IllegalArgumentException(
          "a range is made up of blocks of " + blockBytes + " bytes, not of " + rangeBytes);
    }
  }

  private void requireSize(int sizeBytes) {
    if (sizeBytes < 0 || sizeBytes > settings.maxBufferBytes()) {
      throw new IllegalArgumentException(
          "a buffer has 0 to " + settings.maxBufferBytes() + " bytes, not " + sizeBytes);
    }
  }
}
