package io.millrace.samples.log.node;

import io.millrace.api.IntendedFailure;

/**
 * A replica accepts no more, since it has too much that it does not know to be chosen: first it
 * catches up. The leader proposes again.
 */
final class TooFarException extends RuntimeException implements IntendedFailure {
  private static final long serialVersionUID = 1L;

  TooFarException(long slot) {
    super("slot " + slot + " is too far ahead of what is chosen here", null, false, false);
  }
}
