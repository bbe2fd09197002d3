package io.millrace.path.peer;

import io.millrace.buffer.ByteBudget;

/**
 * The bounds on the calls of this node that wait for a peer.
 *
 * @param calls calls that may wait for one peer
 * @param unready bytes of the calls to all peers of the node that wait for their peer to be ready
 */
public record CallLimits(int calls, ByteBudget unready) {
  /** Bytes of waiting calls of a node without a setting. */
  private static final long UNREADY_BYTES = 16 << 20;

  /** This number of calls to one peer, with a budget of bytes of its own. */
  public static CallLimits of(int calls) {
    return new CallLimits(calls, new ByteBudget(UNREADY_BYTES));
  }
}
