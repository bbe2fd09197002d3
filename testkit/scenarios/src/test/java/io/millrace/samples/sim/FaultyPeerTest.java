package io.millrace.samples.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.samples.sim.PlannedCall.Fate;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.Faults;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NicState;
import io.millrace.testkit.sim.Outcome;
import io.millrace.testkit.sim.Program;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A node of three is dead, comes and goes, or is heard one way only, while all nodes call each
 * other. Every call comes to its end, calls between the other two nodes go on as usual, and all
 * nodes find each other again.
 */
final class FaultyPeerTest {
  private static final long MS = 1_000_000;
  private static final int NODES = 3;
  private static final int BAD = 1;
  private static final long FROM_NS = 1_000 * MS;
  private static final long WORK_NS = 9_000 * MS;
  private static final int CALLS = 150;

  /** A time that lasts until all faults are healed. */
  private static final long LONG_NS = 100_000 * MS;

  private static final TransportSettings SETTINGS =
      SimTransportSettings.parse(
          """
          millrace {
            recovery.fail-after = 1 s
            handshake.timeout = 1 s
          }
          """);

  /**
   * Calls all the time, during this trouble. Returns the number of lost calls without a planned
   * fault: a write whose source fails on purpose is refused without trouble.
   */
  private static long callAllTheTime(SimRun run, Consumer<Faults> trouble) {
    NetworkSettings network = NetworkSettings.clean(50_000);
    run.network(network);
    NodesSettings settings = NodesSettings.same(NODES, SETTINGS);
    Bounds bounds = settings.bounds();
    ClusterWork work =
        new ClusterWork(
            run,
            new CallPlans(run, NODES),
            settings,
            new DeservedFailures(run, network.link(), settings),
            EarlyEnds.none(),
            false);
    run.add(NODES, program(work));
    trouble.accept(run.faults());
    AtomicLong lost = new AtomicLong();
    Draws times = run.swarm().draws("call.time");
    for (long id = 0; id < CALLS; id++) {
      PlannedCall call = work.call(id);
      run.at(times.below(id, 0, WORK_NS), call.toString(), () -> work.make(call, told(call, lost)));
    }
    run.runUntil(WORK_NS);
    run.eventually(
        bounds.settlesNs(), "every call comes to its end", () -> run.history().isSettled());
    run.heal();
    new ReconnectCheck(run, work, new LostNodes(run, /* mayLose= */ false)).run();
    run.awaitIdle(bounds.settlesNs());
    new Closing(run, work).run();
    assertTrue(run.history().resolved(Outcome.DONE) > CALLS / NODES);
    return lost.get();
  }

  private static Consumer<Outcome> told(PlannedCall call, AtomicLong lost) {
    boolean isPlain = call.fate() == Fate.PLAIN || call.fate() == Fate.SLOW;
    return outcome -> {
      if (isPlain && (outcome == Outcome.INDETERMINATE || outcome == Outcome.REJECTED)) {
        lost.incrementAndGet();
      }
    };
  }

  private static Program program(ClusterWork work) {
    return new Program() {
      @Override
      public void start(SimNode node) {
        work.start(node);
      }

      @Override
      public void stop(SimNode node) {
        work.stop(node);
      }
    };
  }

  private static long lost(SimRun run) {
    return run.history().resolved(Outcome.INDETERMINATE) + run.history().resolved(Outcome.REJECTED);
  }

  @SimulationTest(seeds = "1..2")
  void shouldGetOnWithoutADeadPeer(SimRun run) {
    callAllTheTime(run, faults -> faults.nicDown(FROM_NS, BAD, NicState.SILENT, LONG_NS));
    assertTrue(lost(run) > CALLS / 4, () -> lost(run) + " calls were lost");
  }

  @SimulationTest(seeds = "1..2")
  void shouldGetOnWithAPeerThatComesAndGoes(SimRun run) {
    callAllTheTime(
        run,
        faults -> {
          for (long atNs = FROM_NS; atNs < WORK_NS; atNs += 2_000 * MS) {
            faults.nicDown(atNs, BAD, NicState.SILENT, 1_000 * MS);
          }
        });
  }

  @SimulationTest(seeds = "1..2")
  void shouldGetOnWithAPeerOfWhichHalfIsLost(SimRun run) {
    callAllTheTime(
        run,
        faults -> {
          LossSettings half = LossSettings.random(500_000);
          for (int other : new int[] {0, 2}) {
            faults.loss(FROM_NS, other, BAD, half, WORK_NS);
            faults.loss(FROM_NS, BAD, other, half, WORK_NS);
          }
        });
  }

  @SimulationTest(seeds = "1..2")
  void shouldGetOnWithAPeerThatHearsNothingOfOne(SimRun run) {
    callAllTheTime(run, faults -> faults.cut(FROM_NS, 0, BAD, LONG_NS));
    assertTrue(lost(run) > CALLS / 10, () -> lost(run) + " calls were lost");
  }

  @SimulationTest(seeds = "1..3")
  void shouldLoseNothingWithoutTrouble(SimRun run) {
    assertEquals(0, callAllTheTime(run, faults -> {}));
  }
}
