package io.millrace.testkit.internal.net;

import io.millrace.testkit.sim.DelaySettings;
import io.millrace.testkit.sim.Draws;

/**
 * The random decisions of links, and the travel times. The entity is the link. The ordinal is the
 * ordinal of the datagram, or of the attempt on a fabric.
 */
public final class NetworkDraws {
  /** Whether a datagram is lost singly. */
  public final Draws loss;

  /** Whether a burst of loss begins. */
  public final Draws burst;

  /** How many datagrams a burst takes. */
  public final Draws burstLength;

  /** Whether bits are flipped. */
  public final Draws corrupt;

  /** Which bits. */
  public final Draws corruptAt;

  /** Whether the end is missing. */
  public final Draws truncate;

  final Draws corruptBits;
  final Draws truncateAt;
  final Draws duplicate;
  final Draws duplicateDelay;
  private final Draws jitter;
  private final Draws tail;
  private final Draws tailDelay;
  private final Draws reorder;
  private final Draws reorderDelay;

  /**
   * Creates the decisions of a seed.
   *
   * @param domain prefix of the names of its draws
   * @param reorder name of the draw for overtaking
   */
  public NetworkDraws(long seed, String domain, String reorder) {
    loss = Draws.of(seed, domain + ".loss");
    burst = Draws.of(seed, domain + ".burst");
    burstLength = Draws.of(seed, domain + ".burst-length");
    jitter = Draws.of(seed, domain + ".jitter");
    tail = Draws.of(seed, domain + ".tail");
    tailDelay = Draws.of(seed, domain + ".tail-delay");
    this.reorder = Draws.of(seed, domain + "." + reorder);
    reorderDelay = Draws.of(seed, domain + "." + reorder + "-delay");
    duplicate = Draws.of(seed, domain + ".duplicate");
    duplicateDelay = Draws.of(seed, domain + ".duplicate-delay");
    corrupt = Draws.of(seed, domain + ".corrupt");
    corruptBits = Draws.of(seed, domain + ".corrupt-bits");
    corruptAt = Draws.of(seed, domain + ".corrupt-at");
    truncate = Draws.of(seed, domain + ".truncate");
    truncateAt = Draws.of(seed, domain + ".truncate-at");
  }

  /**
   * Returns the travel time without overtaking, ns.
   *
   * @param fires whether a fault of the seed may happen
   */
  public long delayNs(long link, long ordinal, DelaySettings settings, FaultFilter fires) {
    long delayNs =
        settings.fixedNs() + jitter.exponentialNs(link, ordinal, settings.jitterMeanNs());
    if (tail.chance(link, ordinal, settings.tailPpm())
        && fires.allows(link, ordinal, FaultKind.LONG_DELAY)) {
      delayNs += tailDelay.exponentialNs(link, ordinal, settings.tailMeanNs());
    }
    return delayNs;
  }

  /** Returns the extra delay of an overtaken datagram, in {@code ppm} of a million cases, ns. */
  public long overtakenNs(long link, long ordinal, int ppm, long mostNs, FaultFilter fires) {
    return reorder.chance(link, ordinal, ppm) && fires.allows(link, ordinal, FaultKind.REORDER)
        ? reorderDelay.between(link, ordinal, 1, mostNs)
        : 0;
  }
}
