package io.millrace.testkit.sim;

/**
 * Random decisions of one kind in one run. Each decision is a hash of the seed, the domain, the
 * entity and the ordinal, and of nothing else. The domain names the subject of the decision, the
 * entity is a link or a node, and the ordinal counts the decisions of this entity. No decision
 * shifts another decision, so a fault can be taken out of a run and the rest stays. Immutable, any
 * thread, never allocates.
 */
public final class Draws {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long SILVER = 0xD1342543DE82EF95L;
  private static final int PPM = 1_000_000;
  private static final double UNIT = 0x1.0p-53;
  private static final int UNIT_SHIFT = 11;

  private final long key;

  private Draws(long key) {
    this.key = key;
  }

  /**
   * Returns the decisions of a domain for a seed.
   *
   * @param domain the subject of the decisions, for example {@code net.loss}; two domains of the
   *     same name decide alike
   */
  public static Draws of(long seed, String domain) {
    return new Draws(key(seed, domain(domain)));
  }

  /** The number for the name of a domain; the same in every JVM. */
  public static long domain(String name) {
    long hash = GOLDEN;
    for (int i = 0; i < name.length(); i++) {
      hash = mix(hash + name.charAt(i));
    }
    return hash;
  }

  /** Draws a single decision, 64 random bits, for callers without the {@link Draws} of a domain. */
  public static long hash(long seed, long domain, long entity, long ordinal) {
    return draw(key(seed, domain), entity, ordinal);
  }

  private static long key(long seed, long domain) {
    return mix(mix(seed + GOLDEN) ^ domain);
  }

  private static long draw(long key, long entity, long ordinal) {
    return mix(mix(key + entity * GOLDEN) + ordinal * SILVER + GOLDEN);
  }

  // The finaliser of SplitMix64, with the constants found by Stafford (variant 13).
  private static long mix(long value) {
    long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }

  /** 64 random bits. */
  public long draw(long entity, long ordinal) {
    return draw(key, entity, ordinal);
  }

  /** Whether an event with a chance of {@code ppm} in a million happens. */
  public boolean chance(long entity, long ordinal, int ppm) {
    return ppm > 0 && below(entity, ordinal, PPM) < ppm;
  }

  /** A number from 0 to {@code bound - 1}; 0 where {@code bound} is not positive. */
  public long below(long entity, long ordinal, long bound) {
    return bound <= 1 ? 0 : Math.unsignedMultiplyHigh(draw(key, entity, ordinal), bound);
  }

  /**
   * A number from {@code low} to {@code high}, both included; {@code low} where {@code low} is
   * larger.
   */
  public long between(long entity, long ordinal, long low, long high) {
    return low + below(entity, ordinal, high - low + 1);
  }

  /** A number from 0 up to, not including, 1. */
  public double unit(long entity, long ordinal) {
    return (draw(key, entity, ordinal) >>> UNIT_SHIFT) * UNIT;
  }

  /**
   * An exponentially distributed time, ns. Most times are shorter than the mean, one in 22,000 is
   * ten times as long, and no time is 37 times as long.
   */
  public long exponentialNs(long entity, long ordinal, long meanNs) {
    // StrictMath: the same on every machine.
    return meanNs <= 0 ? 0 : (long) (-StrictMath.log(1 - unit(entity, ordinal)) * meanNs);
  }
}
