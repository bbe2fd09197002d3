package io.millrace.event;

import io.millrace.transfer.PeerHealth;

/**
 * A change of a peer's health.
 *
 * @param worker the worker whose path observed the change; -1 if no path did
 * @param peer the peer's handshake address
 * @param from the peer's former health
 * @param to the health before the change
 * @param atNs the time of the change, by {@link System#nanoTime}; in a simulation by the
 *     simulation's time
 * @param failureRate the part of the packets to the peer that failed lately, 0 to 1
 * @param smoothedRttNs the peer's last known round trip, ns; 0 if unknown
 * @param cause the observed cause, for a person
 */
public record PeerHealthChange(
    int worker,
    String peer,
    PeerHealth from,
    PeerHealth to,
    long atNs,
    double failureRate,
    long smoothedRttNs,
    String cause) {}
