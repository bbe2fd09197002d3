package io.millrace.protocol.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A real {@link PeerLiveness}: every state with every input of the state. Time makes two
 * observations, each in the state that waits for this observation; no other observation comes from
 * time.
 */
class LivenessWalkTest {
  @ParameterizedTest
  @EnumSource(LivenessState.class)
  void shouldStayOrRecoverWhenAPacketArrivesOrWorkEnds(LivenessState from) {
    PeerLiveness heard = livenessIn(from);
    heard.onPacketReceived(heard.nextDeadlineNs() - 1);
    assertEquals(
        LivenessTransitions.next(from, LivenessObservation.PACKET_RECEIVED), heard.state());
    PeerLiveness idle = livenessIn(from);
    idle.onWorkEnded(idle.nextDeadlineNs() - 1);
    assertEquals(LivenessTransitions.next(from, LivenessObservation.WORK_ENDED), idle.state());
  }

  @ParameterizedTest
  @EnumSource(LivenessState.class)
  void shouldMoveByTimeOnlyToWhatTheTableHas(LivenessState from) {
    PeerLiveness liveness = livenessIn(from);
    LivenessObservation made =
        from == LivenessState.HEARD
            ? LivenessObservation.SILENCE_PASSED
            : LivenessObservation.PROBES_EXHAUSTED;
    LivenessState next = LivenessTransitions.next(from, made);
    if (next == null) {
      assertEquals(Long.MAX_VALUE, liveness.nextDeadlineNs());
      assertFalse(liveness.onDeadline(Long.MAX_VALUE - 1));
      assertEquals(from, liveness.state());
    } else {
      runUntilChanged(liveness);
      assertEquals(next, liveness.state());
    }
  }

  private static PeerLiveness livenessIn(LivenessState health) {
    PeerLiveness liveness = new PeerLiveness(LivenessSettings.DEFAULT);
    liveness.onWorkStarted(0);
    while (liveness.state() != health) {
      runUntilChanged(liveness);
    }
    return liveness;
  }

  private static void runUntilChanged(PeerLiveness liveness) {
    LivenessState before = liveness.state();
    int turns = 0;
    while (!liveness.onDeadline(liveness.nextDeadlineNs())) {
      assertEquals(before, liveness.state());
      assertTrue(turns++ < 1_000);
    }
  }
}
