package io.millrace.efa;

import io.millrace.driver.HoldCause;
import io.millrace.driver.NotReadyBackoff;
import org.jspecify.annotations.Nullable;

/** The episodes in which posts to one destination wait; belongs to {@link PeerHolds}. */
final class PeerHold {
  final int destination;
  final NotReadyBackoff backoff;

  /** The cause of the episode under way, or null. */
  @Nullable HoldCause cause;

  /** The cause that the handler knows, or null. */
  @Nullable HoldCause reported;

  /** Time of the last refusal, or of the end of the hold that followed the refusal. */
  long quietSinceNs;

  /** Whether the refusals of the episode have lasted too long. */
  boolean isRefusedForTooLong;

  /** The time since which a receiver that is not ready has got nothing; MIN_VALUE for no time. */
  long restSinceNs = Long.MIN_VALUE;

  /** Whether trains or writes for the destination wait in the driver. */
  boolean hasWaiting;

  /** Whether the destination is in the list of the stalled ones. */
  boolean isListed;

  /** Whether the handler posts to the destination, although the handler was told of the hold. */
  boolean isPostedTo;

  /** Whether the hold is in the list of news. */
  boolean isNews;

  /** Whether the destination's number belongs to another destination, or to none. */
  boolean isReleased;

  PeerHold(int destination, NotReadyBackoff backoff) {
    this.destination = destination;
    this.backoff = backoff;
  }
}
