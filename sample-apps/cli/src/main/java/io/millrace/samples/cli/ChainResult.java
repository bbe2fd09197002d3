package io.millrace.samples.cli;

import io.millrace.api.TransportSnapshot;
import org.HdrHistogram.Histogram;

/**
 * The times of chains of calls.
 *
 * @param pipelined chains sent at once, ns of each chain
 * @param awaited chains with calls sent one by one, ns of each chain
 * @param failed the number of failed calls, the warm-up included
 * @param firstFailure the message of the first failed call, or empty
 * @param node counters of the node at the end
 */
record ChainResult(
    Histogram pipelined,
    Histogram awaited,
    long failed,
    String firstFailure,
    TransportSnapshot node) {

  /** Returns the factor by which a pipelined chain is faster, by the medians; 0 if unknown. */
  double factor() {
    long fast = pipelined.getValueAtPercentile(50);
    return fast == 0 ? 0 : (double) awaited.getValueAtPercentile(50) / fast;
  }
}
