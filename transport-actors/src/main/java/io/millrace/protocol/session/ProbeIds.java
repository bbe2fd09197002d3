package io.millrace.protocol.session;

/**
 * Ids of the probes of a path, which nobody can foretell without having read the probe, so that an
 * answer proves the probe's arrival: SipHash-2-4 of the probes' count under a random key. Owned by
 * the path's worker. No clock; does not allocate.
 */
public final class ProbeIds {
  private static final int ROUNDS_OF_WORD = 2;
  private static final int ROUNDS_OF_END = 4;

  /** The length of the hashed input, bytes, in the highest byte of the last word. */
  private static final long LENGTH_WORD = (long) Long.BYTES << 56;

  private static final long LOW_BITS = 3;

  private final long firstKey;
  private final long secondKey;
  private long count;
  private long v0;
  private long v1;
  private long v2;
  private long v3;

  /** Ids under a key of 16 bytes that only this node knows. */
  public ProbeIds(long firstKey, long secondKey) {
    this.firstKey = firstKey;
    this.secondKey = secondKey;
  }

  /** The next id: not negative, its two lowest bits counted up from one id to the next. */
  public long next() {
    long number = count++;
    return hash(number) & Long.MAX_VALUE & ~LOW_BITS | number & LOW_BITS;
  }

  long hash(long word) {
    v0 = firstKey ^ 0x736f6d6570736575L;
    v1 = secondKey ^ 0x646f72616e646f6dL;
    v2 = firstKey ^ 0x6c7967656e657261L;
    v3 = secondKey ^ 0x7465646279746573L;
    take(word);
    take(LENGTH_WORD);
    v2 ^= 0xff;
    mix(ROUNDS_OF_END);
    return v0 ^ v1 ^ v2 ^ v3;
  }

  private void take(long word) {
    v3 ^= word;
    mix(ROUNDS_OF_WORD);
    v0 ^= word;
  }

  private void mix(int rounds) {
    for (int i = 0; i < rounds; i++) {
      v0 += v1;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v3;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 += v3;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v2 = Long.rotateLeft(v2, 32);
    }
  }
}
