package io.millrace.samples.log.node;

import io.millrace.access.PeerIdentity;
import io.millrace.api.IntendedFailure;

/** A caller that is no member of the log wants to take part in its protocol. */
final class NotAMemberException extends Exception implements IntendedFailure {
  private static final long serialVersionUID = 1L;

  NotAMemberException(PeerIdentity caller) {
    super("only members of the log vote, and " + caller + " is none");
  }
}
