package io.millrace.protocol.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LivenessTransitionsTest {
  @ParameterizedTest
  @CsvSource({
    "HEARD, PACKET_RECEIVED,  HEARD",
    "HEARD, WORK_ENDED,       HEARD",
    "HEARD, SILENCE_PASSED,   PROBED",
    "HEARD, PROBES_EXHAUSTED, ",
    "PROBED, PACKET_RECEIVED,  HEARD",
    "PROBED, WORK_ENDED,       HEARD",
    "PROBED, SILENCE_PASSED,   ",
    "PROBED, PROBES_EXHAUSTED, LOST",
    "LOST,  PACKET_RECEIVED,  LOST",
    "LOST,  WORK_ENDED,       LOST",
    "LOST,  SILENCE_PASSED,   ",
    "LOST,  PROBES_EXHAUSTED, ",
    "HEARD, REFUSED, LOST",
    "PROBED, REFUSED, LOST",
    "LOST, REFUSED, ",
  })
  void shouldMoveAsTheTableSays(
      LivenessState from, LivenessObservation observation, @Nullable LivenessState to) {
    assertEquals(to, LivenessTransitions.next(from, observation));
  }
}
