package io.millrace.protocol.transfer;

import org.jspecify.annotations.Nullable;

/**
 * How far a call is at its initiator; {@link OutboundCall} moves along it.
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
 * A dash is an event that must not happen in that phase.
 */
public enum CallPhase {
  /** Made, perhaps submitted: its worker does not know of it yet, and its deadline does not run. */
  NEW,
  /**
   * Its worker knows of it, and no path has taken it: it waits for a slot, a place, other
   * transfers, a path, or room on one.
   */
  KNOWN,
  /** It has an id; its request waits, is on its way, or is being written as a body. */
  OPEN,
  /** The peer has the frame of its request, which is not sent again. */
  ACKNOWLEDGED,
  /** Its caller was told how it ended; it keeps its id until the peer has answered. */
  GIVEN_UP,
  /** Its one outcome was decided before its worker knew of it. Final. */
  REFUSED,
  /** Its one outcome is decided. Final. */
  ENDED,
  /** The peer's answer to a call that was given up has come, or its path has ended. Final. */
  SETTLED;

  /** What happens to a call at its initiator. */
  public enum Event {
    /** Its worker takes it, or lets it wait for a slot or a place. */
    KNOW,
    /** A path has room and gives it a slot and an id. */
    OPEN,
    /** A packet with its request was acknowledged; of a repeated request, each may be. */
    ACKNOWLEDGE,
    /** This side ends it though the peer may be at work on it: cancelled, expired, or in doubt. */
    GIVE_UP,
    /** It is answered, fails, or is refused before a path had taken it. */
    END
  }

  /** The phase after an event, or null if it must not happen in this phase. */
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
