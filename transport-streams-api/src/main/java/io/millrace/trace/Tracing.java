package io.millrace.trace;

import io.millrace.transfer.Headers;

/**
 * Makes a span of each transfer of a node, at both sides of the transfer. A node without tracing
 * has no cost for tracing. The threads that submit or serve transfers call the methods, workers
 * among these threads: the methods must not block, and an exception fails the transfer. Any thread.
 */
public interface Tracing {
  /**
   * Begins the span of a transfer of this node, just before the submission and on the submitting
   * thread.
   */
  TransferSpan begin(TracedTransfer transfer);

  /**
   * Begins the span of a peer's transfer, just before its handler. Only the headers of the transfer
   * can name the parent of the span.
   */
  TransferSpan serve(TracedTransfer transfer);

  /**
   * Returns headers for a payload to seal now and send later, perhaps to several peers: the given
   * headers and, in a span, the name of the thread's current span.
   */
  Headers carry(Headers headers);
}
