package io.millrace.protocol.replay;

import org.jspecify.annotations.Nullable;

/**
 * The progress of the challenge of a transfer at its receiver; each place of {@link
 * TransferChallenges} moves along these phases, again and again.
 *
 * <pre>
 *            CHALLENGE  SEND        LOSE  CONFIRM  RESET  FORGET
 * FREE       DUE        -           -     -        -      -
 * DUE        -          CHALLENGED  -     FREE     FREE   FREE
 * CHALLENGED -          -           DUE   FREE     FREE   FREE
 * </pre>
 *
 * A dash marks an event that must not happen in the phase.
 */
public enum ChallengePhase {
  /** Nobody's. */
  FREE,
  /** The transfer's sender is to be asked with the next packet. */
  DUE,
  /** The transfer's sender was asked, and has not answered. */
  CHALLENGED;

  /** The events of a challenge. */
  public enum Event {
    /** The opening of an unknown transfer came in a packet below the window. */
    CHALLENGE,
    /** The challenge goes into a packet. */
    SEND,
    /** The packet with the challenge was lost. */
    LOSE,
    /**
     * The sender says that the transfer is its own; the transfer's opening comes in a new packet.
     */
    CONFIRM,
    /** The sender denies the transfer by a FlowReset. */
    RESET,
    /** The challenge has waited too long, or a newer challenge needs its place. */
    FORGET
  }

  /** The phase after an event, or null for an event that must not happen in this phase. */
  public @Nullable ChallengePhase after(Event event) {
    return switch (event) {
      case CHALLENGE -> this == FREE ? DUE : null;
      case SEND -> this == DUE ? CHALLENGED : null;
      case LOSE -> this == CHALLENGED ? DUE : null;
      case CONFIRM, RESET, FORGET -> this == FREE ? null : FREE;
    };
  }
}
