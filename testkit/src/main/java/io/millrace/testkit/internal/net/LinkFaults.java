package io.millrace.testkit.internal.net;

import io.millrace.testkit.sim.DamageSettings;
import io.millrace.testkit.sim.DelaySettings;
import io.millrace.testkit.sim.LossSettings;
import org.jspecify.annotations.Nullable;

/**
 * Decides which faults befall the datagrams of one link, each by a draw of its own that depends on
 * the datagram's ordinal alone.
 */
final class LinkFaults {
  private static final int MAX_FLIPS = 3;

  private final FaultFilter fires;
  private final NetworkDraws draws;
  private final long link;
  private long burstEndOrdinal;

  LinkFaults(NetworkRun run, long link) {
    fires = run.faults()::fires;
    this.draws = run.draws();
    this.link = link;
  }

  private boolean fires(Packet packet, FaultKind kind) {
    return fires.allows(link, packet.ordinal(), kind);
  }

  /** Why the datagram is lost on its way, or null. */
  @Nullable LossReason lossOf(Packet packet, LossSettings settings) {
    long ordinal = packet.ordinal();
    // Where a burst begins must not depend on what else happens.
    if (ordinal >= burstEndOrdinal && draws.burst.chance(link, ordinal, settings.burstPpm())) {
      burstEndOrdinal =
          ordinal + draws.burstLength.between(link, ordinal, 1, settings.burstMaxPackets());
    }
    if (ordinal < burstEndOrdinal && fires(packet, FaultKind.BURST_LOSS)) {
      return LossReason.BURST;
    }
    boolean lost =
        draws.loss.chance(link, ordinal, settings.ppm()) && fires(packet, FaultKind.LOSS);
    return lost ? LossReason.RANDOM : null;
  }

  /** How long the datagram travels, apart from being overtaken, ns. */
  long delayNs(Packet packet, DelaySettings settings) {
    return draws.delayNs(link, packet.ordinal(), settings, fires);
  }

  /** How much later the datagram comes because others overtake it, ns. */
  long overtakenNs(Packet packet, DamageSettings settings) {
    return draws.overtakenNs(
        link, packet.ordinal(), settings.reorderPpm(), settings.reorderMaxNs(), fires);
  }

  boolean duplicates(Packet packet, DamageSettings settings) {
    return draws.duplicate.chance(link, packet.ordinal(), settings.duplicatePpm())
        && fires(packet, FaultKind.DUPLICATE);
  }

  /** How much later than the first copy the second one comes, ns. */
  long secondCopyNs(Packet packet, DamageSettings settings) {
    return draws.duplicateDelay.between(link, packet.ordinal(), 1, settings.reorderMaxNs());
  }

  void damage(Packet packet, DamageSettings settings) {
    long ordinal = packet.ordinal();
    if (packet.length() == 0) {
      return;
    }
    if (draws.corrupt.chance(link, ordinal, settings.corruptPpm())
        && fires(packet, FaultKind.CORRUPT)) {
      corrupt(packet);
    }
    if (draws.truncate.chance(link, ordinal, settings.truncatePpm())
        && fires(packet, FaultKind.TRUNCATE)) {
      packet.truncate((int) draws.truncateAt.below(link, ordinal, packet.length()));
      packet.damage();
    }
  }

  /** Flips one to three different bits. */
  void corrupt(Packet packet) {
    long bits = (long) packet.length() * Byte.SIZE;
    long flips = Math.min(bits, draws.corruptBits.between(link, packet.ordinal(), 1, MAX_FLIPS));
    long share = bits / Math.max(1, flips);
    for (long i = 0; i < flips; i++) {
      long ordinal = packet.ordinal() * MAX_FLIPS + i;
      packet.flip(i * share + draws.corruptAt.below(link, ordinal, share));
    }
    packet.damage();
  }
}
