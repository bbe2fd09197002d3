package io.millrace.testkit.internal.node;

import org.agrona.MutableDirectBuffer;

/**
 * Changes the plain packets of nodes, so that a node with right keys says what is wrong: a
 * transport with a bug on purpose, or an attacker. What observers of ciphers see is what travels:
 * they are told after a packet was changed that is to be sealed, and before one that was opened.
 * Neither length may change. Simulation thread only.
 */
public interface PacketTamper {
  /** Whether this makes what that node says wrong; all of them, unless it is told apart. */
  default boolean isLiar(int node) {
    return true;
  }

  /** A packet is about to be sealed. */
  default void onSealing(PlainPacket packet, MutableDirectBuffer bytes) {}

  /** A packet was opened, and its node has not read it yet. */
  default void onOpened(PlainPacket packet, MutableDirectBuffer bytes) {}
}
