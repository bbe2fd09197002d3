package io.millrace.trace;

import io.millrace.transfer.Headers;

/**
 * Makes a span of each transfer of a node, at both its sides. A node without one pays nothing for
 * it. Its methods are called on the threads that submit or serve transfers, workers among them, so
 * they must not block; what they throw fails the transfer. Any thread.
 */
public interface Tracing {
  /** A transfer of this node is about to be submitted, on the thread that submits it. */
  TransferSpan begin(TracedTransfer transfer);

  /**
   * A peer's transfer is about to be handled. Its parent is named by its headers, if by anything.
   */
  TransferSpan serve(TracedTransfer transfer);

  /**
   * Headers of a payload that is sealed now and sent later, perhaps to several peers: these, and
   * what names the span that this thread is in, if it is in one.
   */
  Headers carry(Headers headers);
}
