package io.millrace.samples.cli;

/**
 * Calls that depend on each other, over several nodes, which were executed in their order.
 *
 * @param nodes how many nodes
 * @param calls how many calls, those of handlers included
 * @param elapsedNs from the first call to the last answer
 */
record DependentCalls(int nodes, int calls, long elapsedNs) {}
