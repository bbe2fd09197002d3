package io.millrace.samples.cli;

import io.millrace.api.TransportSnapshot;
import org.HdrHistogram.Histogram;

/**
 * What chains of calls took.
 *
 * @param pipelined chains that were sent at once, ns of each
 * @param awaited chains whose calls were sent one by one, ns of each
 * @param failed calls that failed, the warm-up included
 * @param firstFailure what the first of them said, or empty
 * @param node counters of the node at the end
 */
record ChainResult(
    Histogram pipelined,
    Histogram awaited,
    long failed,
    String firstFailure,
    TransportSnapshot node) {

  /** By how much a pipelined chain is faster, by the medians; 0 if it is not known. */
  double factor() {
    long fast = pipelined.getValueAtPercentile(50);
    return fast == 0 ? 0 : (double) awaited.getValueAtPercentile(50) / fast;
  }
}
