package io.millrace.samples.cli;

import io.millrace.wire.Route;

/**
 * What load to make.
 *
 * @param route which handler of the peers
 * @param sizeBytes payload of a request, which the route must answer with
 * @param concurrency calls outstanding at once, over all peers
 * @param priority 0 to 7
 * @param isInline calls complete on the worker's thread; on the executor otherwise
 * @param warmUpNs first part of the run, which counts for nothing
 * @param durationNs the part that counts
 */
record LoadPlan(
    Route route,
    int sizeBytes,
    int concurrency,
    int priority,
    boolean isInline,
    long warmUpNs,
    long durationNs) {}
