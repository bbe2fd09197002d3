package io.millrace.testkit.internal.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimingWheel;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.NodeClock;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.Oracle;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Rules about timers: the rules are asked, and broken on purpose. */
final class TimerOraclesTest {
  private static final long TICK_NS = TimingWheel.DEFAULT_TICK_NS;
  private static final long WHOLE_TICKS_NS = 1_000 * TICK_NS;

  @Test
  void shouldLookAtTimersProbesAndLosses() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(7)) {
            LinkSettings link = LinkSettings.clean(50_000).withLoss(LossSettings.random(200_000));
            OracleNodes nodes =
                new OracleNodes(simulation, NetworkSettings.clean(50_000).withLink(link));
            TimerOracle timers = new TimerOracle(nodes.cluster);
            RecoveryTimerOracle recovery = new RecoveryTimerOracle(nodes.cluster);
            nodes.start(Oracles.of(List.of(timers, recovery)), SimTransportSettings.parse(""));
            for (int i = 0; i < 20; i++) {
              nodes.exchange(4).awaitCalls();
            }
            nodes.finish();
            assertTrue(timers.fired() > 100, timers.fired() + " timers");
            assertTrue(recovery.probeTimeouts() > 5, recovery.probeTimeouts() + " probes");
            assertTrue(recovery.losses() > 5, recovery.losses() + " losses");
            return null;
          }
        });
  }

  /** Returns the rule's verdict when a timer was set for a tick of the clock before this action. */
  private static String violation(BiConsumer<TimingWheel, NodeClock> after) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            OracleNodes nodes = new OracleNodes(simulation, NetworkSettings.clean(1_000));
            Oracle oracle = new TimerOracle(nodes.cluster);
            FullNode node = nodes.cluster.node(0);
            node.boot();
            TimingWheel wheel =
                node.environment()
                    .wheels()
                    .make(TICK_NS, TimingWheel.DEFAULT_SLOTS, node.clock().nowNs());
            wheel.schedule(new Timer((timer, nowNs) -> {}, 0), WHOLE_TICKS_NS);
            after.accept(wheel, node.clock());
            SimViolation violation = assertThrows(SimViolation.class, simulation::check);
            assertEquals(oracle.name(), violation.rule());
            return String.valueOf(violation.getMessage());
          }
        });
  }

  @Test
  void shouldFindATimerThatFiresBeforeTheClockIsThere() throws Exception {
    String text = violation((wheel, clock) -> wheel.advance(WHOLE_TICKS_NS));
    assertTrue(text.contains(" fires " + WHOLE_TICKS_NS + " ns early"), text);
  }
}
