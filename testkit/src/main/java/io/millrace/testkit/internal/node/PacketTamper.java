package io.millrace.testkit.internal.node;

import org.agrona.MutableDirectBuffer;

/**
 * Changes the plain packets of nodes, so that a node with right keys tells lies: a transport with a
 * bug on purpose, or an attacker. Observers of ciphers see the travelling bytes. They are told of a
 * sealed packet after the change, and of an opened packet before the change. No length may change.
 * Simulation thread only.
 */
public interface PacketTamper {
  /** Whether this tamper makes the node a liar; by default, every node is a liar. */
  default boolean isLiar(int node) {
    return true;
  }

  /** A packet is about to be sealed. */
  default void onSealing(PlainPacket packet, MutableDirectBuffer bytes) {}

  /** A packet was opened, and its node has not read the packet yet. */
  default void onOpened(PlainPacket packet, MutableDirectBuffer bytes) {}
}
