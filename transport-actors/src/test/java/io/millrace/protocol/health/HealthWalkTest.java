package io.millrace.protocol.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A real {@link PeerLiveness}: every state with every input it has. Time makes two observations,
 * one in each state that waits for it; the others are never made there.
 */
class HealthWalkTest {
  @ParameterizedTest
  @EnumSource(PeerHealth.class)
  void shouldStayOrRecoverWhenAPacketArrivesOrWorkEnds(PeerHealth from) {
    PeerLiveness heard = livenessIn(from);
    heard.onPacketReceived(heard.nextDeadlineNs() - 1);
    assertEquals(HealthTransitions.next(from, HealthObservation.PACKET_RECEIVED), heard.health());
    PeerLiveness idle = livenessIn(from);
    idle.onWorkEnded(idle.nextDeadlineNs() - 1);
    assertEquals(HealthTransitions.next(from, HealthObservation.WORK_ENDED), idle.health());
  }

  @ParameterizedTest
  @EnumSource(PeerHealth.class)
  void shouldMoveByTimeOnlyToWhatTheTableHas(PeerHealth from) {
    PeerLiveness liveness = livenessIn(from);
    HealthObservation made =
        from == PeerHealth.HEALTHY
            ? HealthObservation.SILENCE_PASSED
            : HealthObservation.PROBES_EXHAUSTED;
    PeerHealth next = HealthTransitions.next(from, made);
    if (next == null) {
      assertEquals(Long.MAX_VALUE, liveness.nextDeadlineNs());
      assertFalse(liveness.onDeadline(Long.MAX_VALUE - 1));
      assertEquals(from, liveness.health());
    } else {
      runUntilChanged(liveness);
      assertEquals(next, liveness.health());
    }
  }

  private static PeerLiveness livenessIn(PeerHealth health) {
    PeerLiveness liveness = new PeerLiveness(LivenessSettings.DEFAULT);
    liveness.onWorkStarted(0);
    while (liveness.health() != health) {
      runUntilChanged(liveness);
    }
    return liveness;
  }

  private static void runUntilChanged(PeerLiveness liveness) {
    PeerHealth before = liveness.health();
    int turns = 0;
    while (!liveness.onDeadline(liveness.nextDeadlineNs())) {
      assertEquals(before, liveness.health());
      assertTrue(turns++ < 1_000);
    }
  }
}
