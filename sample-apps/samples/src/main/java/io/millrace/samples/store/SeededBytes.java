package io.millrace.samples.store;

import io.millrace.transfer.BodySource;
import java.util.SplittableRandom;

/** Bytes like a model's: nobody can compress these bytes, and a seed makes them again. */
public final class SeededBytes implements BodySource {
  private final SplittableRandom random;
  private final long lengthBytes;
  private long left;
  private long word;
  private int wordBytes;

  /** Makes this number of bytes of this seed. */
  public SeededBytes(long seed, long lengthBytes) {
    random = new SplittableRandom(seed);
    this.lengthBytes = lengthBytes;
    left = lengthBytes;
  }

  @Override
  public long lengthBytes() {
    return lengthBytes;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    if (left == 0) {
      return -1;
    }
    int count = (int) Math.min(length, left);
    for (int i = 0; i < count; i++) {
      if (wordBytes == 0) {
        word = random.nextLong();
        wordBytes = Long.BYTES;
      }
      into[offset + i] = (byte) word;
      word >>>= Byte.SIZE;
      wordBytes--;
    }
    left -= count;
    return count;
  }

  @Override
  public void close() {
    left = 0;
  }
}
