package io.millrace.event;

import io.millrace.transfer.PeerHealth;

/**
 * One change of a peer's health.
 *
 * @param worker whose path observed it; -1 if none did
 * @param peer its handshake address
 * @param from what it was
 * @param to what it is now
 * @param atNs when, by {@link System#nanoTime}; in a simulation by its time
 * @param failureRate what part of the packets sent to it failed lately, 0 to 1
 * @param smoothedRttNs its round trip as it was known last, ns; 0 if it was not
 * @param cause what was observed, for a person
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
