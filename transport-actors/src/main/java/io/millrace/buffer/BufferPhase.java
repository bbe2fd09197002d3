package io.millrace.buffer;

import org.jspecify.annotations.Nullable;

/**
 * The phases of a transfer buffer. A holder may give the buffer up in any phase; the last holder
 * who does so frees the buffer.
 *
 * <pre>
 *           ALLOCATE   BEGIN_WRITE  FILL    RETAIN     RELEASE    RELEASE_LAST
 * FREE      ALLOCATED  -            -       -          -          -
 * ALLOCATED -          WRITING      -       ALLOCATED  ALLOCATED  FREE
 * WRITING   -          -            FILLED  WRITING    WRITING    FREE
 * FILLED    -          -            -       FILLED     FILLED     FREE
 * </pre>
 *
 * A dash marks an event that must not happen in the phase.
 */
public enum BufferPhase {
  /** The memory is the registry's. */
  FREE,
  /** Handed out, nothing written. */
  ALLOCATED,
  /** Being written by a single thread. */
  WRITING,
  /** Complete and no longer changed; may be in the hands of several transfers. */
  FILLED;

  /** The events of a transfer buffer. */
  public enum Event {
    /** The registry hands the buffer out. */
    ALLOCATE,
    /** The owner begins to write. */
    BEGIN_WRITE,
    /** The owner has written all bytes. */
    FILL,
    /** A further holder retains the buffer. */
    RETAIN,
    /** A holder gave the buffer up, and other holders remain. */
    RELEASE,
    /** The last holder gave the buffer up. */
    RELEASE_LAST
  }

  /** The phase after an event, or null for an event that must not happen in this phase. */
  public @Nullable BufferPhase after(Event event) {
    return switch (event) {
      case ALLOCATE -> this == FREE ? ALLOCATED : null;
      case BEGIN_WRITE -> this == ALLOCATED ? WRITING : null;
      case FILL -> this == WRITING ? FILLED : null;
      case RETAIN, RELEASE -> this == FREE ? null : this;
      case RELEASE_LAST -> this == FREE ? null : FREE;
    };
  }
}
