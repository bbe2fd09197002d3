package io.millrace.testkit.internal.scenario;

import static io.millrace.testkit.sim.Outcome.INDETERMINATE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.RemoteMemory;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.core.SimViolation;
import io.millrace.testkit.internal.fabric.SimFabricDriver;
import io.millrace.testkit.internal.net.SimNic;
import io.millrace.testkit.sim.DamageSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.FaultSchedule;
import io.millrace.testkit.sim.Faults;
import io.millrace.testkit.sim.NicState;
import io.millrace.testkit.sim.PolicerSettings;
import io.millrace.testkit.sim.Program;
import io.millrace.testkit.sim.SimNode;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

final class FaultsTest {
  private static final long MS = 1_000_000;

  @Test
  void shouldKeepAnInterfaceDeadUntilTheLastOfItsFaultsEnds() throws Exception {
    List<NicState> states = new ArrayList<>();
    Scenario scenario =
        run -> {
          run.add(1, node -> {});
          SimNic nic = run.cluster().network().nic(0, 0);
          run.faults().nicDown(1 * MS, 0, NicState.DOWN, 10 * MS);
          run.faults().nicDown(5 * MS, 0, NicState.DOWN, 2 * MS);
          for (long atMs : new long[] {2, 6, 9, 12}) {
            run.at(atMs * MS, "look", () -> states.add(nic.state()));
          }
          run.runUntil(20 * MS);
        };
    RunResult result = new SimRunner(scenario, 1).run(RunSettings.of(1));
    assertNull(result.violation());
    assertEquals(List.of(NicState.DOWN, NicState.DOWN, NicState.DOWN, NicState.UP), states);
  }

  /** A smaller run prints these words. */
  @Test
  void shouldKillTheInterfaceThatItNames() throws Exception {
    List<NicState> states = new ArrayList<>();
    List<String> words = new ArrayList<>();
    Scenario scenario =
        run -> {
          run.add(1, node -> {});
          run.faults().nicDown(MS, 0, 1, NicState.DOWN, 10 * MS);
          run.faults().nicDown(5 * MS, 0, NicState.SILENT, 2 * MS);
          run.at(
              6 * MS,
              "look",
              () -> run.cluster().network().nics(0).forEach(nic -> states.add(nic.state())));
          run.runUntil(20 * MS);
          run.cluster().network().nics(0).forEach(nic -> states.add(nic.state()));
          run.plan().happened().forEach(event -> words.add(event.words()));
        };
    RunResult result = new SimRunner(scenario, 1).run(RunSettings.of(1));
    assertNull(result.violation());
    assertEquals(List.of(NicState.SILENT, NicState.DOWN, NicState.UP, NicState.UP), states);
    assertEquals(
        List.of(
            "interface 1 of n0 is DOWN for 10.000 ms",
            "interface 0 of n0 is SILENT for 2.000 ms",
            "look"),
        words);
  }

  private static void refused(String words, Executable fault) {
    assertEquals(words, assertThrows(IllegalArgumentException.class, fault).getMessage());
  }

  @Test
  void shouldRefuseOnAFabricWhatOnlyItsHandshakeWouldMeet() throws Exception {
    Scenario scenario =
        run -> {
          run.fabric(FabricSettings.DEFAULT);
          run.add(2, node -> {});
          Faults faults = run.faults();
          PolicerSettings policer = new PolicerSettings(1_000_000, 64_000);
          DamageSettings twice = new DamageSettings(1, 0, MS, 0, 0);
          DamageSettings late = new DamageSettings(0, 1, MS, 0, 0);
          refused(
              "a fabric cuts what is too long for a link itself",
              () -> faults.mtu(MS, 0, 1, 1_280, true, MS));
          refused("a fabric has no policers", () -> faults.policer(MS, 0, 1, policer, MS));
          String overtaken =
              "a fabric brings nothing twice, and FabricSettings say what is overtaken";
          refused(overtaken, () -> faults.damage(MS, 0, 1, twice, MS));
          refused(overtaken, () -> faults.damage(MS, 0, 1, late, MS));
          faults.damage(MS, 0, 1, new DamageSettings(0, 0, MS, 1, 1), MS);
          new FaultSchedule(run, 10 * MS).all();
          run.runUntil(20 * MS);
        };
    for (long seed = 1; seed <= 20; seed++) {
      assertNull(new SimRunner(scenario, 1).run(RunSettings.of(seed)).violation());
    }
  }

