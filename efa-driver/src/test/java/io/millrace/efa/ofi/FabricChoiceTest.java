package io.millrace.efa.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.driver.NeedsDriver;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FabricChoiceTest {
  private static final String DIRECT = "efa-direct";
  private static final int LEAST = 1_200;
  private static final long UNKNOWN_MODE = 1L << 58;

  private static FabricInfo info(String fabric, long mode, long messageBytes) {
    return new FabricInfo(
        1, "efa", fabric, mode, 0, new FabricLimits(8, 8, messageBytes), new MemoryMode(0, 4, 4));
  }

  private static final FabricInfo PLAIN = info("efa", 0, -1);

  @Test
  void shouldTakeThePreferredFabricWhereverItIs() {
    FabricInfo direct = info(DIRECT, FabricConstants.FI_CONTEXT2, 8_760);
    assertEquals(1, FabricChoice.best(List.of(PLAIN, direct), DIRECT, LEAST));
    assertEquals(0, FabricChoice.best(List.of(direct, PLAIN), DIRECT, LEAST));
    assertEquals(2, FabricChoice.best(List.of(PLAIN, PLAIN, direct, direct), DIRECT, LEAST));
  }

  @Test
  void shouldTakeTheFirstAnswerWithoutThePreferredFabric() {
    FabricInfo direct = info(DIRECT, 0, 8_760);
    assertEquals(0, FabricChoice.best(List.of(PLAIN, PLAIN), DIRECT, LEAST));
    assertEquals(0, FabricChoice.best(List.of(PLAIN, direct), null, LEAST));
  }

  @Test
  void shouldPassOverAFabricWhoseDemandsTheDriverDoesNotMeet() {
    assertEquals(
        0, FabricChoice.best(List.of(PLAIN, info(DIRECT, UNKNOWN_MODE, 8_760)), DIRECT, LEAST));
    assertEquals(0, FabricChoice.best(List.of(PLAIN, info(DIRECT, 0, 1_199)), DIRECT, LEAST));
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
