package io.millrace.protocol.region;

import org.jspecify.annotations.Nullable;

/**
 * The table behind {@link TokenCache}.
 *
 * <pre>
 *           ACQUIRE  RELEASE  WRITE_OUT  REUSE   VOID
 * CACHED    IN_USE   -        -          -       GONE
 * IN_USE    -        CACHED   WAIT_ACK   CACHED  GONE
 * WAIT_ACK  -        -        -          CACHED  GONE
 * GONE      -        -        -          -       -
 * </pre>
 *
 * A dash marks an event that cannot happen in the state.
 */
public final class TokenTransitions {
  private static final TokenState C = TokenState.CACHED;
  private static final TokenState U = TokenState.IN_USE;
  private static final TokenState A = TokenState.WAIT_ACK;
  private static final TokenState X = TokenState.GONE;

  // A row for each state, a column for each event, both in the order of their enums.
  private static final @Nullable TokenState[][] NEXT = {
    {U, null, null, null, X},
    {null, C, A, C, X},
    {null, null, null, C, X},
    {null, null, null, null, null},
  };

  private TokenTransitions() {}

  /** The state that follows, or null if the event cannot happen in this state. */
  public static @Nullable TokenState next(TokenState from, TokenEvent event) {
    return NEXT[from.ordinal()][event.ordinal()];
  }
}