  @Test
  void shouldLetANodeRegisterNoMemoryForAWhile() throws Exception {
    List<Boolean> could = new ArrayList<>();
    Scenario scenario =
        run -> {
          run.fabric(FabricSettings.DEFAULT);
          run.add(2, node -> {});
          run.faults().noRegistrations(1 * MS, 0, 10 * MS);
          run.faults().noRegistrations(5 * MS, 0, 2 * MS);
          for (long atMs : new long[] {0, 2, 9, 12}) {
            for (int node = 0; node < 2; node++) {
              int number = node;
              run.at(
                  atMs * MS + node,
                  "n" + node + " registers",
                  () -> could.add(couldRegister(run, number)));
            }
          }
          run.runUntil(20 * MS);
        };
    assertNull(new SimRunner(scenario, 1).run(RunSettings.of(1)).violation());
    assertEquals(List.of(true, true, false, true, false, true, true, true), could);
  }

  private static boolean couldRegister(FullRun run, int node) {
    SimFabricDriver driver = new SimFabricDriver(run.cluster().fabric(), node, () -> () -> {});
    InetSocketAddress any = new SimAddress(node, 0, 0).inet();
    try (Endpoint endpoint = driver.open(EndpointSettings.defaults(any))) {
      RemoteMemory memory = Objects.requireNonNull(endpoint.remoteMemory());
      memory.deregister(memory.register(Arena.ofAuto().allocate(64), true));
      return true;
    } catch (DriverException e) {
      return false;
    }
  }

  @Test
  void shouldRefuseToForbidRegistrationsWithoutAFabric() throws Exception {
    Scenario scenario =
        run -> {
          run.add(2, node -> {});
          refused(
              "without a fabric nobody registers memory",
              () -> run.faults().noRegistrations(MS, 0, MS));
          run.simulation().at(MS, () -> {});
          run.runUntil(MS);
        };
    assertNull(new SimRunner(scenario, 1).run(RunSettings.of(1)).violation());
  }

  /** Counts, and closes as the test says. */
  private static final class Counted implements Program {
    private final Closes closes;
    private int starts;
    private int stops;

    private Counted(Closes closes) {
      this.closes = closes;
    }

    @Override
    public void start(SimNode node) {
      starts++;
    }

    @Override
    public void stop(SimNode node) throws Exception {
      stops++;
      closes.close(node);
    }
  }

  @FunctionalInterface
  private interface Closes {
    void close(SimNode node) throws Exception;
  }

  /** Runs two nodes; the first node is stopped in order after 1 ms, for 2 ms. */
  private static RunResult stopped(Counted program, Consumer<FullRun> also) throws Exception {
    return new SimRunner(
            run -> {
              run.add(2, program);
              run.faults().stop(1 * MS, 0, 2 * MS);
              also.accept(run);
              run.runUntil(60_000 * MS);
              run.heal();
            },
            1)
        .run(RunSettings.of(1));
  }

  private static void wait(SimNode node, long ms) throws Exception {
    try {
      node.environment().await(new CompletableFuture<Void>(), ms * MS);
    } catch (TimeoutException _) {
      // The time of the wait has passed.
    }
  }

  @Test
  void shouldStopANodeInOrderAndStartItAgain() throws Exception {
    Counted program = new Counted(node -> wait(node, 5));
    List<Boolean> up = new ArrayList<>();
    RunResult result =
        stopped(
            program,
            run -> {
              for (long atMs : new long[] {5, 7, 9}) {
                run.at(atMs * MS, "look", () -> up.add(run.node(0).isUp()));
              }
            });
    assertNull(result.violation());
    assertEquals(List.of(true, false, true), up);
    assertEquals(List.of(3, 1), List.of(program.starts, program.stops));
  }

  @Test
  void shouldLetAProgramTakeItsTimeToStop() throws Exception {
    assertNull(stopped(new Counted(node -> wait(node, 9_001)), run -> {}).violation());
  }

  @Test
  void shouldBreakTheRuleIfWhoAskedIsNotTold() throws Exception {
    RunResult result =
        stopped(
            new Counted(node -> {}), run -> run.at(0, "ask", () -> run.history().sent(7, 0, 1, 7)));
    assertBroken(result, "graceful stop", "was never told what became of 1 calls");
  }

