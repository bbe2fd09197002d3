package io.millrace.efa;

import java.util.random.RandomGenerator;

/**
 * Chooses remote keys if the provider does not. A key is never used twice, because an old write may
 * still arrive. A key must not be guessable from another key: the upper half is a counter, the
 * lower half is random. Keys of less than 8 bytes are only a counter. Owned by the endpoint's
 * thread.
 */
final class RemoteKeys {
  private final long keyBytes;
  private final RandomGenerator random;
  private long count;

  /**
   * @param keyBytes size of a key
   * @param random the source of random numbers, secure in production
   */
  RemoteKeys(long keyBytes, RandomGenerator random) {
    this.keyBytes = keyBytes;
    this.random = random;
  }

  /** Returns a new key, never returned before. */
  long next() {
    count++;
    if (keyBytes < Long.BYTES) {
      return count;
    }
    return count << Integer.SIZE | Integer.toUnsignedLong(random.nextInt());
  }
}
