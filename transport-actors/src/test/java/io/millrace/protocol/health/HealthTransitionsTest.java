package io.millrace.protocol.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.transfer.PeerHealth;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every state with every observation. */
class HealthTransitionsTest {
  @ParameterizedTest
  @CsvSource({
    "HEALTHY,  FAILING,    DEGRADED",
    "HEALTHY,  FAILING_ON, DEGRADED",
    "HEALTHY,  SUCCEEDING, HEALTHY",
    "HEALTHY,  UNANSWERED, PROBING",
    "HEALTHY,  ANSWERED,   HEALTHY",
    "HEALTHY,  GIVEN_UP,   FAILED",
    "HEALTHY,  REFUSED,    FAILED",
    "DEGRADED, FAILING,    DEGRADED",
    "DEGRADED, FAILING_ON, PROBING",
    "DEGRADED, SUCCEEDING, HEALTHY",
    "DEGRADED, UNANSWERED, PROBING",
    "DEGRADED, ANSWERED,   DEGRADED",
    "DEGRADED, GIVEN_UP,   FAILED",
    "DEGRADED, REFUSED,    FAILED",
    "PROBING,  FAILING,    PROBING",
    "PROBING,  FAILING_ON, PROBING",
    "PROBING,  SUCCEEDING, PROBING",
    "PROBING,  UNANSWERED, PROBING",
    "PROBING,  ANSWERED,   DEGRADED",
    "PROBING,  GIVEN_UP,   FAILED",
    "PROBING,  REFUSED,    FAILED",
    "FAILED,   FAILING,    FAILED",
    "FAILED,   FAILING_ON, FAILED",
    "FAILED,   SUCCEEDING, FAILED",
    "FAILED,   UNANSWERED, FAILED",
    "FAILED,   ANSWERED,   PROBING",
    "FAILED,   GIVEN_UP,   FAILED",
    "FAILED,   REFUSED,    FAILED",
  })
  void shouldMoveAsTheTableSays(PeerHealth from, HealthObservation observation, PeerHealth to) {
    assertEquals(to, HealthTransitions.next(from, observation));
  }
}
