package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Repetitions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class FootprintTest {
  /** What an application holds alone is more than this. */
  private static final long LEAST_BYTES = 50;

  /** So many that what strays in the heap is little of each. */
  private static final int OPEN = 10_000;

  /**
   * The heap is that of the whole process: what threads of other tests let go or keep meanwhile is
   * in the figure of one measure, and what a transfer holds is in that of each.
   */
  private static final int MEASURES = 4;

  /** Kinds that the commit tier measures; the soak measures all. */
  private static final int MEASURED = 3;

  /**
   * A quarter more than docs/performance.md says of the caller, and of the server. What waits at a
   * server has the payload of its first record there.
   */
  private static long mostBytes(OpenKind kind, boolean isServer) {
    long published =
        switch (kind) {
          case UNARY, TOKENED -> 238;
          case BULK -> isServer ? 467 : 718;
          case BULK_WAITING -> isServer ? 200 : 846;
          case STREAMING_RESPONSE -> isServer ? 3_395 : 3_246;
          case STREAMING_REQUEST -> isServer ? 3_627 : 4_406;
          case BIDIRECTIONAL -> isServer ? 6_207 : 3_742;
        };
    return published * 5 / 4;
  }

  /** Bodies that found no region have not come there: then this is what the measure strays by. */
  private static long leastBytesAtServer(OpenKind kind) {
    return kind == OpenKind.BULK_WAITING ? -200 : LEAST_BYTES;
  }

  static Stream<OpenKind> chosen() {
    return Repetitions.chosen(MEASURED, List.of(OpenKind.values()));
  }

  @ParameterizedTest
  @MethodSource("chosen")
  void shouldFindWhatBothSidesHold(OpenKind kind) throws Exception {
    List<Footprint.Result> seen = new ArrayList<>();
    do {
      seen.add(Footprint.of(kind, OPEN));
    } while (!isPublished(seen.getLast()) && seen.size() < MEASURES);
    Footprint.Result result = seen.getLast();
    assertEquals(OPEN, result.open());
    assertTrue(isPublished(result), seen::toString);
  }

  private static boolean isPublished(Footprint.Result seen) {
    OpenKind kind = seen.kind();
    return seen.clientBytes() > LEAST_BYTES
        && seen.clientBytes() < mostBytes(kind, false)
        && seen.serverBytes() > leastBytesAtServer(kind)
        && seen.serverBytes() < mostBytes(kind, true);
  }
}
