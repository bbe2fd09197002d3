package io.millrace.actor.body;

import io.millrace.api.IntendedFailure;
import java.io.IOException;

/**
 * There is no room for this now, and nothing was done: it may be tried again later. Thrown by what
 * an application serves, it answers the caller {@code OVERLOADED} with its message.
 */
public final class OverloadedException extends IOException implements IntendedFailure {
  private static final long serialVersionUID = 1L;

  /** Creates the refusal of one request. */
  public OverloadedException(String message) {
    super(message);
  }
}
