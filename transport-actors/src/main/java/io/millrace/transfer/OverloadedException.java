package io.millrace.transfer;

import java.io.IOException;

/**
 * There is no room for this now, and nothing was done: it may be tried again later. Thrown by what
 * an application serves, it answers the caller {@code OVERLOADED} with its message.
 */
public final class OverloadedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the refusal of one request. */
  public OverloadedException(String message) {
    super(message);
  }
}
