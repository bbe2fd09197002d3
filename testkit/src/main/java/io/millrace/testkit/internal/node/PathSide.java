package io.millrace.testkit.internal.node;

import io.millrace.wire.PacketHeader;

/**
 * One end of a path between two workers: what this life's worker says and hears there. Rules look
 * ends up for each packet, so the hash is computed once. Immutable.
 */
public final class PathSide {
  private final NodeLife life;
  private final long path;
  private final int own;
  private final int other;
  private final int hash;

  /**
   * An end of a path.
   *
   * @param own the worker of this life
   * @param other the worker at the other end
   */
  public PathSide(NodeLife life, long path, int own, int other) {
    this.life = life;
    this.path = path;
    this.own = own;
    this.other = other;
    hash = 31 * (31 * (31 * life.hashCode() + Long.hashCode(path)) + own) + other;
  }

  /** The end that seals the packet. */
  public static PathSide ofSender(PlainPacket packet) {
    return packet.senderSide();
  }

  /** The end that opened the packet. */
  public static PathSide ofReceiver(PlainPacket packet) {
    return packet.receiverSide();
  }

  /** The end that seals the packet, under its present secret alone. */
  public static PathSide ofSealedSecret(PlainPacket packet) {
    return new PathSide(
        packet.key().life(),
        PacketHeader.pathId(packet.buffer(), packet.offset()),
        PacketHeader.sourceWorker(packet.buffer(), packet.offset()),
        PacketHeader.destinationWorker(packet.buffer(), packet.offset()));
  }

  /** The end that opened the packet, under its present secret alone. */
  public static PathSide ofOpenedSecret(PlainPacket packet) {
    return new PathSide(
        packet.key().life(),
        PacketHeader.pathId(packet.buffer(), packet.offset()),
        PacketHeader.destinationWorker(packet.buffer(), packet.offset()),
        PacketHeader.sourceWorker(packet.buffer(), packet.offset()));
  }

  /** Whose end it is. */
  public NodeLife life() {
    return life;
  }

  /** The id of the path. */
  public long path() {
    return path;
  }

  /** The worker of this life. */
  public int own() {
    return own;
  }

  /** The worker at the other end. */
  public int other() {
    return other;
  }

  /** Whether it is the end of these. */
  boolean is(long pathId, int ownWorker, int otherWorker) {
    return path == pathId && own == ownWorker && other == otherWorker;
  }

  @Override
  public boolean equals(Object compared) {
    return compared == this
        || compared instanceof PathSide side
            && life == side.life
            && side.is(path, own, other);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
