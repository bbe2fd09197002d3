package io.millrace.samples.cli;

import io.millrace.api.Route;
import org.apache.pekko.util.ByteString;

/**
 * The plan of a load.
 *
 * @param pattern the kind of calls
 * @param route the route to a handler of the peers
 * @param sizeBytes the payload of a request, equal to the payload of its answer; or the payload of
 *     an element of a stream
 * @param elements of each stream, or calls of each chain
 * @param concurrency calls outstanding at once, over all peers
 * @param priority 0 to 7
 * @param isInline calls complete on the worker's thread; on the executor otherwise
 * @param warmUpNs the first part of the run, not counted
 * @param durationNs the counted part of the run
 */
record LoadPlan(
    LoadPattern pattern,
    Route<ByteString, ByteString> route,
    long sizeBytes,
    int elements,
    int concurrency,
    int priority,
    boolean isInline,
    long warmUpNs,
    long durationNs) {

  /** Returns the same plan with streams or chains of this number of elements. */
  LoadPlan withElements(int count) {
    return new LoadPlan(
        pattern, route, sizeBytes, count, concurrency, priority, isInline, warmUpNs, durationNs);
  }
}
