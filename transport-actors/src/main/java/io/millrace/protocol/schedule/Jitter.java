package io.millrace.protocol.schedule;

/**
 * Numbers that differ each time and for each seed, so that waiters for the same event do not come
 * at the same moment. Each is a hash of the seed and a count: a run can be repeated. Owned by a
 * single machine.
 */
public final class Jitter {
  private final long seed;
  private long draws;

  /** The numbers of this seed, from the first on. */
  public Jitter(long seed) {
    this.seed = mix(seed);
  }

  /** The next number: from 0 to {@code most}, which is not negative. */
  public long upTo(long most) {
    return Long.remainderUnsigned(mix(seed + draws++), most + 1);
  }

  /** The finaliser of SplitMix64: neighbouring inputs give unrelated outputs. */
  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
