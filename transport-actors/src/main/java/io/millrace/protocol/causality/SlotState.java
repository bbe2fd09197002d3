package io.millrace.protocol.causality;

import org.jspecify.annotations.Nullable;

/**
 * The state of a slot of {@link SlotTable}.
 *
 * <pre>
 *               ALLOCATE  SEND          SUCCEED       FAIL
 * FREE          PENDING   -             -             -
 * PENDING       -         REQUEST_SENT  FREE          FREE
 * REQUEST_SENT  -         REQUEST_SENT  FREE          FREE
 * </pre>
 *
 * A dash marks an event that changes nothing. A slot that becomes FREE goes to its next generation,
 * and keeps the outcome of the last generation beside.
 */
public enum SlotState {
  /** No transfer has the slot. */
  FREE,
  /** The slot's transfer has not been sent. */
  PENDING,
  /** The request of the slot's transfer is on its way. */
  REQUEST_SENT;

  /** The events of the transfer of a slot. */
  public enum Event {
    /** A transfer takes the slot. */
    ALLOCATE,
    /** The request is on its way. */
    SEND,
    /** The transfer ended well. */
    SUCCEED,
    /** The transfer ended in any other way. */
    FAIL
  }

  /** The state after an event, or null if the event changes nothing. */
  public @Nullable SlotState after(Event event) {
    return switch (event) {
      case ALLOCATE -> this == FREE ? PENDING : null;
      case SEND -> this == FREE ? null : REQUEST_SENT;
      case SUCCEED, FAIL -> this == FREE ? null : FREE;
    };
  }
}
