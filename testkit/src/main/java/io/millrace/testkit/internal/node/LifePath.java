package io.millrace.testkit.internal.node;

/**
 * A path, as one life has it. Rules look paths up for each packet, so the hash is computed once.
 * Immutable.
 */
public final class LifePath {
  private final NodeLife life;
  private final long path;
  private final int hash;

  /**
   * A path of a life.
   *
   * @param path its first id
   */
  public LifePath(NodeLife life, long path) {
    this.life = life;
    this.path = path;
    hash = 31 * life.hashCode() + Long.hashCode(path);
  }

  /** Of the life whose cipher has the packet. */
  public static LifePath of(PlainPacket packet) {
    return packet.lifePath();
  }

  /** Whose it is. */
  public NodeLife life() {
    return life;
  }

  /** Its first id. */
  public long path() {
    return path;
  }

  @Override
  public boolean equals(Object other) {
    return other == this
        || other instanceof LifePath named && path == named.path && life == named.life;
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
