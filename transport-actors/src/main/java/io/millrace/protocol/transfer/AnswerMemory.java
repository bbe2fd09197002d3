package io.millrace.protocol.transfer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;

/**
 * Bounds the bytes of answers that wait until their callers have them, over all paths of a worker.
 * No credit bounds them: answers cost none, and a request's is free again when its handler has it,
 * or two peers that call each other could block each other for ever. So a path whose callers leave
 * more answers untaken than the others have left over takes no further call. Also keeps the calls
 * that are over for use by others. Owned by the worker. No clock; allocates only while it grows.
 */
public final class AnswerMemory {
  private static final int PER_ANSWER_BYTES = 64;
  private static final int POOLED_CALLS = 65_536;
  private static final long POOLED_BYTES = 16L << 20;
  private static final VarHandle KEPT_BYTES;

  static {
    try {
      KEPT_BYTES =
          MethodHandles.lookup().findVarHandle(AnswerMemory.class, "keptBytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long budgetBytes;
  private final ArrayDeque<ServedCall> pool = new ArrayDeque<>();
  private long pooledBytes;

  /** Written by the worker, read by any thread. */
  private long keptBytes;

  /** Answers of {@code budgetBytes} in all. */
  public AnswerMemory(long budgetBytes) {
    this.budgetBytes = budgetBytes;
  }

  /** Bytes of all answers that wait. */
  public long keptBytes() {
    return keptBytes;
  }

  /** Whether a path with so many bytes of answers may take another call. */
  boolean canTake(long pathBytes) {
    return pathBytes <= budgetBytes - keptBytes;
  }

  /**
   * As above, with so many bytes of answers that are on their way to all paths; any thread, as it
   * was a moment ago.
   */
  boolean canTake(long pathBytes, long comingBytes) {
    return pathBytes <= budgetBytes - (long) KEPT_BYTES.getOpaque(this) - comingBytes;
  }

  /** What an answer of this length takes. */
  static int costOf(int contentLength) {
    return PER_ANSWER_BYTES + contentLength;
  }

  void onKept(int bytes) {
    KEPT_BYTES.setOpaque(this, keptBytes + bytes);
    assert keptBytes >= 0;
  }

  ServedCall acquire() {
    ServedCall call = pool.pollLast();
    if (call == null) {
      return new ServedCall();
    }
    pooledBytes -= call.response().capacity();
    return call;
  }

  /** Takes a call that is over; lets it go when there are many, or their buffers are large. */
  void recycle(ServedCall call) {
    call.recycle();
    int bytes = call.response().capacity();
    if (pool.size() < POOLED_CALLS && pooledBytes + bytes <= POOLED_BYTES) {
      pool.addLast(call);
      pooledBytes += bytes;
    }
  }
}
