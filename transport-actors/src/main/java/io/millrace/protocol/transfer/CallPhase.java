package io.millrace.protocol.transfer;

import org.jspecify.annotations.Nullable;

/**
 * The progress of a call at its initiator; {@link OutboundCall} moves along these phases.
 *
 * <pre>
 *              KNOW   OPEN  ACKNOWLEDGE   GIVE_UP   END
 * NEW          KNOWN  OPEN  -             -         REFUSED
 * KNOWN        KNOWN  OPEN  -             -         ENDED
 * OPEN         -      -     ACKNOWLEDGED  GIVEN_UP  ENDED
 * ACKNOWLEDGED -      -     ACKNOWLEDGED  GIVEN_UP  ENDED
 * GIVEN_UP     -      -     GIVEN_UP      -         SETTLED
 * REFUSED      -      -     -             -         -
 * ENDED        -      -     -             -         -
 * SETTLED      -      -     -             -         -
 * </pre>
 *
 * A dash marks an event that must not happen in the phase.
 */
public enum CallPhase {
  /**
   * The call is made and perhaps submitted: the worker does not know of the call yet, and the
   * deadline does not run.
   */
  NEW,
  /**
   * The worker knows of the call, and no path has taken the call: it waits for a slot, a place,
   * other transfers, a path, or room on a path.
   */
  KNOWN,
  /** The call has an id; its request waits, is on its way, or is being written as a body. */
  OPEN,
  /** The peer has the frame of the request, which is not sent again. */
  ACKNOWLEDGED,
  /** The caller was told how the call ended; the call keeps its id until the peer has answered. */
  GIVEN_UP,
  /** The call's single outcome was decided before the worker knew of the call. Final. */
  REFUSED,
  /** The call's single outcome is decided. Final. */
  ENDED,
  /** The peer's answer to a given-up call has come, or the call's path has ended. Final. */
  SETTLED;

  /** The events of a call at its initiator. */
  public enum Event {
    /** The worker takes the call, or lets the call wait for a slot or a place. */
    KNOW,
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
      case KNOW -> this == NEW || this == KNOWN ? KNOWN : null;
      case OPEN -> this == NEW || this == KNOWN ? OPEN : null;
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
    return switch (this) {
      case NEW -> REFUSED;
      case KNOWN, OPEN, ACKNOWLEDGED -> ENDED;
      case GIVEN_UP -> SETTLED;
      case REFUSED, ENDED, SETTLED -> null;
    };
  }
}
