package io.millrace.buffer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory that bodies are sent from, a registry for a node: blocks of a few sizes, allocated
 * with the registry, and a map from ids to buffers of these blocks. Any thread; lock-free.
 *
 * <p>A buffer takes a single block of the smallest class that holds the buffer, or of a larger
 * class without a free block in the smallest. Only a buffer that no block holds takes several
 * blocks, of the largest class. A buffer has the slot of its first block, and an id of the slot
 * (lower {@value #SLOT_BITS} bits) and of the slot's use count. So an id is found without search
 * and names a single allocation only.
 */
public final class BufferRegistry implements AutoCloseable {
  /** Lowest bits of an id, which are the slot. */
  public static final int SLOT_BITS = 24;

  private static final long SLOT_MASK = (1L << SLOT_BITS) - 1;

  private final BufferSettings settings;
  private final BufferListener listener;
  private final LongSupplier clockNs;
  private final BlockPile[] piles;
  private final AtomicReferenceArray<@Nullable TransferBuffer> slots;
  // The generation of each slot; only the owner of the slot's block touches the generation, and
  // hands it on with the block.
  private final long[] generations;
  private final MemoryQueue queue;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicBoolean leaksReported = new AtomicBoolean();
  private final AtomicLong allocations = new AtomicLong();

  /** A registry without a listener for leaks. */
  public BufferRegistry(BufferSettings settings) {
    this(settings, BufferListener.SILENT);
  }

  /** A registry whose buffers age by the machine's clock. */
  public BufferRegistry(BufferSettings settings, BufferListener listener) {
    this(settings, listener, System::nanoTime);
  }

  /**
   * Allocates all the memory.
   *
   * @param clockNs where the age of buffers comes from
   * @throws OutOfMemoryError if the system has less memory
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
    BlockPile largest = piles[piles.length - 1];
    queue = new MemoryQueue(piles, largest.blocksOf(settings.maxBufferBytes()), this::tell);
  }

  /**
   * Hands out a buffer to the caller as the holder.
   *
   * @param sizeBytes 0 to the largest of the settings
   * @param owner the owner's name, for a report of a buffer that is never released
   * @return null without enough memory now, or while a waiter waits for such memory
   * @throws IllegalArgumentException if the size is out of bounds
   * @throws IllegalStateException after {@link #close}
   */
  public @Nullable TransferBuffer tryAllocate(int sizeBytes, String owner) {
    return tryAllocate(sizeBytes, owner, null, null);
  }

  /**
   * Hands out a buffer within the share of a user.
   *
   * @param share the share that the memory counts in, or null for no share
   * @param waiter a waiter of the same share, with memory set aside; or null
   * @return null also if the share has no more
   * @throws IllegalArgumentException if the size is out of bounds, or more than was waited for
   */
  public @Nullable TransferBuffer tryAllocate(
      int sizeBytes, String owner, @Nullable BufferShare share, @Nullable MemoryWaiter waiter) {
    requireSize(sizeBytes);
    Taken taken = take(sizeBytes, firstClass(sizeBytes), share, waiter);
    return taken == null ? null : register(taken, owner, freed(taken, share));
  }

  private static Runnable freed(Taken taken, @Nullable BufferShare share) {
    if (share == null) {
      return BufferRegistry::tellNobody;
    }
    long bytes = taken.bytes();
    return () -> share.giveBack(taken.pile.index(), bytes);
  }

  /** Blocks that the caller alone owns. */
  private record Taken(BlockPile pile, int[] blocks) {
    long bytes() {
      return (long) blocks.length * pile.blockBytes();
    }

    Taken part(int from, int to) {
      return new Taken(pile, Arrays.copyOfRange(blocks, from, to));
    }
  }

  private @Nullable Taken take(
      int sizeBytes, int first, @Nullable BufferShare share, @Nullable MemoryWaiter waiter) {
    if (closed.get()) {
      throw new IllegalStateException("the buffer registry is closed");
    }
    MemoryWaiter.Wait granted = waiter == null ? null : waiter.takeGranted();
    Taken taken = granted == null ? takeNew(sizeBytes, first, share) : take(granted, sizeBytes);
    if (taken != null) {
      taken.pile.unpark(taken.blocks);
      allocations.incrementAndGet();
    }
    return taken;
  }

  /** Takes the blocks that were set aside; surplus blocks are free again. */
  private Taken take(MemoryWaiter.Wait granted, int sizeBytes) {
    BlockPile pile = piles[granted.classIndex()];
    int[] blocks = new int[pile.blocksOf(sizeBytes)];
    if (blocks.length > granted.blocks()) {
      giveUp(granted, 0);
      throw new IllegalArgumentException(
          sizeBytes + " bytes are more than were waited for: " + granted.sizeBytes());
    }
    pile.free().popCounted(blocks);
    if (blocks.length < granted.blocks()) {
      giveUp(granted, blocks.length);
    }
    return new Taken(pile, blocks);
  }

  private @Nullable Taken takeNew(int sizeBytes, int first, @Nullable BufferShare share) {
    for (int i = first; i < piles.length; i++) {
      int[] blocks = new int[piles[i].blocksOf(sizeBytes)];
      if (isOpen(i, blocks.length, share)) {
        Taken taken = new Taken(piles[i], blocks);
        if (share != null && !share.reserve(i, taken.bytes())) {
          return null;
        }
        if (piles[i].free().tryPop(blocks)) {
          return taken;
        }
        giveBack(share, i, taken.bytes());
      }
    }
    return null;
  }

  private boolean isOpen(int classIndex, int blocks, @Nullable BufferShare share) {
    return queue.isOpen(classIndex, blocks) && (share == null || share.isOpen());
  }

  private void giveBack(@Nullable BufferShare share, int classIndex, long bytes) {
    if (share != null) {
      share.giveBack(classIndex, bytes);
      queue.serve();
    }
  }

  /**
   * Hands out a single allocation as a list of buffers, each of which is held and freed by itself.
   *
   * @param sizeBytes 1 to {@link #maxRangesBytes}
   * @param rangeBytes bytes of each buffer but the last; a multiple of the largest class's blocks
   * @param owner the owner's name, for a report of a buffer that is never released
   * @param freed told the requested bytes of a range, when the range is freed; any thread, must not
   *     block
   * @param share the share that the memory counts in, or null for no share
   * @param waiter a waiter of the same share, with memory set aside; or null
   * @return null without enough memory now, or while a waiter waits for such memory
   * @throws IllegalArgumentException if a size is out of bounds
   * @throws IllegalStateException after {@link #close}
   */
  public @Nullable List<TransferBuffer> tryAllocateRanges(
      int sizeBytes,
      int rangeBytes,
      String owner,
      IntConsumer freed,
      @Nullable BufferShare share,
      @Nullable MemoryWaiter waiter) {
    requireRangesSize(sizeBytes);
    requireRange(rangeBytes);
    Taken taken = take(sizeBytes, firstClass(sizeBytes), share, waiter);
    if (taken == null) {
      return null;
    }
    int blockBytes = taken.pile.blockBytes();
    int step = Math.max(1, rangeBytes / blockBytes);
    List<TransferBuffer> ranges = new ArrayList<>();
    for (int from = 0; from < taken.blocks.length; from += step) {
      Taken part = taken.part(from, Math.min(taken.blocks.length, from + step));
      int bytes = Math.min(rangeBytes, sizeBytes - from * blockBytes);
      Runnable onFreed = freed(part, share);
      ranges.add(register(part, owner, () -> tell(freed, bytes, onFreed)));
    }
    return List.copyOf(ranges);
  }

  private static void tell(IntConsumer freed, int bytes, Runnable onFreed) {
    freed.accept(bytes);
    onFreed.run();
  }

  /**
   * Hands out a single allocation for several messages, in blocks of the largest class. Each
   * message is a buffer that is written, held and released by itself; the memory is free with the
   * release of the last message.
   *
   * @param lengths bytes of each, 1 or more; {@link #batchBytes} is at most {@link #maxRangesBytes}
   * @param owner the owner's name, for a report of a buffer that is never released
   * @param freed told the bytes of the blocks when the blocks are freed; any thread, must not block
   * @param share the share that the memory counts in, or null for no share
   * @param waiter a waiter of the same share, with memory set aside; or null
   * @return null without enough memory now, or while a waiter waits for such memory
   * @throws IllegalArgumentException if a size is out of bounds
   * @throws IllegalStateException after {@link #close}
   */
  public @Nullable List<TransferBuffer> tryAllocateBatch(
      int[] lengths,
      String owner,
      IntConsumer freed,
      @Nullable BufferShare share,
      @Nullable MemoryWaiter waiter) {
    int top = piles.length - 1;
    BatchLayout layout = new BatchLayout(lengths, piles[top].blockBytes());
    if (layout.totalBytes() > maxRangesBytes()) {
      throw new IllegalArgumentException(
          "a batch has up to " + maxRangesBytes() + " bytes, not " + layout.totalBytes());
    }
    int bytes = (int) layout.totalBytes();
    Taken taken = take(bytes, top, share, waiter);
    if (taken == null) {
      return null;
    }
    Runnable onFreed = freed(taken, share);
    return register(taken, owner, () -> tell(freed, bytes, onFreed)).slices(layout);
  }

  /**
   * Bytes of the blocks that messages of these lengths take together; the size to await for such a
   * batch.
   *
   * @throws IllegalArgumentException if the batch has no message, or a message is empty
   */
  public long batchBytes(int[] lengths) {
    return new BatchLayout(lengths, piles[piles.length - 1].blockBytes()).totalBytes();
  }

  /** The most bytes of a single allocation in ranges. */
  public int maxRangesBytes() {
    return (int) Math.min(BufferSettings.MAX_BUFFER_BYTES, piles[piles.length - 1].totalBytes());
  }

  /** The number of times that memory was handed out, whatever the memory's size. */
  public long allocations() {
    return allocations.get();
  }

  /**
   * The buffer with this id, or null for a freed or unknown buffer. Holders may free the buffer at
   * any time: {@link TransferBuffer#tryRetain} says whether the caller came in time.
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
   * Creates a waiter for memory: memory goes to the earliest waiter first.
   *
   * @param wake run by whatever thread frees memory; short, does not block, does not throw
   */
  public MemoryWaiter waiter(Runnable wake) {
    return new MemoryWaiter(this, null, wake);
  }

  /** Creates a waiter for memory of a share, or for a turn in the share. */
  public MemoryWaiter waiter(BufferShare share, Runnable wake) {
    return new MemoryWaiter(this, share, wake);
  }

  /**
   * Creates a share: the most bytes that a user may have at once.
   *
   * @throws IllegalArgumentException if the share has no room for the largest buffer
   */
  public BufferShare share(long mostBytes) {
    BlockPile largest = piles[piles.length - 1];
    long least = (long) largest.blocksOf(settings.maxBufferBytes()) * largest.blockBytes();
    if (mostBytes < least) {
      throw new IllegalArgumentException(
          "a share has at least " + least + " bytes, not " + mostBytes);
    }
    return new BufferShare(queue, 0, mostBytes);
  }

  /**
   * Creates a share of the blocks of the largest class, the only class that gives a buffer several
   * blocks; the users of the share may have blocks of other classes without limit.
   *
   * @param mostBytes counted as whole blocks, the last block included
   */
  public BufferShare shareOfLargest(long mostBytes) {
    int top = piles.length - 1;
    long blockBytes = piles[top].blockBytes();
    long blocks = Math.max(1, (mostBytes + blockBytes - 1) / blockBytes);
    return new BufferShare(queue, top, blocks * blockBytes);
  }

  /** Number of classes. */
  public int classCount() {
    return piles.length;
  }

  /** Bytes of each block of a class. */
  public int blockBytes(int classIndex) {
    return piles[classIndex].blockBytes();
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
   * The native memory of the blocks, a piece for each class, for drivers to register; empty for
   * blocks on the heap.
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

  /** From now on somebody looks for memory to give back; see {@link #giveBack}. */
  public void onLook(long nowNs) {
    for (BlockPile pile : piles) {
      pile.onLook(nowNs);
    }
  }

  /**
   * Lets go of the arrays of free blocks that nobody has held since a look at {@code sinceNs}; a
   * later need makes a new array. Blocks off heap stay. This call is the next look. Takes time for
   * each block and does not allocate: for workers at rest.
   *
   * @param sinceNs the {@code nowNs} of an earlier call of this or of {@link #onLook}
   * @return the number of free blocks that still have an array
   */
  public int giveBack(long sinceNs, long nowNs) {
    int kept = 0;
    for (BlockPile pile : piles) {
      kept += pile.giveBack(sinceNs, nowNs);
    }
    return kept;
  }

  /** The buffers that are not free. */
  public List<BufferLeak> outstanding() {
    long nowNs = clockNs.getAsLong();
    List<BufferLeak> all = new ArrayList<>();
    for (int i = 0; i < slots.length(); i++) {
      TransferBuffer buffer = slots.get(i);
      if (buffer != null && buffer.refCount() > 0) {
        all.add(buffer.leak(buffer.capacityBytes(), nowNs));
      }
    }
    return all;
  }

  /**
   * Hands out no more memory, and tells all waiters. Buffers already handed out stay usable and can
   * be released. Idempotent.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    queue.close();
  }

  /**
   * Tells the listener of each buffer that is not free: for a time when every possible holder has
   * ended. The listener is not told of these buffers again. Idempotent.
   */
  public void reportLeaks() {
    if (leaksReported.compareAndSet(false, true)) {
      outstanding().forEach(listener::onLeak);
    }
  }

  /** A holder of this buffer was collected. */
  void report(TransferBuffer buffer, int leakedBytes) {
    if (!leaksReported.get()) {
      listener.onLeak(buffer.leak(leakedBytes, clockNs.getAsLong()));
    }
  }

  /** The last holder gave the buffer up. */
  void free(TransferBuffer buffer) {
    BlockPile pile = buffer.pile();
    int[] blocks = buffer.blocks();
    slots.set(pile.firstSlot() + blocks[0], null);
    pile.park(blocks);
    for (int i = blocks.length - 1; i >= 0; i--) {
      pile.free().push(blocks[i]);
    }
    buffer.onFreed().run();
    queue.serve();
  }

  MemoryQueue queue() {
    return queue;
  }

  MemoryWaiter.Wait newWait(MemoryWaiter waiter, int sizeBytes) {
    requireRangesSize(sizeBytes);
    return new MemoryWaiter.Wait(waiter, sizeBytes, firstClass(sizeBytes));
  }

  /** All but {@code kept} blocks that were set aside are free again. */
  void giveUp(MemoryWaiter.Wait granted, int kept) {
    BlockPile pile = piles[granted.classIndex()];
    int blocks = granted.blocks() - kept;
    pile.free().uncount(blocks);
    BufferShare share = granted.waiter().share();
    if (share != null) {
      share.giveBack(pile.index(), (long) blocks * pile.blockBytes());
    }
    queue.serve();
  }

  private TransferBuffer register(Taken taken, String owner, Runnable onFreed) {
    int slot = taken.pile.firstSlot() + taken.blocks[0];
    long id = ++generations[slot] << SLOT_BITS | slot;
    TransferBuffer buffer =
        new TransferBuffer(this, id, owner, clockNs.getAsLong(), taken.pile, taken.blocks, onFreed);
    slots.set(slot, buffer);
    return buffer;
  }

  private static void tellNobody() {
    // Most buffers belong to no share.
  }

  private void tell(MemoryWaiter waiter) {
    try {
      waiter.run();
    } catch (RuntimeException e) {
      listener.onWakeFailed(e);
    }
  }

  private int firstClass(int sizeBytes) {
    int index = 0;
    while (index < piles.length - 1 && piles[index].blockBytes() < sizeBytes) {
      index++;
    }
    return index;
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
