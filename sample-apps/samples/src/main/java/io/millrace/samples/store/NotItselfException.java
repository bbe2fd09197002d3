package io.millrace.samples.store;

import io.millrace.access.PeerIdentity;
import io.millrace.api.IntendedFailure;

/** A node acts in the name of another daemon. */
final class NotItselfException extends Exception implements IntendedFailure {
  private static final long serialVersionUID = 1L;

  NotItselfException(PeerIdentity caller, String daemon) {
    super("a daemon acts in its own name, and " + caller + " is not " + daemon);
  }
}
