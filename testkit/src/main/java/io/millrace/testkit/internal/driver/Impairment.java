package io.millrace.testkit.internal.driver;

/**
 * The damage that {@link ImpairedDriver} does to received datagrams. Every datagram is judged by
 * itself, from a generator seeded with {@code seed} and the endpoint's number, so that the same
 * arrivals are spoiled the same way.
 *
 * @param seed of the generators
 * @param lossPercent chance that a datagram is dropped
 * @param duplicationPercent chance that a datagram is delivered twice in a row
 * @param reorderPercent chance that a datagram is held back
 * @param maxHeldBackFor datagrams that may overtake a held-back datagram; 1 or more
 * @param corruptionPercent chance that one bit of a datagram is flipped
 * @param payloadCorruptionPercent chance that one bit behind the seal of a packet of chunks is
 *     flipped, unnoticed by the packet's tag
 */
public record Impairment(
    long seed,
    double lossPercent,
    double duplicationPercent,
    double reorderPercent,
    int maxHeldBackFor,
    double corruptionPercent,
    double payloadCorruptionPercent) {

  /** Refuses percentages out of range. */
  public Impairment {
    requirePercent("lossPercent", lossPercent);
    requirePercent("duplicationPercent", duplicationPercent);
    requirePercent("reorderPercent", reorderPercent);
    requirePercent("corruptionPercent", corruptionPercent);
    requirePercent("payloadCorruptionPercent", payloadCorruptionPercent);
    if (maxHeldBackFor < 1) {
      throw new IllegalArgumentException("maxHeldBackFor is " + maxHeldBackFor);
    }
  }

  /** Creates an impairment without damage to bytes that no seal of a packet covers. */
  public Impairment(
      long seed,
      double lossPercent,
      double duplicationPercent,
      double reorderPercent,
      int maxHeldBackFor,
      double corruptionPercent) {
    this(
        seed,
        lossPercent,
        duplicationPercent,
        reorderPercent,
        maxHeldBackFor,
        corruptionPercent,
        0);
  }

  /** Only loss. */
  public static Impairment loss(long seed, double lossPercent) {
    return new Impairment(seed, lossPercent, 0, 0, 1, 0);
  }

  private static void requirePercent(String name, double value) {
    if (!(value >= 0 && value <= 100)) {
      throw new IllegalArgumentException(name + " is " + value);
    }
  }
}
