package io.millrace.protocol.health;

import io.millrace.transfer.PeerHealth;

/** Is told once of each change of a peer's health, on the thread that made it; must not block. */
@FunctionalInterface
public interface HealthListener {
  /** Nobody is told. */
  HealthListener NONE = change -> {};

  /** The health of a peer has changed. */
  void onChange(Change change);

  /**
   * One change.
   *
   * @param peer its handshake address
   * @param worker whose path observed it, -1 if none did
   * @param from the state before
   * @param to the state after
   * @param nowNs when, by the node's clock
   * @param failureRate what part of what was sent failed lately, 0 to 1
   * @param smoothedRttNs the round trip as the path that told it last knew it, 0 if none did
   * @param cause what was observed
   */
  record Change(
      String peer,
      int worker,
      PeerHealth from,
      PeerHealth to,
      long nowNs,
      double failureRate,
      long smoothedRttNs,
      String cause) {}
}
