package io.millrace.protocol.health;

import org.jspecify.annotations.Nullable;

/**
 * The table behind {@link PeerLiveness}.
 *
 * <pre>
 *           PACKET_RECEIVED  WORK_ENDED  SILENCE_PASSED  PROBES_EXHAUSTED
 * HEALTHY   HEALTHY          HEALTHY     PROBING         -
 * PROBING   HEALTHY          HEALTHY     -               FAILED
 * FAILED    FAILED           FAILED      -               -
 * </pre>
 *
 * A dash is an observation that cannot be made in that state.
 */
public final class HealthTransitions {
  private HealthTransitions() {}

  /** The state that follows, or null if the observation cannot be made in this state. */
  public static @Nullable PeerHealth next(PeerHealth from, HealthObservation observation) {
    return switch (from) {
      case HEALTHY ->
          switch (observation) {
            case PACKET_RECEIVED, WORK_ENDED -> PeerHealth.HEALTHY;
            case SILENCE_PASSED -> PeerHealth.PROBING;
            case PROBES_EXHAUSTED -> null;
          };
      case PROBING ->
          switch (observation) {
            case PACKET_RECEIVED, WORK_ENDED -> PeerHealth.HEALTHY;
            case SILENCE_PASSED -> null;
            case PROBES_EXHAUSTED -> PeerHealth.FAILED;
          };
      case FAILED ->
          switch (observation) {
            case PACKET_RECEIVED, WORK_ENDED -> PeerHealth.FAILED;
            case SILENCE_PASSED, PROBES_EXHAUSTED -> null;
          };
    };
  }
}
