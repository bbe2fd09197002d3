package io.millrace.crypto;

import io.millrace.transfer.Protection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Seals records, and keeps the schedules of the keys used last. Used by a single thread at a time.
 */
public final class RecordSealer implements AutoCloseable {
  private final AeadProvider provider;
  private final int maxKeys;
  // By identity, for DataKey has no other; in the order of use.
  private final Map<DataKey, RecordCipher> ciphers = new LinkedHashMap<>(16, 0.75f, true);
  private long records;
  private boolean closed;

  /**
   * Has no schedule yet.
   *
   * @param maxKeys schedules kept, at least 1
   */
  public RecordSealer(AeadProvider provider, int maxKeys) {
    if (maxKeys < 1) {
      throw new IllegalArgumentException("at least one schedule is kept, not " + maxKeys);
    }
    this.provider = provider;
    this.maxKeys = maxKeys;
  }

  /**
   * Seals the next record of a range; its tag follows the ciphertext.
   *
   * @param length bytes of plaintext, at most {@value Records#RECORD_BYTES}
   * @param out another array than {@code plain}, with room for {@code length} and {@value
   *     Records#TAG_BYTES} bytes more
   * @return the nonce of the record
   * @throws IllegalStateException if the range is used up, or something is closed
   * @throws IndexOutOfBoundsException if something does not lie within its array; the nonce is then
   *     lost
   */
  public long seal(
      RecordRange range, byte[] plain, int offset, int length, byte[] out, int outOffset) {
    return seal(range, plain, offset, length, length, out, outOffset);
  }

  /**
   * Seals the next record of a range, of which only the leading bytes are enciphered.
   *
   * @param length bytes of the record, at most {@value Records#RECORD_BYTES}
   * @param secretBytes the number of enciphered bytes; {@link Protection#secretBytes}
   * @param out another array than {@code plain}, with room for {@code length} and {@value
   *     Records#TAG_BYTES} bytes more
   * @return the nonce of the record
   * @throws IllegalStateException if the range is used up, or something is closed
   * @throws IndexOutOfBoundsException if something does not lie within its array; the nonce is then
   *     lost
   */
  public long seal(
      RecordRange range,
      byte[] plain,
      int offset,
      int length,
      int secretBytes,
      byte[] out,
      int outOffset) {
    RecordCipher cipher = cipherOf(range);
    long nonce = range.take();
    cipher.seal(nonce, plain, offset, length, secretBytes, out, outOffset);
    records++;
    return nonce;
  }

  /** Records sealed. */
  public long records() {
    return records;
  }

  /** Schedules kept. */
  public int schedules() {
    return ciphers.size();
  }

  /** Releases all schedules. Idempotent. */
  @Override
  public void close() {
    closed = true;
    ciphers.values().forEach(RecordCipher::close);
    ciphers.clear();
  }

  private RecordCipher cipherOf(RecordRange range) {
    if (closed) {
      throw new IllegalStateException("the sealer is closed");
    }
    @Nullable RecordCipher known = ciphers.get(range.key());
    if (known != null) {
      return known;
    }
    dropErased();
    RecordCipher made = provider.recordCipher(range.keyBytes(), CipherUse.SEAL);
    ciphers.put(range.key(), made);
    if (ciphers.size() > maxKeys) {
      drop(ciphers.keySet().iterator().next());
    }
    return made;
  }

  /** Releases the schedules of keys that were overwritten. */
  public void dropErased() {
    for (DataKey key : ciphers.keySet().toArray(DataKey[]::new)) {
      if (key.isErased()) {
        drop(key);
      }
    }
  }

  private void drop(DataKey key) {
    RecordCipher cipher = ciphers.remove(key);
    if (cipher != null) {
      cipher.close();
    }
  }
}
