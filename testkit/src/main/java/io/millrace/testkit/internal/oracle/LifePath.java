package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.PlainPacket;

/**
 * A path, as one life has it. Looked up for each packet by many rules, so that it compares and
 * hashes by itself: what the compiler makes of a record for that is slow until it is compiled.
 */
record LifePath(NodeLife life, long path) {
  /** Of the life whose cipher has the packet. */
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
