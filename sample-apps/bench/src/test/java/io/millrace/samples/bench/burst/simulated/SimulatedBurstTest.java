package io.millrace.samples.bench.burst.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedBurstTest {
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldFillTheLinkOfAFewPeers(boolean isFanOut) throws Exception {
    SimulatedBurst.Plan plan =
        new SimulatedBurst.Plan(4, 40, 16_384, isFanOut, 100_000_000, 65_536, 9_000);
    assertEquals(plan, SimulatedBurst.Plan.parse(plan.words().toArray(String[]::new)));

    SimulatedBurst.Result result = SimulatedBurst.run(plan);

    assertEquals(result, SimulatedBurst.Result.parse(result.format()));
    assertTrue(result.goodput() > 0.8 && result.goodput() <= 1, result.toString());
    assertTrue(result.packetsPerTransfer() >= 2, result.toString());
    assertEquals(0, result.lost());
  }
}
