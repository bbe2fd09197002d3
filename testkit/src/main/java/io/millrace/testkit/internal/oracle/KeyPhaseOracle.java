package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.KeyInUse;
import io.millrace.testkit.internal.node.KeyName;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.sim.Oracle;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.RetireControlKeyDecoder;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The key phases of paths; rules K-4 to K-6. A side seals under key 0 first and then under each
 * next key, never under an earlier key, with packet numbers that only grow. Each opened packet was
 * sealed in the phase named in its header. This phase is among the 8 newest opened phases, or the 8
 * after these, and was not retired.
 */
final class KeyPhaseOracle implements Oracle, CipherObserver {
  static final String NAME = "key phases only move on";
  private static final long NONE = -1;
  private static final long BEHIND = 7;
  private static final long AHEAD = 8;

  private final Simulation simulation;
  // Looked up only, never walked.
  private final Map<PathSide, Sealing> sealers = new HashMap<>();
  private final Map<PathSide, Opening> openers = new HashMap<>();
  private final Map<PathSide, Way> ways = new HashMap<>();
  private final Map<KeyName, Phase> phases = new HashMap<>();
  private final IdentityHashMap<KeyInUse, Phase> sealed = new IdentityHashMap<>();
  private final IdentityHashMap<KeyInUse, Opened> opened = new IdentityHashMap<>();
  private long rotations;

  /** The packets sealed by a side of a path, under all its secrets in turn. */
  private static final class Way {
    private final Set<Sealing> former = new HashSet<>();
    private @Nullable Sealing present;
    private long number = -1;

    /** Whether packets with frames go on under a secret after a later secret has followed. */
    boolean goesBackTo(Sealing sealing) {
      if (present != sealing && present != null) {
        former.add(present);
      }
      present = sealing;
      return former.contains(sealing);
    }
  }

  /** The present phase of a side, under one secret. */
  private static final class Sealing {
    private @Nullable Phase present;
  }

  /** A key of a side, and the packets sealed with this key. */
  private static final class Phase {
    private final Sealing sealing;
    private final long path;
    private final long id;
    private final long first;
    private long last;

    private Phase(Sealing sealing, PlainPacket packet) {
      this.sealing = sealing;
      path = path(packet);
      id = id(packet);
      first = packet.number();
    }

    private boolean has(PlainPacket packet) {
      return path == path(packet)
          && id == id(packet)
          && packet.number() >= first
          && packet.number() <= last;
    }
  }

  /** The newest phase that a side has opened, and the newest phase retired there. */
  private static final class Opening {
    private long newest;
    private long retired = NONE;
  }

  /** A key that opens packets: its side, and the phase of its packets at the sealing side. */
  private record Opened(Opening opening, @Nullable Phase phase) {}

  /** Watches all ciphers of a cluster before the first node boots. */
  KeyPhaseOracle(FullCluster cluster) {
    simulation = cluster.simulation();
    cluster.observeCiphers(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Returns how often a side went on to another key. */
  long rotations() {
    return rotations;
  }

  private static long path(PlainPacket packet) {
    return PacketHeader.pathId(packet.buffer(), packet.offset());
  }

  private static long id(PlainPacket packet) {
    return Integer.toUnsignedLong(PacketHeader.keyId(packet.buffer(), packet.offset()));
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    Phase known = sealed.get(packet.key());
    Phase phase = known == null ? begin(packet) : known;
    Sealing sealing = phase.sealing;
    if (sealing.present != phase || phase.path != path(packet) || phase.id != id(packet)) {
      fail(packet, "seals", "with a key of phase " + phase.id);
    }
    Way way = ways.computeIfAbsent(PathSide.ofSender(packet), side -> new Way());
    if (packet.number() <= way.number) {
      fail(packet, "seals", "after packet " + way.number);
    }
    way.number = packet.number();
    // A packet without frames tries out the next secret, while other packets go on under the
    // present secret.
    if (packet.bodyLength() > 0 && way.goesBackTo(sealing)) {
      fail(packet, "seals", "under a secret that the path has changed");
    }
    phase.last = packet.number();
  }

  private Phase begin(PlainPacket packet) {
    Sealing sealing =
        sealers.computeIfAbsent(PathSide.ofSealedSecret(packet), side -> new Sealing());
    Phase phase = new Phase(sealing, packet);
    Phase before = sealing.present;
    long next = before == null ? 0 : before.id + 1;
    if (phase.id != next) {
      fail(packet, "seals", "when phase " + next + " is next");
    }
    if (phases.putIfAbsent(packet.key().name(), phase) != null) {
      fail(packet, "seals", "with a key that was used before");
    }
    rotations += before == null ? 0 : 1;
    sealing.present = phase;
    sealed.put(packet.key(), phase);
    return phase;
  }

  @Override
  public void onPacketOpened(PlainPacket packet) {
    Opened known = opened.get(packet.key());
    Opened place = known == null ? begun(packet) : known;
    Opening opening = place.opening();
    Phase phase = place.phase();
    if (phase == null || !phase.has(packet)) {
      fail(packet, "opens", "which was not sealed so");
    }
    long id = id(packet);
    if (id < opening.newest - BEHIND || id > opening.newest + AHEAD || id <= opening.retired) {
      fail(packet, "opens", "after phase " + opening.newest);
    }
    opening.newest = Math.max(opening.newest, id);
  }

  @Override
  public void onRetirementSealed(PlainPacket packet) {
    long id = retired(packet);
    Sealing sealing = sealers.get(PathSide.ofSealedSecret(packet));
    Phase present = sealing == null ? null : sealing.present;
    if (id != NONE && (present == null || id >= present.id)) {
      fail(packet, "retires", "phase " + id + ", which is not over");
    }
  }

  @Override
  public void onRetirementOpened(PlainPacket packet) {
    Opening opening =
        openers.computeIfAbsent(PathSide.ofOpenedSecret(packet), side -> new Opening());
    opening.retired = Math.max(opening.retired, Math.min(retired(packet), opening.newest - 1));
  }

  /** The newest control key retired by the datagram. */
  private static long retired(PlainPacket packet) {
    DirectBuffer bytes = packet.buffer();
    int at =
        packet.bodyOffset() + FrameStart.LENGTH + RetireControlKeyDecoder.keyIdEncodingOffset();
    return bytes.getByte(packet.offset() + 1) == PacketHeader.OF_CONTROL_KEYS
        ? Integer.toUnsignedLong(bytes.getInt(at, ByteOrder.LITTLE_ENDIAN))
        : NONE;
  }

  private Opened begun(PlainPacket packet) {
    Opened place =
        new Opened(
            openers.computeIfAbsent(PathSide.ofOpenedSecret(packet), side -> new Opening()),
            phases.get(packet.key().name()));
    opened.put(packet.key(), place);
    return place;
  }

  private void fail(PlainPacket packet, String does, String what) {
    simulation.fail(
        NAME,
        "%s %s packet %d of path %x in phase %d %s"
            .formatted(
                Lives.text(packet.key().life()),
                does,
                packet.number(),
                path(packet),
                id(packet),
                what),
        null);
  }
}
