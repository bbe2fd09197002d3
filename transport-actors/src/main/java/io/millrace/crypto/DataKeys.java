package io.millrace.crypto;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Which data key the next records are sealed with: one for each recipient set, replaced when its
 * limits are reached, never shared between two sets. Keys are random and know nothing of control
 * keys, nor those of them.
 *
 * <p>Used by one thread at a time, so that each sealing thread has keys of its own. Keeps the keys
 * of the recipient sets used last, up to a number, and closes the others.
 */
public final class DataKeys implements AutoCloseable {
  private final AesKeySize size;
  private final KeyLimits limits;
  private final int maxKeys;
  private final RandomGenerator random;
  private final Map<Object, DataKey> current = new LinkedHashMap<>(16, 0.75f, true);
  private long generated;
  private boolean closed;

  /**
   * No keys yet.
   *
   * @param maxKeys recipient sets whose key is kept, at least 1
   * @param random where keys come from: a {@code SecureRandom}, except in a simulation
   */
  public DataKeys(AesKeySize size, KeyLimits limits, int maxKeys, RandomGenerator random) {
    if (maxKeys < 1) {
      throw new IllegalArgumentException("at least one key is kept, not " + maxKeys);
    }
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
   * @throws IllegalArgumentException if one key may not seal that many records
   * @throws IllegalStateException once closed
   */
  public RecordRange reserve(Object recipients, int records) {
    requireOpen();
    DataKey key = current.get(recipients);
    RecordRange range = key == null ? null : key.reserve(records);
    if (range == null) {
      DataKey next = generate();
      range = require(next.reserve(records), records);
      current.put(recipients, next);
      if (key != null) {
        key.close();
      }
      evict();
    }
    return range;
  }

  /** Nonces under a key that is used for nothing else; as {@link #reserve}. */
  public RecordRange fresh(int records) {
    requireOpen();
    try (DataKey key = generate()) {
      return require(key.reserve(records), records);
    }
  }

  /** A recipient set is gone, or got another member: its key is used no more. */
  public void forget(Object recipients) {
    DataKey key = current.remove(recipients);
    if (key != null) {
      key.close();
    }
  }

  /** How many keys were generated. */
  public long generated() {
    return generated;
  }

  /** Closes all keys; ranges in use stay usable. Idempotent. */
  @Override
  public void close() {
    closed = true;
    current.values().forEach(DataKey::close);
    current.clear();
  }

  /** Never a byte of a key. */
  @Override
  public String toString() {
    return "DataKeys[" + current.size() + " of " + maxKeys + ", redacted]";
  }

  private DataKey generate() {
    byte[] bytes = new byte[size.bytes()];
    random.nextBytes(bytes);
    generated++;
    return new DataKey(bytes, limits);
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
