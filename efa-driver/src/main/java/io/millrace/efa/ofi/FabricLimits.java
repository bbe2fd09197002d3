package io.millrace.efa.ofi;

/**
 * Sizes that a provider grants.
 *
 * @param transmitEntries operations that its transmit queue holds
 * @param receiveEntries receives that may be posted
 * @param messageBytes largest message; unsigned
 */
public record FabricLimits(long transmitEntries, long receiveEntries, long messageBytes) {}
