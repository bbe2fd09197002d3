package io.millrace.protocol.region;

/**
 * Lengthens waits by a part that differs each time and for each path, so that those who were told
 * the same do not come back at one moment. Each draw is a hash of the seed and a count.
 */
final class Straying {
  private static final int PART = 4;

  private final long seed;
  private long draws;

  Straying(long seed) {
    this.seed = seed;
  }

  /** So long, or up to a quarter longer; ns. */
  long stray(long waitNs) {
    return waitNs + Long.remainderUnsigned(mix(mix(seed) + draws++), waitNs / PART + 1);
  }

  /** The finaliser of SplitMix64: neighbouring inputs give unrelated outputs. */
  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
