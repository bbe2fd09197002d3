package io.millrace.buffer;

import org.jspecify.annotations.Nullable;

/**
 * How far a transfer buffer is. Whoever holds it may give it up in any phase; the last one who does
 * frees it.
 *
 * <pre>
 *           ALLOCATE   BEGIN_WRITE  FILL    RETAIN     RELEASE    RELEASE_LAST
 * FREE      ALLOCATED  -            -       -          -          -
 * ALLOCATED -          WRITING      -       ALLOCATED  ALLOCATED  FREE
 * WRITING   -          -            FILLED  WRITING    WRITING    FREE
 * FILLED    -          -            -       FILLED     FILLED     FREE
 * </pre>
 *
 * A dash is an event that must not happen in that phase.
 */
public enum BufferPhase {
  /** Its memory is the registry's. */
  FREE,
  /** Handed out, nothing written. */
  ALLOCATED,
  /** Being written by one thread. */
  WRITING,
  /** Complete and no longer changed; may be in the hands of several transfers. */
  FILLED;

  /** What happens to a transfer buffer. */
  public enum Event {
    /** The registry hands it out. */
    ALLOCATE,
    /** Its owner begins to write. */
    BEGIN_WRITE,
    /** Its owner has written all. */
    FILL,
    /** One more holder. */
    RETAIN,
    /** A holder gave it up, and others remain. */
    RELEASE,
    /** The last holder gave it up. */
    RELEASE_LAST
  }

  /** The phase after an event, or null if it must not happen in this phase. */
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
