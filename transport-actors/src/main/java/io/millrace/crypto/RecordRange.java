package io.millrace.crypto;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Successive nonces under a data key, each of which is used once: {@link RecordSealer} takes the
 * next with each record, in the order of the body. Holds the key until it is closed, so that a
 * transfer keeps its key while others go on to the next. Any thread.
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

  /** How many records it is for. */
  public int records() {
    return records;
  }

  /** How many records have taken their nonce. */
  public int taken() {
    return taken.get();
  }

  /**
   * A copy of the key, for the message that announces the records; whoever asks for it overwrites
   * it.
   *
   * @throws IllegalStateException once closed
   */
  public byte[] dataKey() {
    requireOpen();
    return key.bytes().clone();
  }

  /**
   * The records are put into memory that others hold: the key is held as well, until what is
   * returned runs, which does something once.
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

  /** The key that the nonces are of. */
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
   * The next nonce, which nobody else gets.
   *
   * @throws IllegalStateException if all were taken, or it is closed
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
