package io.millrace.api.actor;

import io.millrace.api.IntendedFailure;

/**
 * The failure of a call that an actor refused, or left unanswered when it stopped; the message is
 * for the peer.
 */
final class ActorFailedException extends RuntimeException implements IntendedFailure {
  private static final long serialVersionUID = 1L;

  ActorFailedException(String message) {
    super(message, null, false, false);
  }
}