  /** Closes for 5 s; the caller is told {@code toldMs} after the stop began. */
  private static RunResult closedSlowly(long toldMs) throws Exception {
    return stopped(
        new Counted(node -> wait(node, 5_000)),
        run -> {
          run.at(0, "ask", () -> run.history().sent(7, 0, 1, 7));
          run.at((1 + toldMs) * MS, "tell", () -> run.history().resolved(7, INDETERMINATE, "late"));
        });
  }

  @Test
  void shouldCountTheTimeForWhatIsLeftFromTheEndOfTheStop() throws Exception {
    assertNull(closedSlowly(13_900).violation());
    RunResult late = closedSlowly(14_100);
    assertBroken(late, "graceful stop", "after 9000000000 ns n0 was closed, and was never told");
  }

  @Test
  void shouldBreakTheRuleIfAProgramDoesNotClose() throws Exception {
    Counted program =
        new Counted(
            node -> {
              throw new IllegalStateException("on purpose");
            });
    assertBroken(stopped(program, run -> {}), "graceful stop", "n0 does not stop");
  }

  @Test
  void shouldAskNothingOfALifeThatIsLostWhileItStops() throws Exception {
    Counted program = new Counted(node -> wait(node, 20_000));
    RunResult result =
        stopped(
            program,
            run -> {
              run.at(0, "ask", () -> run.history().sent(7, 0, 1, 7));
              run.faults().crash(3 * MS, 0, 1 * MS);
            });
    assertNull(result.violation());
    assertEquals(List.of(3, 1), List.of(program.starts, program.stops));
  }

  /** Waits as a start does; the node is lost when the awaited event has come. */
  @Test
  void shouldNotGoOnInALifeThatIsOver() throws Exception {
    List<String> went = new ArrayList<>();
    RunResult result =
        new SimRunner(
                run -> {
                  run.add(1, node -> {});
                  SimNode node = run.node(0);
                  CompletableFuture<Void> answer = new CompletableFuture<>();
                  run.at(
                      1 * MS,
                      "lose",
                      () -> {
                        answer.complete(null);
                        run.node(0).crash();
                      });
                  run.at(
                      0,
                      "wait",
                      () -> {
                        try {
                          node.environment().await(answer, 5 * MS);
                          went.add("on");
                        } catch (IllegalStateException e) {
                          went.add(String.valueOf(e.getMessage()));
                        } catch (Exception e) {
                          went.add(e.toString());
                        }
                      });
                  run.runUntil(10 * MS);
                },
                1)
            .run(RunSettings.of(1));
    assertNull(result.violation());
    assertEquals(List.of("this life of the node ended while its code waited"), went);
  }

  @Test
  void shouldNotStopANodeTwiceAtOnce() throws Exception {
    Counted program = new Counted(node -> wait(node, 5));
    assertNull(stopped(program, run -> run.faults().stop(2 * MS, 0, 1 * MS)).violation());
    assertEquals(1, program.stops);
  }

  @Test
  void shouldExcuseNothingLongAfterAFault() throws Exception {
    List<Boolean> disturbed = new ArrayList<>();
    Scenario scenario =
        run -> {
          run.add(3, node -> {});
          run.faults().cut(1 * MS, 0, 1, 2 * MS);
          run.faults().pause(1 * MS, 2, 30 * MS);
          run.runUntil(10 * MS);
          disturbed.add(run.faults().isDisturbed(1, 0, 3 * MS));
          disturbed.add(run.faults().isDisturbed(1, 0, 3 * MS + 1));
          disturbed.add(run.faults().isDisturbed(0, 2, 31 * MS));
          run.heal();
          disturbed.add(run.faults().isDisturbed(0, 2, 10 * MS));
          disturbed.add(run.faults().isDisturbed(0, 2, 10 * MS + 1));
        };
    assertNull(new SimRunner(scenario, 1).run(RunSettings.of(1)).violation());
    assertEquals(List.of(true, false, true, true, false), disturbed);
  }

  private static void assertBroken(RunResult result, String rule, String words) {
    SimViolation violation = result.violation();
    assertNotNull(violation);
    assertEquals(rule, violation.rule());
    assertTrue(String.valueOf(violation.getMessage()).contains(words), violation.getMessage());
  }
}
