package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.RetryPolicy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node of three dies under 1,000 calls a second, in a simulation. The caller's policy tries
 * failed calls again.
 */
final class KilledNodeRetriesTest {
  private static final int NODES = 3;
  private static final int CLIENT = NODES;
  private static final int DOOMED = 1;
  private static final long MS = 1_000_000;

  /** The delay in one direction: each server has three or four calls under way. */
  private static final long DELAY_NS = 5 * MS;

  private static final NetworkSettings CLEAN = NetworkSettings.clean(DELAY_NS);
  private static final int LOSS_PPM = 10_000;
  private static final int CALLS = 900;
  private static final int KILLED_AT = 200;
  private static final Route<ByteString, ByteString> WORK = Route.bytes("work");
  private static final TransferOptions WITHIN =
      TransferOptions.DEFAULTS.withDeadline(Duration.ofSeconds(5));

  /** The load of one run, and its results. */
  private static final class Load {
    private final SimulatedCluster nodes;
    private final Map<Integer, Integer> executions = new HashMap<>();
    private final List<CompletableFuture<ByteString>> calls = new ArrayList<>();
    private int openAtKill;
    private int openAtNotice;

    Load(Simulation simulation) {
      nodes =
          new SimulatedCluster(
              simulation,
              NODES + 1,
              CLEAN.withLink(CLEAN.link().withLoss(LossSettings.random(LOSS_PPM))),
              new byte[0]);
      for (int node = 0; node < NODES; node++) {
        serve(node);
      }
    }

    void serve(int node) {
      nodes
          .transport(node)
          .serve(
              WORK,
              request -> {
                executions.merge(request.asByteBuffer().getInt(), 1, Integer::sum);
                return CompletableFuture.completedFuture(request);
              });
    }

    private Peer peer(int node) {
      return nodes.peer(CLIENT, node);
    }

    private int openAtDoomed() {
      int open = 0;
      for (int id = DOOMED; id < calls.size(); id += NODES) {
        open += calls.get(id).isDone() ? 0 : 1;
      }
      return open;
    }

    /** Makes a call each ms; {@code restartedAt} is the ms at which the killed node comes back. */
    void run(Route<ByteString, ByteString> route, boolean hasFallbacks, int restartedAt) {
      List<Peer> peers = new ArrayList<>();
      for (int node = 0; node < NODES; node++) {
        List<Peer> others = List.of(peer((node + 1) % NODES), peer((node + 2) % NODES));
        peers.add(hasFallbacks ? peer(node).withFallbacks(others) : peer(node));
      }
      for (int id = 0; id < CALLS; id++) {
        if (id == KILLED_AT) {
          openAtKill = openAtDoomed();
          nodes.crash(DOOMED);
        }
        if (id == restartedAt) {
          nodes.restart(DOOMED);
          serve(DOOMED);
        }
        byte[] request = ByteBuffer.allocate(Integer.BYTES).putInt(id).array();
        calls.add(peers.get(id % NODES).unary(route, ByteString.fromArray(request), WITHIN));
        if (peer(DOOMED).health().state().takesCalls()) {
          openAtNotice = Math.max(openAtNotice, openAtDoomed());
        }
        nodes.simulation.runFor(MS);
      }
      assertTrue(
          nodes.simulation.runUntil(
              () -> calls.stream().allMatch(CompletableFuture::isDone),
              nodes.simulation.nowNs() + 10 * SimulatedCluster.SECOND_NS));
    }

    List<CallException> failures() {
      return calls.stream()
          .filter(CompletableFuture::isCompletedExceptionally)
          .map(call -> (CallException) call.exceptionNow())
          .toList();
    }

    long executedTwice() {
      return executions.values().stream().filter(times -> times > 1).count();
    }

    void print(String what, int seed) {
      long retried =
          nodes.cluster.node(CLIENT).life().pools().getFirst().port(0).counters().callsRetried;
      System.out.printf(
          "%s, seed %d: %d calls, failed %d, retried %d, executed twice %d,"
              + " open at the kill %d, at most until the kill was noticed %d%n",
          what,
          seed,
          calls.size(),
          failures().size(),
          retried,
          executedTwice(),
          openAtKill,
          openAtNotice);
    }
  }

  private interface Plan {
    void run(Load load);
  }

  private static void simulate(int seed, Plan plan) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed)) {
            plan.run(new Load(simulation));
            simulation.check();
            return null;
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldFailNoIdempotentCall(int seed) throws Exception {
    simulate(
        seed,
        load -> {
          load.run(WORK.idempotent(), true, Integer.MAX_VALUE);
          load.print("idempotent, other nodes", seed);
          assertEquals(List.of(), load.failures());
          assertTrue(load.openAtKill > 0);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldExecuteNoOtherCallTwice(int seed) throws Exception {
    simulate(
        seed,
        load -> {
          load.run(WORK.withRetry(RetryPolicy.DEFAULTS), true, Integer.MAX_VALUE);
          load.print("not idempotent, other nodes", seed);
          assertEquals(0, load.executedTwice());
          List<CallException> failures = load.failures();
          for (CallException failure : failures) {
            assertEquals(CallOutcome.Execution.UNKNOWN, failure.wasExecuted(), failure::toString);
          }
          assertTrue(
              !failures.isEmpty() && failures.size() <= load.openAtNotice,
              () -> failures.size() + " failed");
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shouldWaitForTheRestartOfTheOnlyNode(int seed) throws Exception {
    RetryPolicy patient =
        RetryPolicy.DEFAULTS
            .withAttempts(100)
            .withBackoff(Duration.ofMillis(10), Duration.ofMillis(200));
    simulate(
        seed,
        load -> {
          load.run(WORK.idempotent().withRetry(patient), false, KILLED_AT + 400);
          load.print("idempotent, restarted", seed);
          assertEquals(List.of(), load.failures());
        });
  }
}
