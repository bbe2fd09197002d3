package io.millrace.protocol.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthTransitionsTest {
  @ParameterizedTest
  @CsvSource({
    "HEALTHY, PACKET_RECEIVED,  HEALTHY",
    "HEALTHY, WORK_ENDED,       HEALTHY",
    "HEALTHY, SILENCE_PASSED,   PROBING",
    "HEALTHY, PROBES_EXHAUSTED, ",
    "PROBING, PACKET_RECEIVED,  HEALTHY",
    "PROBING, WORK_ENDED,       HEALTHY",
    "PROBING, SILENCE_PASSED,   ",
    "PROBING, PROBES_EXHAUSTED, FAILED",
    "FAILED,  PACKET_RECEIVED,  FAILED",
    "FAILED,  WORK_ENDED,       FAILED",
    "FAILED,  SILENCE_PASSED,   ",
    "FAILED,  PROBES_EXHAUSTED, ",
  })
  void shouldMoveAsTheTableSays(
      PeerHealth from, HealthObservation observation, @Nullable PeerHealth to) {
    assertEquals(to, HealthTransitions.next(from, observation));
  }

  @Test
  void shouldReachFailedThroughProbingOnly() {
    for (HealthObservation observation : HealthObservation.values()) {
      assertTrue(HealthTransitions.next(PeerHealth.HEALTHY, observation) != PeerHealth.FAILED);
    }
    assertEquals(
        List.of(PeerHealth.HEALTHY, PeerHealth.PROBING, PeerHealth.FAILED),
        List.of(PeerHealth.values()));
  }
}
