package io.millrace.protocol.causality;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Slots of transfers that other transfers may wait for: allocated by any thread, read by any thread
 * without a lock, ended and freed by any thread. Segments of a fixed size never move; the table
 * grows by a segment at a time to its limit. A slot's word holds the slot's generation, its {@link
 * SlotState}, and the outcome of the generation before. Rules D-1 and D-2.
 *
 * <p>An id is the generation in the upper 32 bits, the group in 8 bits and the slot in 24 bits; the
 * id is never 0.
 */
public final class SlotTable {
  /** The result of {@link #look}. */
  public enum Finding {
    /** The request has not been sent. */
    PENDING,
    /** The request is on its way, and the transfer has not ended. */
    REQUEST_SENT,
    /** The transfer ended well. */
    SUCCEEDED,
    /** The transfer failed. */
    FAILED,
    /** The slot has been used again since: the outcome is forgotten. */
    EXPIRED
  }

  /** Most slots of a table. */
  public static final int MOST_SLOTS = 1 << 24;

  private static final int GENERATION_SHIFT = 32;
  private static final int GROUP_SHIFT = 24;
  private static final int SLOT_MASK = MOST_SLOTS - 1;
  private static final int BYTE_MASK = 0xFF;
  private static final int LONGEST_SEGMENT = 1_024;
  private static final int STATE_MASK = 3;
  private static final int LAST_SHIFT = 2;
  private static final long LAST_OK = 1L << LAST_SHIFT;
  private static final long LAST_FAILED = 2L << LAST_SHIFT;
  private static final long LAST_MASK = LAST_OK | LAST_FAILED;
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle SEGMENTS = MethodHandles.arrayElementVarHandle(Segment[].class);
  private static final VarHandle HEAD;
  private static final VarHandle LIVE;
  private static final VarHandle MADE;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HEAD = lookup.findVarHandle(SlotTable.class, "head", long.class);
      LIVE = lookup.findVarHandle(SlotTable.class, "live", int.class);
      MADE = lookup.findVarHandle(SlotTable.class, "made", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int group;
  private final int segmentSlots;
  private final int mostSlots;

  /**
   * Each segment was never made, is present, or was given back and left a segment without slots.
   */
  private final @Nullable Segment[] segments;

  private final int firstGeneration;

  /** The first free slot plus 1 below a tag that each change counts; read and written by HEAD. */
  @SuppressWarnings("unused") // HEAD uses the field
  private volatile long head;

  @SuppressWarnings("unused") // LIVE uses the field
  private volatile int live;

  /** Slots with memory. */
  @SuppressWarnings("unused") // a handle uses the field
  private volatile int made;

  private static final class Segment {
    /**
     * The first generation of all slots of the segment; for a segment without slots, of the segment
     * that replaces it.
     */
    final int firstGeneration;

    final long[] words;

    /** Two roots of each slot: of even generations, and of odd generations. */
    final long[] roots;

    final int[] next;

    Segment(int slots, int firstGeneration) {
      this.firstGeneration = firstGeneration;
      words = new long[slots];
      Arrays.fill(words, (long) firstGeneration << GENERATION_SHIFT);
      roots = new long[slots * 2];
      next = new int[slots];
    }

    boolean isGone() {
      return words.length == 0;
    }
  }

  /**
   * A table without segments.
   *
   * @param group 0 to 255, part of each id
   * @param initialSlots slots of the first segment, and of each further segment, within the limit
   * @param mostSlots never more slots than this, at most {@link #MOST_SLOTS}
   */
  public SlotTable(int group, int initialSlots, int mostSlots) {
    this(group, initialSlots, mostSlots, 1);
  }

  SlotTable(int group, int initialSlots, int mostSlots, int firstGeneration) {
    this.group = group;
    this.mostSlots = mostSlots;
    this.firstGeneration = firstGeneration;
    segmentSlots = Math.min(LONGEST_SEGMENT, Math.min(initialSlots, mostSlots));
    segments = new Segment[(mostSlots + segmentSlots - 1) / segmentSlots];
  }

  /** The group in an id. */
  public static int group(long id) {
    return (int) id >>> GROUP_SHIFT & BYTE_MASK;
  }

  /** The slot in an id. */
  public static int slot(long id) {
    return (int) id & SLOT_MASK;
  }

  private static int generation(long id) {
    return (int) (id >>> GENERATION_SHIFT);
  }

  /** The generation that follows; 0 is no generation, so that no id is 0. */
  private static int generationAfter(int generation) {
    return generation == -1 ? 1 : generation + 1;
  }

  /** Takes a slot and returns the slot's id, or 0 without a free slot. */
  public long allocate() {
    int slot = pop();
    while (slot < 0) {
      if (!grow()) {
        return 0;
      }
      slot = pop();
    }
    Segment segment = present(slot);
    int at = slot % segmentSlots;
    long word = (long) WORDS.getAcquire(segment.words, at);
    long taken = word & ~(long) STATE_MASK | SlotState.PENDING.ordinal();
    WORDS.setRelease(segment.words, at, taken);
    LIVE.getAndAdd(this, 1);
    long generation = word >>> GENERATION_SHIFT;
    return generation << GENERATION_SHIFT | (long) group << GROUP_SHIFT | slot;
  }

  /** Returns the table's knowledge of the transfer with this id. */
  public Finding look(long id) {
    Segment segment = segment(slot(id));
    if (segment == null) {
      return Finding.EXPIRED;
    }
    long word = (long) WORDS.getAcquire(segment.words, slot(id) % segmentSlots);
    int current = (int) (word >>> GENERATION_SHIFT);
    if (current == generation(id)) {
      return (word & STATE_MASK) == SlotState.REQUEST_SENT.ordinal()
          ? Finding.REQUEST_SENT
          : Finding.PENDING;
    }
    if (current != generationAfter(generation(id)) || (word & LAST_MASK) == 0) {
      return Finding.EXPIRED;
    }
    return (word & LAST_MASK) == LAST_OK ? Finding.SUCCEEDED : Finding.FAILED;
  }

  /**
   * The id at the root of this transfer's failure; 0 if the transfer did not fail, or the root is
   * forgotten.
   */
  public long root(long id) {
    Segment segment = segment(slot(id));
    if (segment == null) {
      return 0;
    }
    long root = (long) WORDS.getAcquire(segment.roots, rootPlace(id));
    return look(id) == Finding.FAILED ? root : 0;
  }

  /**
   * Not the place of the generation before, whose root may be read until this generation has ended.
   */
  private int rootPlace(long id) {
    return slot(id) % segmentSlots * 2 + (generation(id) & 1);
  }

  /** The request of this transfer is on its way. */
  public void send(long id) {
    Segment segment = segment(slot(id));
    if (segment == null) {
      return;
    }
    int at = slot(id) % segmentSlots;
    long word = (long) WORDS.getAcquire(segment.words, at);
    if ((int) (word >>> GENERATION_SHIFT) == generation(id)
        && (word & STATE_MASK) == SlotState.PENDING.ordinal()) {
      long sent = word & ~(long) STATE_MASK | SlotState.REQUEST_SENT.ordinal();
      WORDS.compareAndSet(segment.words, at, word, sent);
    }
  }

  /**
   * The transfer has ended. {@link #free} frees the slot when the outcome need not be known any
   * more.
   *
   * @param root the transfer that caused the failure, perhaps this transfer itself; 0 after a
   *     success
   * @return false if the transfer had ended before
   */
  public boolean end(long id, boolean isSuccess, long root) {
    Segment segment = segment(slot(id));
    if (segment == null) {
      return false;
    }
    int at = slot(id) % segmentSlots;
    long word;
    long ended;
    do {
      word = (long) WORDS.getAcquire(segment.words, at);
      if ((int) (word >>> GENERATION_SHIFT) != generation(id)) {
        return false;
      }
      if (!isSuccess) {
        WORDS.setRelease(segment.roots, rootPlace(id), root);
      }
      long next = (long) generationAfter(generation(id)) << GENERATION_SHIFT;
      ended = next | (isSuccess ? LAST_OK : LAST_FAILED) | SlotState.FREE.ordinal();
    } while (!WORDS.compareAndSet(segment.words, at, word, ended));
    LIVE.getAndAdd(this, -1);
    return true;
  }

  /** The slot of a transfer that has ended may be used again. Once for each end. */
  public void free(int slot) {
    pushChain(slot, slot);
  }

  /** Transfers that have a slot and have not ended. */
  public int live() {
    return live;
  }

  /** Slots that the table has memory for. */
  public int capacity() {
    return made;
  }

  /**
   * Gives back the memory of segments with only free slots; the last outcomes in their slots are
   * forgotten. A single thread at a time; other threads may allocate meanwhile, and may miss slots
   * that are free.
   */
  public void shrink() {
    long taken = takeAll();
    int[] counts = new int[segments.length];
    for (int slot = (int) taken - 1; slot >= 0; slot = present(slot).next[slot % segmentSlots]) {
      counts[slot / segmentSlots]++;
    }
    int slot = (int) taken - 1;
    while (slot >= 0) {
      int following = present(slot).next[slot % segmentSlots];
      if (counts[slot / segmentSlots] < length(slot / segmentSlots)) {
        pushChain(slot, slot);
      }
      slot = following;
    }
    for (int index = 0; index < counts.length; index++) {
      if (counts[index] == length(index)) {
        drop(index);
      }
    }
  }

  private void drop(int index) {
    Segment old = present(index * segmentSlots);
    int newest = old.firstGeneration;
    for (long word : old.words) {
      int generation = (int) (word >>> GENERATION_SHIFT);
      newest = generation - newest > 0 ? generation : newest;
    }
    MADE.getAndAdd(this, -old.words.length);
    // An id of the last use is to be two generations behind, so that the id is not taken for a
    // known id.
    SEGMENTS.setRelease(segments, index, new Segment(0, generationAfter(newest)));
  }

  private int length(int index) {
    return Math.min(segmentSlots, mostSlots - index * segmentSlots);
  }

  private long takeAll() {
    long seen;
    long emptied;
    do {
      seen = (long) HEAD.getAcquire(this);
      emptied = tagAfter(seen);
    } while (!HEAD.compareAndSet(this, seen, emptied));
    return seen & 0xFFFF_FFFFL;
  }

  private int pop() {
    while (true) {
      long seen = (long) HEAD.getAcquire(this);
      int slot = (int) seen - 1;
      if (slot < 0) {
        return -1;
      }
      Segment segment = segment(slot);
      // Without a segment the seen head is out of date.
      if (segment != null) {
        long popped = tagAfter(seen) | segment.next[slot % segmentSlots] + 1;
        if (HEAD.compareAndSet(this, seen, popped)) {
          return slot;
        }
      }
    }
  }

  /** Puts slots in front that are linked from {@code first} to {@code last}. */
  private void pushChain(int first, int last) {
    long seen;
    long pushed;
    do {
      seen = (long) HEAD.getAcquire(this);
      present(last).next[last % segmentSlots] = (int) seen - 1;
      pushed = tagAfter(seen) | first + 1;
    } while (!HEAD.compareAndSet(this, seen, pushed));
  }

  private static long tagAfter(long head) {
    return (head >>> GENERATION_SHIFT) + 1 << GENERATION_SHIFT;
  }

  private boolean grow() {
    for (int index = 0; index < segments.length && made < mostSlots; index++) {
      Segment before = (Segment) SEGMENTS.getAcquire(segments, index);
      if ((before == null || before.isGone()) && isMade(index, before)) {
        return true;
      }
    }
    return (int) (long) HEAD.getAcquire(this) > 0;
  }

  /**
   * Each replaced segment is another object, so a new segment in its place goes on from the
   * replaced segment's generation.
   */
  private boolean isMade(int index, @Nullable Segment before) {
    int slots = length(index);
    Segment segment = new Segment(slots, before == null ? firstGeneration : before.firstGeneration);
    int first = index * segmentSlots;
    for (int at = 0; at < slots; at++) {
      segment.next[at] = first + at + 1;
    }
    if (!SEGMENTS.compareAndSet(segments, index, before, segment)) {
      return false;
    }
    MADE.getAndAdd(this, slots);
    pushChain(first, first + slots - 1);
    return true;
  }

  private @Nullable Segment segment(int slot) {
    if (slot >= mostSlots) {
      return null;
    }
    Segment segment = (Segment) SEGMENTS.getAcquire(segments, slot / segmentSlots);
    return segment == null || segment.isGone() ? null : segment;
  }

  private Segment present(int slot) {
    Segment segment = segment(slot);
    if (segment == null) {
      throw new IllegalStateException("slot " + slot + " has no memory");
    }
    return segment;
  }
}
