package io.millrace.testkit.sim.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.testkit.sim.net.SimNic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FaultsTest {
  private static final long MS = 1_000_000;

  @Test
  void shouldKeepAnInterfaceDeadUntilTheLastOfItsFaultsEnds() throws Exception {
    List<SimNic.State> states = new ArrayList<>();
    Scenario scenario =
        run -> {
          run.add(1, node -> {});
          SimNic nic = run.cluster().network().nic(0, 0);
          run.faults().nicDown(1 * MS, 0, SimNic.State.DOWN, 10 * MS);
          run.faults().nicDown(5 * MS, 0, SimNic.State.DOWN, 2 * MS);
          for (long atMs : new long[] {2, 6, 9, 12}) {
            run.at(atMs * MS, "look", () -> states.add(nic.state()));
          }
          run.runUntil(20 * MS);
        };
    RunResult result = new SimRunner(scenario, 1).run(RunSettings.of(1));
    assertNull(result.violation());
    assertEquals(
        List.of(SimNic.State.DOWN, SimNic.State.DOWN, SimNic.State.DOWN, SimNic.State.UP), states);
  }
}
