package io.millrace.samples.log.node;

import io.millrace.api.IntendedFailure;

/**
 * A replica refuses an entry because too many of its accepted bytes are not known to be chosen:
 * first the replica catches up. The leader proposes again.
 */
final class TooFarException extends RuntimeException implements IntendedFailure {
  private static final long serialVersionUID = 1L;

  TooFarException(long slot) {
    super("slot " + slot + " is too far ahead of the chosen slots here", null, false, false);
  }
}
