package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.wire.PacketHeader;

/**
 * An end of a path between two workers, for the packets that this life's worker sends and receives
 * there. Compares and hashes by itself, as {@link LifePath} does.
 */
record PathSide(NodeLife life, long path, int own, int other) {
  /** The end that seals the packet. */
  static PathSide ofSender(PlainPacket packet) {
    return new PathSide(
        packet.key().life(),
        packet.pathId(),
        PacketHeader.sourceWorker(packet.buffer(), packet.offset()),
        PacketHeader.destinationWorker(packet.buffer(), packet.offset()));
  }

  /** The end that seals the packet, under its present secret alone. */
  static PathSide ofSealedSecret(PlainPacket packet) {
    return new PathSide(
        packet.key().life(),
        PacketHeader.pathId(packet.buffer(), packet.offset()),
        PacketHeader.sourceWorker(packet.buffer(), packet.offset()),
        PacketHeader.destinationWorker(packet.buffer(), packet.offset()));
  }

  /** The end that opened the packet, under its present secret alone. */
  static PathSide ofOpenedSecret(PlainPacket packet) {
    return new PathSide(
        packet.key().life(),
        PacketHeader.pathId(packet.buffer(), packet.offset()),
        PacketHeader.destinationWorker(packet.buffer(), packet.offset()),
        PacketHeader.sourceWorker(packet.buffer(), packet.offset()));
  }

  /** The end that opened the packet. */
  static PathSide ofReceiver(PlainPacket packet) {
    return new PathSide(
        packet.key().life(),
        packet.pathId(),
        PacketHeader.destinationWorker(packet.buffer(), packet.offset()),
        PacketHeader.sourceWorker(packet.buffer(), packet.offset()));
  }

  @Override
  public boolean equals(Object compared) {
    return compared instanceof PathSide side
        && path == side.path
        && own == side.own
        && other == side.other
        && life == side.life;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * (31 * life.hashCode() + Long.hashCode(path)) + own) + other;
  }
}
