package io.millrace.efa.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.driver.NeedsDriver;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FabricChoiceTest {
  private static final String DIRECT = FabricInfo.EFA_DIRECT;

  /** The limit of one-sided writes, which counts in the provider's answer. */
  private static final long LARGEST = 1 << 30;

  private static final long LINK = 8_928;
  private static final int LEAST = 1_200;
  private static final long UNKNOWN_MODE = 1L << 58;

  private static FabricInfo info(String fabric, long mode, long largestBytes, long linkBytes) {
    return new FabricInfo(
        1,
        "efa",
        fabric,
        mode,
        0,
        FabricLimits.of(fabric, 8, 8, largestBytes, linkBytes),
        new MemoryMode(0, 4, 4));
  }

  private static final FabricInfo PLAIN = info("efa", 0, -1, LINK);

  @Test
  void shouldTakeThePreferredFabricWhereverItIs() {
    FabricInfo direct = info(DIRECT, FabricConstants.FI_CONTEXT2, LARGEST, LINK);
    assertEquals(1, FabricChoice.best(List.of(PLAIN, direct), DIRECT, LEAST));
    assertEquals(0, FabricChoice.best(List.of(direct, PLAIN), DIRECT, LEAST));
    assertEquals(2, FabricChoice.best(List.of(PLAIN, PLAIN, direct, direct), DIRECT, LEAST));
  }

  @Test
  void shouldTakeTheFirstAnswerWithoutThePreferredFabric() {
    FabricInfo direct = info(DIRECT, 0, LARGEST, LINK);
    assertEquals(0, FabricChoice.best(List.of(PLAIN, PLAIN), DIRECT, LEAST));
    assertEquals(0, FabricChoice.best(List.of(PLAIN, direct), null, LEAST));
  }

  @Test
  void shouldPassOverAFabricWhoseDemandsTheDriverDoesNotMeet() {
    assertEquals(
        0,
        FabricChoice.best(
            List.of(PLAIN, info(DIRECT, UNKNOWN_MODE, LARGEST, LINK)), DIRECT, LEAST));
    FabricInfo small = info(DIRECT, 0, LARGEST, 1_199);
    assertEquals(0, FabricChoice.best(List.of(PLAIN, small), DIRECT, LEAST));
  }

  @Test
  @NeedsDriver("fabric:tcp")
  void shouldKeepTheChosenAnswerOfALibrary() throws FabricException {
    LibFabric library = ((LibFabricLoader.Loaded.Present) LibFabricLoader.load()).library();
    FabricInfo first = library.query(hints(null));
    // Libraries differ in the name of the loopback network.
    FabricInfo chosen = library.query(hints("127.0.0.1/32"));
    if (!chosen.fabric().startsWith("127.")) {
      library.release(chosen);
      chosen = library.query(hints("127.0.0.0/8"));
    }
    assertTrue(chosen.fabric().startsWith("127."), chosen.fabric());
    assertEquals(first.provider(), chosen.provider());
    assertEquals(first.limits(), chosen.limits());
    assertNotEquals(0, chosen.address());
    library.release(chosen);
    library.release(first);
  }

  private static FabricHints hints(@Nullable String fabric) {
    return new FabricHints(
        "tcp",
        null,
        null,
        FabricConstants.FI_MSG,
        0,
        FabricConstants.FI_PROGRESS_UNSPEC,
        0,
        fabric);
  }
}
