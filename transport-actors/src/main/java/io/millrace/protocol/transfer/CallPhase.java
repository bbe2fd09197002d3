package io.millrace.protocol.transfer;

import org.jspecify.annotations.Nullable;

/**
 * How far a call is at its initiator; {@link OutboundCall} moves along it.
 *
 * <pre>
 *              OPEN  ACKNOWLEDGE   END
 * NEW          OPEN  -             ENDED
 * OPEN         -     ACKNOWLEDGED  ENDED
 * ACKNOWLEDGED -     ACKNOWLEDGED  ENDED
 * ENDED        -     -             -
 * </pre>
 *
 * A dash is an event that must not happen in that phase.
 */
public enum CallPhase {
  /** No path has taken it: it is submitted, or waits for a path or for room on one. */
  NEW,
  /** It has an id; its request waits, is on its way, or is being written as a body. */
  OPEN,
  /** The peer has the frame of its request, which is not sent again. */
  ACKNOWLEDGED,
  /** Its one outcome is decided. Final. */
  ENDED;

  /** What happens to a call at its initiator. */
  public enum Event {
    /** A path has room and gives it a slot and an id. */
    OPEN,
    /** A packet with its request was acknowledged; of a repeated request, each may be. */
    ACKNOWLEDGE,
    /** It is answered, failed, cancelled, or refused before a path had taken it. */
    END
  }

  /** The phase after an event, or null if it must not happen in this phase. */
  public @Nullable CallPhase after(Event event) {
    return switch (event) {
      case OPEN -> this == NEW ? OPEN : null;
      case ACKNOWLEDGE -> this == OPEN || this == ACKNOWLEDGED ? ACKNOWLEDGED : null;
      case END -> this == ENDED ? null : ENDED;
    };
  }
}
