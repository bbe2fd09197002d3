package io.millrace.testkit.internal.net;

/**
 * A fault that happened.
 *
 * @param link the link ({@link SimLink#key()})
 * @param ordinal number of the datagram on this link, from 0
 * @param kind of the fault
 */
public record FiredFault(long link, long ordinal, FaultKind kind) {}
