package io.millrace.crypto;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A random key for the records of one recipient set, and the counter for its nonces. No other
 * object counts under this key. Any thread; lock-free.
 *
 * <p>Holders of the key are its maker, until {@link #close}, each range of nonces, until the range
 * is closed, and the memory of the records, until the memory is free ({@link RecordRange#hold}).
 * The last holder overwrites the key. So after the overwriting, no recipient needs the key any
 * more.
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
   * @param limits how much the key may seal; a record counts as {@value Records#RECORD_BYTES}
   *     bytes, whatever its length, and a single record always has room
   * @throws IllegalArgumentException if the key has another length
   */
  public DataKey(byte[] key, KeyLimits limits) {
    AesKeySize.ofBytes(key.length);
    this.key = key;
    this.maxRecords =
        Math.max(1, Math.min(limits.packets(), limits.bytes() / Records.RECORD_BYTES));
  }

  /**
   * Sets nonces aside for the caller alone.
   *
   * @param records at least 1
   * @return the range, to be closed by the caller; null if these records would pass the limit of
   *     the key, or the key was closed
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

  /** Hands out no more nonces. Idempotent; ranges in use stay usable. */
  @Override
  public void close() {
    if (open.getAndSet(0) == 1) {
      letGo();
    }
  }

  /** Whether the key hands out no more nonces. */
  public boolean isClosed() {
    return open.get() == 0;
  }

  /** Whether the key was overwritten: nothing sealed under the key is held any more. */
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

  /** Adds a holder, which holds the key already by another object. */
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
