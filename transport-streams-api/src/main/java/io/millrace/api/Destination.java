package io.millrace.api;

import java.time.Duration;
import java.util.Objects;

/**
 * A peer of a broadcast, with the priority and deadline of its transfer, independent of all other
 * transfers.
 *
 * @param peer the receiver of the payload; belongs to the broadcasting transport
 * @param priority 0, served first, to 7
 * @param deadline the time from the begin of the broadcast until the unfinished transfer fails with
 *     {@code EXPIRED}; at most 200 days, {@link Duration#ZERO} for no deadline
 */
public record Destination(Peer peer, int priority, Duration deadline) {
  /**
   * The scheduler of an actor system accepts at most 248 days; a refused deadline would leave
   * payloads held.
   */
  private static final Duration LONGEST = Duration.ofDays(200);

  /** Checks the ranges of priority and deadline. */
  public Destination {
    Objects.requireNonNull(peer, "peer");
    Objects.requireNonNull(deadline, "deadline");
    if (priority < 0 || priority > TransferOptions.LOWEST_PRIORITY) {
      throw new IllegalArgumentException("priority " + priority + " is not within 0 to 7");
    }
    if (deadline.isNegative() || deadline.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a deadline of " + deadline + " is negative or more than 200 days");
    }
  }

  /** Returns a destination with priority 3 and no deadline. */
  public static Destination of(Peer peer) {
    return new Destination(peer, TransferOptions.DEFAULTS.priority(), Duration.ZERO);
  }

  /** Returns the same destination with another priority, 0 to 7. */
  public Destination withPriority(int priority) {
    return new Destination(peer, priority, deadline);
  }

  /** Returns the same destination with this deadline. */
  public Destination withDeadline(Duration deadline) {
    return new Destination(peer, priority, deadline);
  }
}
