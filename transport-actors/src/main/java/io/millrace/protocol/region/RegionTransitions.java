package io.millrace.protocol.region;

import org.jspecify.annotations.Nullable;

/**
 * The table behind {@link RegionPool}.
 *
 * <pre>
 *              GRANT    WRITE    CONSUME    RECORD_BAD  REUSE    REVOKE       FINISH       QUIESCE
 * FREE         GRANTED  -        -          -           -        -            -            -
 * GRANTED      -        WRITTEN  CONSUMING  -           -        QUARANTINED  -            -
 * WRITTEN      -        WRITTEN  CONSUMING  WRITTEN     -        QUARANTINED  -            -
 * CONSUMING    -        -        -          WRITTEN     GRANTED  REVOKING     QUARANTINED  -
 * REVOKING     -        -        -          REVOKING    -        REVOKING     QUARANTINED  -
 * QUARANTINED  -        -        -          -           -        QUARANTINED  -            FREE
 * </pre>
 *
 * A dash marks an event that cannot happen in the state.
 */
public final class RegionTransitions {
  private static final RegionState G = RegionState.GRANTED;
  private static final RegionState W = RegionState.WRITTEN;
  private static final RegionState C = RegionState.CONSUMING;
  private static final RegionState R = RegionState.REVOKING;
  private static final RegionState Q = RegionState.QUARANTINED;
  private static final RegionState F = RegionState.FREE;

  // A row for each state, a column for each event, both in the order of their enums.
  private static final @Nullable RegionState[][] NEXT = {
    {G, null, null, null, null, null, null, null},
    {null, W, C, null, null, Q, null, null},
    {null, W, C, W, null, Q, null, null},
    {null, null, null, W, G, R, Q, null},
    {null, null, null, R, null, R, Q, null},
    {null, null, null, null, null, Q, null, F},
  };

  private RegionTransitions() {}

  /** The state that follows, or null if the event cannot happen in this state. */
  public static @Nullable RegionState next(RegionState from, RegionEvent event) {
    return NEXT[from.ordinal()][event.ordinal()];
  }
}
