package io.millrace.efa;

import java.lang.foreign.SegmentAllocator;

/**
 * The sends and writes posted and not yet complete: one slot for each operation, and the window
 * that bounds the operations, because not all providers refuse posts.
 *
 * <p>Writes leave a quarter of the window to sends, so bulk writes never block control messages. A
 * write parked for a repeat keeps its slot, but its bytes do not count against other writes; parked
 * writes have at most half of the slots of writes. Owned by the endpoint's thread; does not
 * allocate after construction.
 */
final class PostedOperations {
  /** Kind of a free slot. */
  static final int NONE = 0;

  /** Kind: one datagram of a train; the owner is the train and the datagram. */
  static final int SEND = 1;

  /** Kind: a one-sided write; the owner is the caller's context. */
  static final int WRITE = 2;

  /** Kind: a one-sided write that is to be posted again; not with the provider. */
  static final int PARKED = 3;

  private final ContextArea contexts;
  private final Destinations counted;
  private final int writeSlots;
  private final long writeBytesLimit;
  private final byte[] kinds;
  private final long[] owners;
  private final int[] destinations;
  private final int[] generations;
  private final long[] bytes;
  private final int[] free;
  private int freeCount;
  private int writes;
  private long writeBytes;
  private int parked;
  private long parkedBytes;
  private boolean isRoomKept;
  private boolean isAbandoned;

  /**
   * Creates free slots.
   *
   * @param counted told of the begin and the end of each operation
   * @param window the number of slots
   * @param writeBytesLimit bytes of writes under way; a single write is always allowed
   */
  PostedOperations(
      SegmentAllocator allocator, Destinations counted, int window, long writeBytesLimit) {
    this.counted = counted;
    this.contexts = new ContextArea(allocator, window);
    this.writeSlots = Math.max(1, window - window / 4);
    this.writeBytesLimit = writeBytesLimit;
    this.kinds = new byte[window];
    this.owners = new long[window];
    this.destinations = new int[window];
    this.generations = new int[window];
    this.bytes = new long[window];
    this.free = new int[window];
    this.freeCount = window;
    for (int i = 0; i < window; i++) {
      free[i] = window - 1 - i;
    }
  }

  boolean canSend() {
    return freeCount > 0;
  }

  /**
   * Whether the window has room for a write, and no parked write waits for the room; a single write
   * of any length is always allowed.
   */
  boolean canWrite(long length) {
    return freeCount > 0
        && !isRoomKept
        && writes + parked < writeSlots
        && (writes == 0 || length <= writeBytesLimit - writeBytes);
  }

  /** Takes a slot; a slot must be free. */
  int acquire(int kind, long owner, int destination, int generation, long length) {
    int slot = free[--freeCount];
    kinds[slot] = (byte) kind;
    owners[slot] = owner;
    destinations[slot] = destination;
    generations[slot] = generation;
    bytes[slot] = length;
    if (kind == WRITE) {
      writes++;
      writeBytes += length;
    }
    counted.onBegun(destination);
    assert invariantsHold();
    return slot;
  }

  void release(int slot) {
    if (kinds[slot] == NONE) {
      throw new IllegalStateException("slot " + slot + " was released twice");
    }
    if (kinds[slot] == WRITE) {
      writes--;
      writeBytes -= bytes[slot];
    } else if (kinds[slot] == PARKED) {
      parked--;
      parkedBytes -= bytes[slot];
    }
    kinds[slot] = NONE;
    free[freeCount++] = slot;
    counted.onEnded(destinations[slot]);
    assert invariantsHold();
  }

  /** Whether a write under way may be parked; a single write of any length may. */
  boolean canPark(int slot) {
    return parked == 0 || (parked < writeSlots / 2 && bytes[slot] <= writeBytesLimit - parkedBytes);
  }

  /** The write in {@code slot} is to be posted again. */
  void park(int slot) {
    kinds[slot] = PARKED;
    writes--;
    writeBytes -= bytes[slot];
    parked++;
    parkedBytes += bytes[slot];
    assert invariantsHold();
  }

  /** Whether the window has room for a parked write. */
  boolean canUnpark(int slot) {
    return writes == 0 || bytes[slot] <= writeBytesLimit - writeBytes;
  }

  /** Whether room that becomes free is kept for a parked write, ahead of all other writes. */
  void keepRoom(boolean isKept) {
    isRoomKept = isKept;
  }

  /** The parked write in {@code slot} goes to the provider again. */
  void unpark(int slot) {
    kinds[slot] = WRITE;
    parked--;
    parkedBytes -= bytes[slot];
    writes++;
    writeBytes += bytes[slot];
    assert invariantsHold();
  }

  /**
   * Returns the slot of a completion's context, or -1 for a context without an operation under way.
   */
  int slotOf(long context) {
    if (isAbandoned) {
      return -1;
    }
    int slot = contexts.slot(context);
    return slot >= 0 && (kinds[slot] == SEND || kinds[slot] == WRITE) ? slot : -1;
  }

  /**
   * No operation goes to the provider any more, and the provider's completions count no longer: the
   * caller ends all operations, and a slot may be taken again before a late completion.
   */
  void abandon() {
    isAbandoned = true;
  }

  boolean isAbandoned() {
    return isAbandoned;
  }

  /** The number of slots, free or in use. */
  int slots() {
    return kinds.length;
  }

  long context(int slot) {
    return contexts.address(slot);
  }

  int kind(int slot) {
    return kinds[slot];
  }

  long owner(int slot) {
    return owners[slot];
  }

  int destination(int slot) {
    return destinations[slot];
  }

  long bytes(int slot) {
    return bytes[slot];
  }

  int generation(int slot) {
    return generations[slot];
  }

  /** The number of slots in use, with the parked writes. */
  int inFlight() {
    return free.length - freeCount;
  }

  private boolean invariantsHold() {
    return freeCount >= 0
        && freeCount <= free.length
        && writes >= 0
        && parked >= 0
        && writes + parked <= inFlight()
        && (parked > 0 || parkedBytes == 0)
        && writeBytes >= 0
        && (writes > 0 || writeBytes == 0);
  }

  /** Whether a context is of an operation of this endpoint, under way or ended. */
  boolean isOwn(long context) {
    return contexts.slot(context) >= 0;
  }
}
