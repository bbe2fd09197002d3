package io.millrace.protocol.transfer;

import org.jspecify.annotations.Nullable;

/**
 * The progress of a call at its initiator; {@link OutboundCall} moves along these phases.
 *
 * <pre>
 *              OPEN  ACKNOWLEDGE   GIVE_UP   END
 * NEW          OPEN  -             -         ENDED
 * OPEN         -     ACKNOWLEDGED  GIVEN_UP  ENDED
 * ACKNOWLEDGED -     ACKNOWLEDGED  GIVEN_UP  ENDED
 * GIVEN_UP     -     GIVEN_UP      -         SETTLED
 * ENDED        -     -             -         -
 * SETTLED      -     -             -         -
 * </pre>
 *
 * A dash marks an event that must not happen in the phase.
 */
public enum CallPhase {
  /**
   * No path has taken the call: the call is submitted, or waits for a path or for room on a path.
   */
  NEW,
  /** The call has an id; its request waits, is on its way, or is being written as a body. */
  OPEN,
  /** The peer has the frame of the request, which is not sent again. */
  ACKNOWLEDGED,
  /** The caller was told how the call ended; the call keeps its id until the peer has answered. */
  GIVEN_UP,
  /** The call's single outcome is decided. Final. */
  ENDED,
  /** The peer's answer to a given-up call has come, or the call's path has ended. Final. */
  SETTLED;

  /** The events of a call at its initiator. */
  public enum Event {
    /** A path has room and gives the call a slot and an id. */
    OPEN,
    /** A packet with its request was acknowledged; of a repeated request, each may be. */
    ACKNOWLEDGE,
    /**
     * This side ends the call though the peer may be at work on the call: cancelled, expired, or in
     * doubt.
     */
    GIVE_UP,
    /** The call is answered, fails, or is refused before a path had taken the call. */
    END
  }

  /** The phase after an event, or null for an event that must not happen in this phase. */
  public @Nullable CallPhase after(Event event) {
    return switch (event) {
      case OPEN -> this == NEW ? OPEN : null;
      case ACKNOWLEDGE -> afterAcknowledgement();
      case GIVE_UP -> this == OPEN || this == ACKNOWLEDGED ? GIVEN_UP : null;
      case END -> afterEnd();
    };
  }

  private @Nullable CallPhase afterAcknowledgement() {
    if (this == GIVEN_UP) {
      return GIVEN_UP;
    }
    return this == OPEN || this == ACKNOWLEDGED ? ACKNOWLEDGED : null;
  }

  private @Nullable CallPhase afterEnd() {
    if (this == GIVEN_UP) {
      return SETTLED;
    }
    return this == ENDED || this == SETTLED ? null : ENDED;
  }
}
