package io.millrace.api;

import java.time.Duration;
import java.util.Objects;

/**
 * One peer of a broadcast and how its transfer is treated, independently of all others.
 *
 * @param peer who gets the payload; of the transport that broadcasts
 * @param priority 0, served first, to 7
 * @param deadline how long after the broadcast was begun the transfer fails with {@code EXPIRED}
 *     unless it has ended; at most 200 days, {@link Duration#ZERO} for never
 */
public record Destination(Peer peer, int priority, Duration deadline) {
  /** An actor system's scheduler takes 248 days; one that refuses would leave payloads held. */
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

  /** A peer, with priority 3 and no deadline. */
  public static Destination of(Peer peer) {
    return new Destination(peer, TransferOptions.DEFAULTS.priority(), Duration.ZERO);
  }

  /** The same with another priority, 0 to 7. */
  public Destination withPriority(int priority) {
    return new Destination(peer, priority, deadline);
  }

  /** The same with this deadline. */
  public Destination withDeadline(Duration deadline) {
    return new Destination(peer, priority, deadline);
  }
}
