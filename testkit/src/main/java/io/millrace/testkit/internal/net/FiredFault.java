package io.millrace.testkit.internal.net;

/**
 * A fault that happened.
 *
 * @param link the link ({@link SimLink#key()})
 * @param ordinal which datagram of that link, from 0
 * @param kind what happened
 */
public record FiredFault(long link, long ordinal, FaultKind kind) {}
