package io.millrace.testkit.internal.fabric;

/**
 * A destination of an endpoint.
 *
 * @param number of the destination at this endpoint
 * @param link the way to the destination
 * @param address of the remote endpoint, as {@link SimFabric} counts
 */
record FabricDestination(int number, FabricLink link, long address) {}
