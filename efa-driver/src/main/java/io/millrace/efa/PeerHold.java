package io.millrace.efa;

import io.millrace.driver.HoldCause;
import io.millrace.driver.NotReadyBackoff;
import org.jspecify.annotations.Nullable;

/** The episodes in which posts to one destination wait; belongs to {@link Destinations}. */
final class PeerHold {
  final int destination;
  final NotReadyBackoff backoff;

  /** The cause of the episode under way, or null. */
  @Nullable HoldCause cause;

  /** The cause that the handler knows, or null. */
  @Nullable HoldCause reported;

  /** Whether the hold is in the list of news. */
  boolean isNews;

  /** Whether the destination's number belongs to another destination, or to none. */
  boolean isReleased;

  PeerHold(int destination, NotReadyBackoff backoff) {
    this.destination = destination;
    this.backoff = backoff;
  }
}
