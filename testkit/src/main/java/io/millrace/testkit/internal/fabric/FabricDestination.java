package io.millrace.testkit.internal.fabric;

/**
 * Where an endpoint sends to.
 *
 * @param number what the endpoint calls it
 * @param link the way there
 * @param address of the endpoint there, as {@link SimFabric} counts
 */
record FabricDestination(int number, FabricLink link, long address) {}
