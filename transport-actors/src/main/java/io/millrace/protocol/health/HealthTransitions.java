package io.millrace.protocol.health;

import io.millrace.transfer.PeerHealth;

/**
 * The table behind {@link HealthWord}.
 *
 * <pre>
 *           FAILING   FAILING_ON  SUCCEEDING  UNANSWERED  ANSWERED  GIVEN_UP  REFUSED
 * HEALTHY   DEGRADED  DEGRADED    HEALTHY     PROBING     HEALTHY   FAILED    FAILED
 * DEGRADED  DEGRADED  PROBING     HEALTHY     PROBING     DEGRADED  FAILED    FAILED
 * PROBING   PROBING   PROBING     PROBING     PROBING     DEGRADED  FAILED    FAILED
 * FAILED    FAILED    FAILED      FAILED      FAILED      PROBING   FAILED    FAILED
 * </pre>
 *
 * Any observation may come in any state: observers do not wait for each other.
 */
public final class HealthTransitions {
  private HealthTransitions() {}

  /** The state after the observation. */
  public static PeerHealth next(PeerHealth from, HealthObservation observation) {
    return switch (observation) {
      case FAILING -> from == PeerHealth.HEALTHY ? PeerHealth.DEGRADED : from;
      case FAILING_ON ->
          switch (from) {
            case HEALTHY -> PeerHealth.DEGRADED;
            case DEGRADED -> PeerHealth.PROBING;
            case PROBING, FAILED -> from;
          };
      case SUCCEEDING -> from == PeerHealth.DEGRADED ? PeerHealth.HEALTHY : from;
      case UNANSWERED -> from == PeerHealth.FAILED ? from : PeerHealth.PROBING;
      case ANSWERED ->
          switch (from) {
            case HEALTHY, DEGRADED -> from;
            case PROBING -> PeerHealth.DEGRADED;
            case FAILED -> PeerHealth.PROBING;
          };
      case GIVEN_UP, REFUSED -> PeerHealth.FAILED;
    };
  }
}
