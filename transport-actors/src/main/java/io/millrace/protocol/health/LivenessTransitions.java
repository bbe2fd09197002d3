package io.millrace.protocol.health;

import org.jspecify.annotations.Nullable;

/**
 * The table behind {@link PeerLiveness}.
 *
 * <pre>
 *         PACKET_RECEIVED  WORK_ENDED  SILENCE_PASSED  PROBES_EXHAUSTED  REFUSED
 * HEARD   HEARD            HEARD       PROBED          -                 LOST
 * PROBED  HEARD            HEARD       -               LOST              LOST
 * LOST    LOST             LOST        -               -                 -
 * </pre>
 *
 * A dash marks an observation that cannot be made in the state.
 */
public final class LivenessTransitions {
  private LivenessTransitions() {}

  /** The state that follows, or null if the observation cannot be made in this state. */
  public static @Nullable LivenessState next(LivenessState from, LivenessObservation observation) {
    return switch (from) {
      case HEARD ->
          switch (observation) {
            case PACKET_RECEIVED, WORK_ENDED -> LivenessState.HEARD;
            case SILENCE_PASSED -> LivenessState.PROBED;
            case PROBES_EXHAUSTED -> null;
            case REFUSED -> LivenessState.LOST;
          };
      case PROBED ->
          switch (observation) {
            case PACKET_RECEIVED, WORK_ENDED -> LivenessState.HEARD;
            case SILENCE_PASSED -> null;
            case PROBES_EXHAUSTED, REFUSED -> LivenessState.LOST;
          };
      case LOST ->
          switch (observation) {
            case PACKET_RECEIVED, WORK_ENDED -> LivenessState.LOST;
            case SILENCE_PASSED, PROBES_EXHAUSTED, REFUSED -> null;
          };
    };
  }
}
