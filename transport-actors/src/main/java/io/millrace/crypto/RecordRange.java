package io.millrace.crypto;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Successive nonces under a data key, each of which is used once: {@link RecordSealer} takes the
 * next with each record, in the order of the body. Holds the key until the range is closed, so that
 * a transfer keeps its key while other transfers go on to the next. Any thread.
 */
public final class RecordRange implements AutoCloseable {
  private final DataKey key;
  private final long firstNonce;
  private final int records;
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicBoolean closed = new AtomicBoolean();

  RecordRange(DataKey key, long firstNonce, int records) {
    this.key = key;
    this.firstNonce = firstNonce;
    this.records = records;
  }

  /** Nonce of the first record. */
  public long firstNonce() {
    return firstNonce;
  }

  /** The number of the range's records. */
  public int records() {
    return records;
  }

  /** How many records have taken their nonce. */
  public int taken() {
    return taken.get();
  }

  /**
   * A copy of the key, for the message that announces the records; the caller overwrites the copy.
   *
   * @throws IllegalStateException once closed
   */
  public byte[] dataKey() {
    requireOpen();
    return key.bytes().clone();
  }

  /**
   * The records are put into memory with other holders: the memory holds the key as well, until the
   * returned task runs, which acts once.
   *
   * @throws IllegalStateException once closed
   */
  public Runnable hold() {
    requireOpen();
    key.hold();
    AtomicBoolean isHeld = new AtomicBoolean(true);
    return () -> {
      if (isHeld.compareAndSet(true, false)) {
        key.letGo();
      }
    };
  }

  /** The key of the nonces. */
  public DataKey key() {
    return key;
  }

  /** The key is no longer needed here. Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      key.letGo();
    }
  }

  /** Never a byte of the key. */
  @Override
  public String toString() {
    return "RecordRange[" + taken + " of " + records + " from " + firstNonce + "]";
  }

  /**
   * The next nonce, for the caller alone.
   *
   * @throws IllegalStateException if all nonces were taken, or the range is closed
   */
  long take() {
    requireOpen();
    int next;
    do {
      next = taken.get();
      if (next == records) {
        throw new IllegalStateException("all " + records + " nonces of the range were used");
      }
    } while (!taken.compareAndSet(next, next + 1));
    return firstNonce + next;
  }

  /** The key itself. */
  byte[] keyBytes() {
    requireOpen();
    return key.bytes();
  }

  private void requireOpen() {
    if (closed.get()) {
      throw new IllegalStateException("the range was closed: " + this);
    }
  }
}
