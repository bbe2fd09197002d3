package io.millrace.efa;

import java.util.random.RandomGenerator;

/**
 * Chooses remote keys where the provider does not. A key is never used twice, because a write that
 * was posted long ago may still arrive, and is not to be guessed from another: the upper half
 * counts, the lower half is random. Keys of less than 8 bytes only count. Owned by the endpoint's
 * thread.
 */
final class RemoteKeys {
  private final long keyBytes;
  private final RandomGenerator random;
  private long count;

  /**
   * @param keyBytes size of a key
   * @param random a secure one in production
   */
  RemoteKeys(long keyBytes, RandomGenerator random) {
    this.keyBytes = keyBytes;
    this.random = random;
  }

  /** A key that was not returned before. */
  long next() {
    count++;
    if (keyBytes < Long.BYTES) {
      return count;
    }
    return count << Integer.SIZE | Integer.toUnsignedLong(random.nextInt());
  }
}
