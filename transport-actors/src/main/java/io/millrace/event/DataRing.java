package io.millrace.event;

import io.millrace.memory.SegmentBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The data events of one worker on the way to one subscriber: a ring of records of six numbers. A
 * single thread writes, another thread reads. A full ring drops new events and counts them. No
 * lock; allocates only when made.
 */
final class DataRing {
  private static final VarHandle POSITIONS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle DROPPED;
  private static final int RECORD_BYTES = 6 * Long.BYTES;

  // Numbers of the writer and of the reader, two pairs of cache lines from each other.
  private static final int TAIL = 16;
  private static final int WRITE_AT = 17;
  private static final int HEAD_CACHE = 18;
  private static final int HEAD = 32;
  private static final int READ_AT = 33;
  private static final int POSITION_COUNT = 48;

  static {
    try {
      DROPPED = MethodHandles.lookup().findVarHandle(DataRing.class, "dropped", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final SegmentBuffer memory;
  private final int capacityRecords;
  private final long[] positions = new long[POSITION_COUNT];
  private long dropped;

  /** Takes the records, one at a time. */
  interface Reader {
    /** The numbers begin at {@code index}; they are overwritten after the return. */
    void onRecord(int kind, SegmentBuffer from, int index);
  }

  /** A ring of so many bytes, at least one record. */
  DataRing(int bytes) {
    capacityRecords = Math.max(1, bytes / RECORD_BYTES);
    memory = new SegmentBuffer(ByteBuffer.allocateDirect(capacityRecords * RECORD_BYTES));
  }

  /** Events that did not fit. Any thread. */
  long dropped() {
    return (long) DROPPED.getOpaque(this);
  }

  /** Adds a record, or drops it. The writer's thread. */
  void write(int kind, long a, long b, long c, long d, long e) {
    long tail = positions[TAIL];
    if (tail - positions[HEAD_CACHE] >= capacityRecords) {
      positions[HEAD_CACHE] = (long) POSITIONS.getAcquire(positions, HEAD);
      if (tail - positions[HEAD_CACHE] >= capacityRecords) {
        DROPPED.setOpaque(this, dropped + 1);
        return;
      }
    }
    int at = (int) positions[WRITE_AT];
    memory.putLong(at, kind);
    put(memory, at + Long.BYTES, a, b, c, d, e);
    positions[WRITE_AT] = next(at);
    POSITIONS.setRelease(positions, TAIL, tail + 1);
  }

  /** Writes the five numbers of an event. */
  static void put(SegmentBuffer to, int at, long a, long b, long c, long d, long e) {
    to.putLong(at, a);
    to.putLong(at + Long.BYTES, b);
    to.putLong(at + 2 * Long.BYTES, c);
    to.putLong(at + 3 * Long.BYTES, d);
    to.putLong(at + 4 * Long.BYTES, e);
  }

  /** Hands over the first record; false if the ring is empty. The reader's thread. */
  boolean read(Reader reader) {
    long head = positions[HEAD];
    if (head == (long) POSITIONS.getAcquire(positions, TAIL)) {
      return false;
    }
    int at = (int) positions[READ_AT];
    try {
      reader.onRecord((int) memory.getLong(at), memory, at + Long.BYTES);
    } finally {
      positions[READ_AT] = next(at);
      POSITIONS.setRelease(positions, HEAD, head + 1);
    }
    return true;
  }

  private int next(int at) {
    int next = at + RECORD_BYTES;
    return next == memory.capacity() ? 0 : next;
  }
}
