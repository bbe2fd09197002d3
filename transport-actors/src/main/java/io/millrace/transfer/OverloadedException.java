package io.millrace.transfer;

import java.io.IOException;

/**
 * The node has no room for this request now, and nothing was done: the caller may try again later.
 * Thrown by a handler, source or target of an application, this exception answers the caller {@code
 * OVERLOADED} with the exception's message.
 */
public final class OverloadedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the refusal of a single request. */
  public OverloadedException(String message) {
    super(message);
  }
}
