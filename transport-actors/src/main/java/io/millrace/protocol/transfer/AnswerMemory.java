package io.millrace.protocol.transfer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;

/**
 * Bounds the bytes of answers that wait until their callers have them, over all paths of a worker.
 * No credit bounds these bytes, because answers cost no credit, and a request's credit is free
 * again when the handler has the request. Otherwise two peers that call each other could block each
 * other for ever. So a path whose callers leave more untaken answers than the other callers leave
 * memory takes no further call. Also keeps ended calls for use by later calls. Owned by the worker.
 * No clock; allocates only during growth.
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

  /** Bytes of all waiting answers. */
  public long keptBytes() {
    return keptBytes;
  }

  /** Whether a path with this number of bytes of answers may take another call. */
  boolean canTake(long pathBytes) {
    return pathBytes <= budgetBytes - keptBytes;
  }

  /**
   * As above, with the bytes of answers on their way to all paths; for any thread, with the values
   * of a moment ago.
   */
  boolean canTake(long pathBytes, long comingBytes) {
    return pathBytes <= budgetBytes - (long) KEPT_BYTES.getOpaque(this) - comingBytes;
  }

  /** The memory of an answer of this length. */
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

  /** Takes an ended call; drops the call if the pool holds many, or large buffers. */
  void recycle(ServedCall call) {
    call.recycle();
    int bytes = call.response().capacity();
    if (pool.size() < POOLED_CALLS && pooledBytes + bytes <= POOLED_BYTES) {
      pool.addLast(call);
      pooledBytes += bytes;
    }
  }
}
