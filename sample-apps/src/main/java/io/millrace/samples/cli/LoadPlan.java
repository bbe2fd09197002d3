package io.millrace.samples.cli;

import io.millrace.api.Route;
import org.apache.pekko.util.ByteString;

/**
 * What load to make.
 *
 * @param pattern what kind of calls
 * @param route which handler of the peers
 * @param sizeBytes payload of a request, whose answer must be the same bytes; of an element of a
 *     stream
 * @param elements of each stream, or calls of each chain
 * @param concurrency calls outstanding at once, over all peers
 * @param priority 0 to 7
 * @param isInline calls complete on the worker's thread; on the executor otherwise
 * @param warmUpNs first part of the run, which counts for nothing
 * @param durationNs the part that counts
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

  /** The same with streams or chains of so many. */
  LoadPlan withElements(int count) {
    return new LoadPlan(
        pattern, route, sizeBytes, count, concurrency, priority, isInline, warmUpNs, durationNs);
  }
}
