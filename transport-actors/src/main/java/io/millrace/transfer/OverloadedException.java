package io.millrace.transfer;

import java.io.IOException;
import java.time.Duration;

/**
 * The node has no room for this request now, and nothing was done: the caller may try again later.
 * Thrown by a handler, source or target of an application, this exception answers the caller {@code
 * OVERLOADED} with the exception's message.
 */
public final class OverloadedException extends IOException {
  private static final long serialVersionUID = 1L;

  private static final Duration LONGEST = Duration.ofHours(1);

  private final Duration retryAfter;

  /** Creates the refusal of a single request that says no time for another try. */
  public OverloadedException(String message) {
    this(message, Duration.ZERO);
  }

  /**
   * Creates the refusal of a single request.
   *
   * @param retryAfter the time after which another try may go well, an hour at most; zero if
   *     unknown
   */
  public OverloadedException(String message, Duration retryAfter) {
    super(message);
    this.retryAfter = retryAfter.compareTo(LONGEST) > 0 ? LONGEST : retryAfter;
  }

  /** The time after which another try may go well; zero if unknown. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
