package io.millrace.protocol.health;

import io.millrace.transfer.PeerHealth;

/** Told once of each change of a peer's health, on the changing thread; must not block. */
@FunctionalInterface
public interface HealthListener {
  /** Nobody is told. */
  HealthListener NONE = change -> {};

  /** The health of a peer has changed. */
  void onChange(Change change);

  /**
   * A single change.
   *
   * @param peer the peer's handshake address
   * @param worker the worker whose path observed the change, -1 if no path did
   * @param from the state before
   * @param to the state after
   * @param nowNs when, by the node's clock
   * @param failureRate the part of the packets to the peer that failed lately, 0 to 1
   * @param smoothedRttNs the last known round trip of the path that told the change, 0 if unknown
   * @param cause the observed cause
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
