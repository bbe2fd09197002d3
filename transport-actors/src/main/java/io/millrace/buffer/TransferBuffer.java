package io.millrace.buffer;

import io.millrace.memory.SegmentBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory that a body is sent from, as a list of blocks of a single size. Counted references: the
 * allocating caller holds a reference, each transfer that receives the buffer holds another, and
 * the release of the last reference frees the blocks. Each allocation makes a new descriptor, so
 * that a late user of an old descriptor meets an exception and not the bytes of another allocation.
 *
 * <p>Several buffers may share an allocation, as its slices: each slice is held and released by
 * itself, and the blocks are freed with the last slice.
 *
 * <p>Counting is for any thread and lock-free. A single thread writes, between {@link #beginWrite}
 * and {@link #fill}; other threads read after a safe publication of the buffer.
 */
public final class TransferBuffer {
  private static final VarHandle LIFE;
  private static final BufferPhase[] PHASES = BufferPhase.values();
  private static final int PHASE_BITS = 2;
  private static final int PHASE_MASK = (1 << PHASE_BITS) - 1;
  private static final int MAX_REFERENCES = Integer.MAX_VALUE >> PHASE_BITS;

  static {
    try {
      LIFE = MethodHandles.lookup().findVarHandle(TransferBuffer.class, "life", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final BufferRegistry registry;
  private final long id;
  private final String owner;
  private final long allocatedNs;
  private final BlockPile pile;
  private final int[] blocks;
  private final Runnable onFreed;
  private final int capacityBytes;

  // Of a slice: the whole buffer of the slice, and the slice's offset in its first block.
  private final @Nullable TransferBuffer whole;
  private final int offset;
  // Of a slice that does not begin with its block, which is the slice's only block then.
  private final @Nullable SegmentBuffer view;

  private volatile int lengthBytes;
  private volatile @Nullable BufferBinding binding;

  // References above, phase in the lowest bits: one word, so that a freed buffer is not revived.
  @SuppressWarnings("FieldMayBeFinal") // written by the handle
  private volatile int life = life(1, BufferPhase.ALLOCATED);

  TransferBuffer(
      BufferRegistry registry,
      long id,
      String owner,
      long allocatedNs,
      BlockPile pile,
      int[] blocks,
      Runnable onFreed) {
    this.registry = registry;
    this.id = id;
    this.owner = owner;
    this.allocatedNs = allocatedNs;
    this.pile = pile;
    this.blocks = blocks;
    this.onFreed = onFreed;
    capacityBytes = blocks.length * pile.blockBytes();
    whole = null;
    offset = 0;
    view = null;
  }

  /** A slice. */
  private TransferBuffer(TransferBuffer whole, int[] blocks, int offset, int capacityBytes) {
    registry = whole.registry;
    id = whole.id;
    owner = whole.owner;
    allocatedNs = whole.allocatedNs;
    pile = whole.pile;
    this.blocks = blocks;
    onFreed = whole.onFreed;
    this.capacityBytes = capacityBytes;
    this.whole = whole;
    this.offset = offset;
    view = offset == 0 ? null : new SegmentBuffer(pile.block(blocks[0]), offset, capacityBytes);
  }

  /** The messages of the layout, each of which holds this buffer. */
  List<TransferBuffer> slices(BatchLayout layout) {
    retain(layout.messages());
    List<TransferBuffer> slices = new ArrayList<>(layout.messages());
    for (int i = 0; i < layout.messages(); i++) {
      int[] part = Arrays.copyOfRange(blocks, layout.firstBlock(i), layout.endBlock(i));
      slices.add(new TransferBuffer(this, part, layout.offset(i), layout.lengthBytes(i)));
    }
    release();
    return List.copyOf(slices);
  }

  /**
   * Names this allocation, with all its slices; no other allocation has the same id at any time.
   */
  public long id() {
    return id;
  }

  /** The owner that asked for the buffer. */
  public String owner() {
    return owner;
  }

  /**
   * Bytes of the buffer's blocks, at least the requested size; of a slice, exactly the requested
   * size.
   */
  public int capacityBytes() {
    return capacityBytes;
  }

  /** Bytes written; 0 before {@link #fill}. */
  public int lengthBytes() {
    return lengthBytes;
  }

  /** Number of blocks. */
  public int segmentCount() {
    return blocks.length;
  }

  /** Bytes of each block. */
  public int segmentBytes() {
    return pile.blockBytes();
  }

  /**
   * A block of the buffer, {@link #segmentBytes} long, or the slice's part of the block: in native
   * memory where a driver posts writes from the block, else on the heap. The caller must not wrap
   * the returned object around other memory.
   *
   * @throws IllegalStateException if the buffer was freed
   */
  public SegmentBuffer segment(int index) {
    requireHeld();
    return block(index);
  }

  private SegmentBuffer block(int index) {
    return view == null ? pile.block(blocks[index]) : view;
  }

  /**
   * The index of the piece of {@link BufferRegistry#memory} that holds the buffer, from 0; of no
   * meaning on the heap.
   */
  public int memoryIndex() {
    return pile.index();
  }

  /** The offset of the byte {@code at} in this piece; bytes of a segment lie behind each other. */
  public long memoryOffset(int at) {
    return (long) blocks[at / segmentBytes()] * segmentBytes() + offset + at % segmentBytes();
  }

  /** The phase in the buffer's life. */
  public BufferPhase phase() {
    return phase(life);
  }

  /** The number of holders; 0 once the buffer was freed. */
  public int refCount() {
    return references(life);
  }

  /** Whether the buffer has more than a single holder. */
  public boolean isShared() {
    return refCount() > 1;
  }

  /**
   * The caller goes on to write.
   *
   * @throws IllegalStateException unless the buffer was just allocated
   */
  public void beginWrite() {
    advance(BufferPhase.Event.BEGIN_WRITE);
  }

  /**
   * Says with which key and nonces the records are sealed, and makes room for their tags.
   *
   * @param dataKey 16 or 32 bytes, copied
   * @param firstNonce nonce of the first record; the nonces of further records follow
   * @param onErased runs once, when the buffer is freed and this copy of the key was overwritten;
   *     on any thread, and must not throw
   * @throws IllegalStateException unless the buffer is being written and was not bound before
   */
  public BufferBinding bind(byte[] dataKey, long firstNonce, Runnable onErased) {
    if (phase() != BufferPhase.WRITING || binding != null) {
      throw new IllegalStateException("a buffer is bound once, while it is written: " + this);
    }
    BufferBinding bound =
        new BufferBinding(dataKey, firstNonce, BufferBinding.records(capacityBytes()), onErased);
    binding = bound;
    return bound;
  }

  /**
   * The array of a segment; {@link #segmentBytes} bytes from its start on are the segment's, with
   * room for a tag behind. Null where the memory is native, or where other slices may lie. To be
   * written only while the buffer is.
   */
  public byte @Nullable [] segmentArray(int index) {
    boolean isWhole = (index + 1) * segmentBytes() <= capacityBytes;
    return isWhole ? segment(index).byteArray() : null;
  }

  /**
   * Copies bytes in, across blocks.
   *
   * @throws IllegalStateException unless the buffer is being written
   * @throws IndexOutOfBoundsException if the bytes do not fit
   */
  public void putBytes(int at, byte[] from, int offset, int length) {
    if (phase() != BufferPhase.WRITING) {
      throw new IllegalStateException("a buffer is changed only while it is written: " + this);
    }
    Objects.checkFromIndexSize(at, length, capacityBytes());
    int done = 0;
    while (done < length) {
      int within = (at + done) % segmentBytes();
      int step = Math.min(length - done, segmentBytes() - within);
      block((at + done) / segmentBytes()).putBytes(within, from, offset + done, step);
      done += step;
    }
  }

  /**
   * Copies bytes out, across blocks.
   *
   * @throws IllegalStateException if the buffer was freed
   * @throws IndexOutOfBoundsException if the buffer has fewer bytes
   */
  public void getBytes(int at, byte[] into, int offset, int length) {
    requireHeld();
    Objects.checkFromIndexSize(at, length, capacityBytes());
    int done = 0;
    while (done < length) {
      int within = (at + done) % segmentBytes();
      int step = Math.min(length - done, segmentBytes() - within);
      block((at + done) / segmentBytes()).getBytes(within, into, offset + done, step);
      done += step;
    }
  }

  /**
   * All is written: from here on the buffer does not change.
   *
   * @throws IllegalStateException unless the buffer is being written
   * @throws IndexOutOfBoundsException if the buffer has less room
   */
  public void fill(int writtenBytes) {
    if (writtenBytes < 0 || writtenBytes > capacityBytes()) {
      throw new IndexOutOfBoundsException(writtenBytes + " bytes in " + this);
    }
    if (phase() == BufferPhase.WRITING) {
      lengthBytes = writtenBytes;
    }
    advance(BufferPhase.Event.FILL);
  }

  /**
   * The binding of the bytes to the message that announces the bytes.
   *
   * @throws IllegalStateException if the buffer was not bound, or was freed
   */
  public BufferBinding binding() {
    requireHeld();
    BufferBinding bound = binding;
    if (bound == null) {
      throw new IllegalStateException("nothing binds the bytes of " + this);
    }
    return bound;
  }

  /**
   * Adds a holder.
   *
   * @throws IllegalStateException if the buffer was freed
   */
  public void retain() {
    retain(1);
  }

  /**
   * Adds {@code more} holders.
   *
   * @throws IllegalStateException if the buffer was freed
   */
  public void retain(int more) {
    if (more < 0) {
      throw new IllegalArgumentException(more + " references");
    }
    if (!tryRetain(more)) {
      throw new IllegalStateException("there is nothing left to retain of " + this);
    }
  }

  /** Adds a holder, unless the buffer was freed meanwhile; for a buffer that {@code find} gave. */
  public boolean tryRetain() {
    return tryRetain(1);
  }

  /**
   * The caller no longer holds the buffer.
   *
   * @return whether the caller was the last holder, and the memory is free as far as no other slice
   *     has the memory
   * @throws IllegalStateException if the buffer was freed already
   */
  public boolean release() {
    int before;
    int after;
    do {
      before = life;
      int references = references(before);
      if (references == 0) {
        throw new IllegalStateException("released more often than retained: " + this);
      }
      after = references == 1 ? life(0, BufferPhase.FREE) : life(references - 1, phase(before));
    } while (!LIFE.compareAndSet(this, before, after));
    if (references(after) > 0) {
      return false;
    }
    BufferBinding bound = binding;
    if (bound != null) {
      bound.erase();
    }
    if (whole == null) {
      registry.free(this);
    } else {
      whole.release();
    }
    return true;
  }

  /**
   * A holder of the buffer, and of this number of bytes with the buffer, was collected without a
   * release: the registry's listener is told. The buffers are still to be released.
   */
  public void reportLeak(int leakedBytes) {
    registry.report(this, leakedBytes);
  }

  /** The buffer's id and phase; no byte of the content. */
  @Override
  public String toString() {
    int now = life;
    return "TransferBuffer["
        + Long.toHexString(id)
        + " of "
        + owner
        + ", "
        + phase(now)
        + ", "
        + references(now)
        + " references]";
  }

  BlockPile pile() {
    return pile;
  }

  int[] blocks() {
    return blocks;
  }

  /** Run after the buffer's blocks are free. */
  Runnable onFreed() {
    return onFreed;
  }

  BufferLeak leak(int leakedBytes, long nowNs) {
    return new BufferLeak(id, owner, leakedBytes, refCount(), nowNs - allocatedNs);
  }

  private boolean tryRetain(int more) {
    int before;
    int references;
    do {
      before = life;
      references = references(before);
      if (references == 0) {
        return false;
      }
      if (more > MAX_REFERENCES - references) {
        throw new IllegalStateException("too many references to " + this);
      }
    } while (!LIFE.compareAndSet(this, before, life(references + more, phase(before))));
    return true;
  }

  private void advance(BufferPhase.Event event) {
    int before;
    BufferPhase next;
    do {
      before = life;
      next = phase(before).after(event);
      if (next == null) {
        throw new IllegalStateException(event + " must not happen to " + this);
      }
    } while (!LIFE.compareAndSet(this, before, life(references(before), next)));
  }

  private void requireHeld() {
    if (life == 0) {
      throw new IllegalStateException("the memory was freed: " + this);
    }
  }

  private static int life(int references, BufferPhase phase) {
    return references << PHASE_BITS | phase.ordinal();
  }

  private static int references(int life) {
    return life >>> PHASE_BITS;
  }

  private static BufferPhase phase(int life) {
    return PHASES[life & PHASE_MASK];
  }
}
