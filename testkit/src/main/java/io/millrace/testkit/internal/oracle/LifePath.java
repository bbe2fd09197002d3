package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.PlainPacket;

/**
 * A path in one life. Many rules look this key up for each packet, so the record compares and
 * hashes by itself: the generated methods of a record are slow until compiled.
 */
record LifePath(NodeLife life, long path) {
  /** The path of the packet in the life whose cipher has the packet. */
  static LifePath of(PlainPacket packet) {
    return new LifePath(packet.key().life(), packet.pathId());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LifePath named && path == named.path && life == named.life;
  }

  @Override
  public int hashCode() {
    return 31 * life.hashCode() + Long.hashCode(path);
  }
}
