package io.millrace.event;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How long things took: a cumulative histogram of times in ns, whose buckets are exact up to 15 ns
 * and an eighth wide above. A single thread records; any thread reads, and takes differences. Times
 * of 2^42 ns (73 min) or more are in the last bucket.
 */
public final class LatencyCounts {
  private static final int SUB_BITS = 3;
  private static final int SUBS = 1 << SUB_BITS;
  private static final int MOST_BITS = 42;

  /** The number of buckets. */
  public static final int BUCKETS = (MOST_BITS - SUB_BITS) * SUBS + SUBS;

  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] counts = new long[BUCKETS];

  /** Records a time; a negative time counts as 0. */
  public void record(long ns) {
    int bucket = bucketOf(ns);
    COUNTS.setOpaque(counts, bucket, counts[bucket] + 1);
  }

  /** The number of times in a bucket so far. Any thread. */
  public long count(int bucket) {
    return (long) COUNTS.getOpaque(counts, bucket);
  }

  /** Returns the bucket of a time. */
  public static int bucketOf(long ns) {
    if (ns < SUBS) {
      return (int) Math.max(ns, 0);
    }
    int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(ns) - SUB_BITS;
    int bucket = (shift << SUB_BITS) + (int) (ns >>> shift);
    return Math.min(bucket, BUCKETS - 1);
  }

  /** The longest time of a bucket, ns. */
  public static long highestNs(int bucket) {
    if (bucket < SUBS) {
      return bucket;
    }
    int shift = (bucket >>> SUB_BITS) - 1;
    long sub = (bucket & (SUBS - 1)) + (long) SUBS;
    return (sub + 1 << shift) - 1;
  }
}
