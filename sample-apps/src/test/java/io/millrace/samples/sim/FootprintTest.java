package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FootprintTest {
  /** What an application holds alone is more than this. */
  private static final long LEAST_BYTES = 50;

  /** Half as much again as docs/performance.md says of the caller, and of the server. */
  private static long mostBytes(OpenKind kind, boolean isServer) {
    long published =
        switch (kind) {
          case UNARY -> isServer ? 556 : 260;
          case TOKENED -> isServer ? 556 : 260;
          case BULK -> isServer ? 2_000 : 2_000;
          case BULK_WAITING -> isServer ? 100 : 2_000;
          case STREAMING_RESPONSE -> isServer ? 3_105 : 2_988;
          case STREAMING_REQUEST -> isServer ? 2_968 : 3_940;
          case BIDIRECTIONAL -> isServer ? 5_133 : 3_404;
        };
    return published * 3 / 2;
  }

  @ParameterizedTest
  @EnumSource(OpenKind.class)
  void shouldFindWhatBothSidesHold(OpenKind kind) throws Exception {
    Footprint.Result result = Footprint.of(kind, 3_000);
    assertEquals(3_000, result.open());
    assertTrue(
        result.clientBytes() > LEAST_BYTES && result.clientBytes() < mostBytes(kind, false),
        result::toString);
    assertTrue(
        result.serverBytes() > LEAST_BYTES && result.serverBytes() < mostBytes(kind, true),
        result::toString);
  }
}
