package io.millrace.testkit.internal.net;

import io.millrace.testkit.sim.DamageSettings;
import io.millrace.testkit.sim.DelaySettings;
import io.millrace.testkit.sim.LossSettings;
import org.jspecify.annotations.Nullable;

/**
 * Decides the faults of the datagrams of one link. Each fault has a draw of its own, which depends
 * on the datagram's ordinal alone.
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

  /** Returns why the datagram is lost on its way, or null. */
  @Nullable LossReason lossOf(Packet packet, LossSettings settings) {
    long ordinal = packet.ordinal();
    // The place where a burst begins must not depend on other faults.
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

  /** Returns how long the datagram travels, without overtaking, ns. */
  long delayNs(Packet packet, DelaySettings settings) {
    return draws.delayNs(link, packet.ordinal(), settings, fires);
  }

  /** Returns how much later the datagram comes because later datagrams overtake, ns. */
  long overtakenNs(Packet packet, DamageSettings settings) {
    return draws.overtakenNs(
        link, packet.ordinal(), settings.reorderPpm(), settings.reorderMaxNs(), fires);
  }

  boolean duplicates(Packet packet, DamageSettings settings) {
    return draws.duplicate.chance(link, packet.ordinal(), settings.duplicatePpm())
        && fires(packet, FaultKind.DUPLICATE);
  }

  /** Returns by how much the second copy comes later than the first, ns. */
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
