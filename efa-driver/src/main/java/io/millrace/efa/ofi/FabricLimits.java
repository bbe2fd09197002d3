package io.millrace.efa.ofi;

/**
 * The sizes granted by a provider.
 *
 * @param transmitEntries the number of operations in the provider's transmit queue
 * @param receiveEntries the number of receives that may be posted
 * @param messageBytes largest message; unsigned
 */
public record FabricLimits(long transmitEntries, long receiveEntries, long messageBytes) {}
