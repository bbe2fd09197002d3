package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FootprintTest {
  /** What an application holds alone is more than this. */
  private static final long LEAST_BYTES = 50;

  private static final long MOST_BYTES = 16_384;

  @ParameterizedTest
  @EnumSource(OpenKind.class)
  void shouldFindWhatBothSidesHold(OpenKind kind) throws Exception {
    Footprint.Result result = Footprint.of(kind, 3_000);
    assertEquals(3_000, result.open());
    assertTrue(
        result.clientBytes() > LEAST_BYTES && result.clientBytes() < MOST_BYTES, result::toString);
    assertTrue(
        result.serverBytes() > LEAST_BYTES && result.serverBytes() < MOST_BYTES, result::toString);
  }
}
