package io.millrace.crypto;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A random key for the records of one recipient set, and the counter that its nonces come from.
 * Nobody else counts under it. Any thread; lock-free.
 *
 * <p>It is held by whoever made it, until {@link #close}, by each range of nonces that it handed
 * out, until that is closed, and by the memory of the records, until that is free ({@link
 * RecordRange#hold}); the last one overwrites the key. So once it was overwritten, no recipient
 * needs it any more.
 */
public final class DataKey implements AutoCloseable {
  private final byte[] key;
  private final long maxRecords;
  private final AtomicLong reserved = new AtomicLong();
  private final AtomicInteger holders = new AtomicInteger(1);
  private final AtomicInteger open = new AtomicInteger(1);

  /**
   * Takes over the array.
   *
   * @param key 16 or 32 random bytes
   * @param limits how much it may seal; a record counts as {@value Records#RECORD_BYTES} bytes,
   *     whatever its length, and there is always room for one
   * @throws IllegalArgumentException if the key has another length
   */
  public DataKey(byte[] key, KeyLimits limits) {
    AesKeySize.ofBytes(key.length);
    this.key = key;
    this.maxRecords =
        Math.max(1, Math.min(limits.packets(), limits.bytes() / Records.RECORD_BYTES));
  }

  /**
   * Sets nonces aside that nobody else gets.
   *
   * @param records at least 1
   * @return the range, to be closed by the caller; null if that many would pass the limit of the
   *     key, or it was closed
   */
  public @Nullable RecordRange reserve(int records) {
    if (records < 1) {
      throw new IllegalArgumentException("a range has at least one record, not " + records);
    }
    if (!hasHeld()) {
      return null;
    }
    long first;
    do {
      first = reserved.get();
      if (open.get() == 0 || records > maxRecords - first) {
        letGo();
        return null;
      }
    } while (!reserved.compareAndSet(first, first + records));
    return new RecordRange(this, first, records);
  }

  /** Nonces set aside so far. */
  public long reserved() {
    return reserved.get();
  }

  /** Hands out no more nonces. Idempotent; ranges that are in use stay usable. */
  @Override
  public void close() {
    if (open.getAndSet(0) == 1) {
      letGo();
    }
  }

  /** Whether it hands out no more nonces. */
  public boolean isClosed() {
    return open.get() == 0;
  }

  /** Whether the key was overwritten: nothing that was sealed under it is held any more. */
  public boolean isErased() {
    return holders.get() == 0;
  }

  /** Never a byte of the key. */
  @Override
  public String toString() {
    return "DataKey[" + reserved + " of " + maxRecords + " nonces, redacted]";
  }

  /** The key itself; the caller holds a range. */
  byte[] bytes() {
    return key;
  }

  /** One more holder, who holds the key already by something else. */
  void hold() {
    if (!hasHeld()) {
      throw new IllegalStateException("the key was overwritten");
    }
  }

  /** A range is closed, or memory is free. */
  void letGo() {
    if (holders.decrementAndGet() == 0) {
      Arrays.fill(key, (byte) 0);
    }
  }

  private boolean hasHeld() {
    int before;
    do {
      before = holders.get();
      if (before == 0) {
        return false;
      }
    } while (!holders.compareAndSet(before, before + 1));
    return true;
  }
}
