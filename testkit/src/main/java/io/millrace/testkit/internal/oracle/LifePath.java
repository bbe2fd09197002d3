package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.PlainPacket;

/** A path, as one life has it. */
record LifePath(NodeLife life, long path) {
  /** Of the life whose cipher has the packet. */
  static LifePath of(PlainPacket packet) {
    return new LifePath(packet.key().life(), packet.pathId());
  }
}
