package io.millrace.crypto;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The data keys of the next records: a key for each recipient set, replaced at its limits and given
 * up after a long time without use, never shared between two sets. Keys are random and independent
 * of control keys, as control keys are of data keys.
 *
 * <p>Used by a single thread at a time, so that each sealing thread has keys of its own. Keeps the
 * keys of the recipient sets used last, up to a number, and closes all other keys.
 */
public final class DataKeys implements AutoCloseable {
  private final AesKeySize size;
  private final KeyLimits limits;
  private final int maxKeys;
  private final long unusedNs;
  private final RandomGenerator random;
  private final Map<Object, Current> current = new LinkedHashMap<>(16, 0.75f, true);
  private long nowNs;
  private long generated;
  private boolean closed;

  /** The key of a recipient set. */
  private static final class Current {
    private final DataKey key;
    private long usedNs;

    private Current(DataKey key, long usedNs) {
      this.key = key;
      this.usedNs = usedNs;
    }
  }

  /**
   * No keys yet.
   *
   * @param limits how much each key of a recipient set may seal
   * @param maxKeys recipient sets with a kept key, at least 1
   * @param unusedNs after this time unused a key is closed by {@link #onTime}
   * @param random where keys come from: a {@code SecureRandom}, except in a simulation
   */
  public DataKeys(
      AesKeySize size, KeyLimits limits, int maxKeys, long unusedNs, RandomGenerator random) {
    if (maxKeys < 1 || unusedNs < 0) {
      throw new IllegalArgumentException(maxKeys + " keys for " + unusedNs + " ns");
    }
    this.unusedNs = unusedNs;
    this.size = size;
    this.limits = limits;
    this.maxKeys = maxKeys;
    this.random = random;
  }

  /**
   * Nonces under the key of a recipient set, which the caller closes when its records are sealed.
   *
   * @param recipients names the set by {@code equals}
   * @param records at least 1
   * @throws IllegalArgumentException if a key may not seal that many records
   * @throws IllegalStateException once closed
   */
  public RecordRange reserve(Object recipients, int records) {
    requireOpen();
    Current present = current.get(recipients);
    RecordRange range = present == null ? null : present.key.reserve(records);
    if (present != null && range != null) {
      present.usedNs = nowNs;
      return range;
    }
    DataKey next = generate(limits);
    range = require(next.reserve(records), records);
    current.put(recipients, new Current(next, nowNs));
    if (present != null) {
      present.key.close();
    }
    evict();
    return range;
  }

  /**
   * Nonces under a key without any other use; as {@link #reserve}, but within the limits of any
   * key: this key is given up at once.
   */
  public RecordRange fresh(int records) {
    requireOpen();
    try (DataKey key = generate(KeyLimits.DEFAULT)) {
      return require(key.reserve(records), records);
    }
  }

  /** Sets the time, and closes keys that were not used for too long. */
  public void onTime(long timeNs) {
    nowNs = timeNs;
    // In the order of use: the first that stays ends the search.
    Iterator<Current> eldest = current.values().iterator();
    while (eldest.hasNext()) {
      Current each = eldest.next();
      if (nowNs - each.usedNs < unusedNs) {
        return;
      }
      eldest.remove();
      each.key.close();
    }
  }

  /** A recipient set is gone, or got another member: its key is used no more. */
  public void forget(Object recipients) {
    Current gone = current.remove(recipients);
    if (gone != null) {
      gone.key.close();
    }
  }

  /** Recipient sets with a kept key. */
  public int kept() {
    return current.size();
  }

  /** The number of generated keys. */
  public long generated() {
    return generated;
  }

  /** Closes all keys; ranges in use stay usable. Idempotent. */
  @Override
  public void close() {
    closed = true;
    current.values().forEach(each -> each.key.close());
    current.clear();
  }

  /** Never a byte of a key. */
  @Override
  public String toString() {
    return "DataKeys[" + current.size() + " of " + maxKeys + ", redacted]";
  }

  private DataKey generate(KeyLimits ofKey) {
    byte[] bytes = new byte[size.bytes()];
    random.nextBytes(bytes);
    generated++;
    return new DataKey(bytes, ofKey);
  }

  private void evict() {
    if (current.size() > maxKeys) {
      Object eldest = current.keySet().iterator().next();
      forget(eldest);
    }
  }

  private RecordRange require(@Nullable RecordRange range, int records) {
    if (range == null) {
      throw new IllegalArgumentException(
          records + " records are more than a key may seal: " + limits);
    }
    return range;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the data keys are closed");
    }
  }
}
