package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Three simulated nodes: the first node calls, and the handlers of the other nodes hold the open
 * calls.
 */
final class CausalityWorld {
  static final long MS = 1_000_000;
  static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  static final int CALLER = 0;
  static final Route<byte[], byte[]> FIRST = Route.of("first", ByteArrays.CODEC, ByteArrays.CODEC);
  static final Route<byte[], byte[]> SECOND =
      Route.of("second", ByteArrays.CODEC, ByteArrays.CODEC);
  static final Route<byte[], byte[]> QUICK = Route.of("quick", ByteArrays.CODEC, ByteArrays.CODEC);
  static final byte[] NOTHING = {};

  /** The destinations of the two calls. */
  enum Where {
    SAME_PEER(1, 1),
    OTHER_PEER(2, 1),
    OTHER_WORKER(2, 2);

    final int second;
    private final int workers;

    Where(int second, int workers) {
      this.second = second;
      this.workers = workers;
    }
  }

  interface Plan {
    void run(CausalityWorld world) throws Exception;
  }

  final Simulation simulation;
  final SimulatedCluster nodes;
  final List<CompletableFuture<byte[]>> first = new ArrayList<>();
  final List<CompletableFuture<byte[]>> second = new ArrayList<>();
  final List<Integer> order = new ArrayList<>();

  private CausalityWorld(Simulation simulation, SimulatedCluster nodes) {
    this.simulation = simulation;
    this.nodes = nodes;
    for (int node = 1; node <= 2; node++) {
      Transport transport = nodes.transport(node);
      transport.serve(FIRST, bytes -> begun(first));
      transport.serve(SECOND, bytes -> begun(second));
      transport.serve(
          QUICK,
          bytes -> {
            order.add(bytes.length < 4 ? 0 : ByteBuffer.wrap(bytes).getInt());
            return CompletableFuture.completedFuture(bytes);
          });
    }
  }

  private static CompletableFuture<byte[]> begun(List<CompletableFuture<byte[]>> list) {
    CompletableFuture<byte[]> begun = new CompletableFuture<>();
    list.add(begun);
    return begun;
  }

  Peer peer(int node) {
    return nodes.peer(CALLER, node);
  }

  void pass(long ns) {
    simulation.runUntil(() -> false, simulation.nowNs() + ns);
  }

  int slots() {
    return nodes.transport(CALLER).snapshot().causalitySlots();
  }

  /** Runs a plan in a world of its own and checks that no transfer is left. */
  static void run(Where where, String overrides, Plan plan) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(4)) {
            NetworkSettings network = NetworkSettings.clean(MS / 2);
            CausalityWorld world =
                new CausalityWorld(
                    simulation,
                    new SimulatedCluster(
                        simulation,
                        3,
                        network,
                        null,
                        SimTransportSettings.parse(
                            "millrace.workers.count = " + where.workers + "\n" + overrides),
                        NOTHING));
            world.nodes.await(world.peer(1).connect(), SECOND_NS);
            world.nodes.await(world.peer(2).connect(), SECOND_NS);
            plan.run(world);
            world.pass(SECOND_NS);
            assertEquals(0, world.slots(), "slots that are left");
            simulation.check();
          }
          return null;
        });
  }

  static Call<byte[]> first(CausalityWorld world) {
    return world.peer(1).unary(FIRST, NOTHING, TransferOptions.DEFAULTS.withToken());
  }

  static Call<byte[]> quick(CausalityWorld world, CausalityToken token) {
    return world.peer(1).unary(QUICK, NOTHING, TransferOptions.DEFAULTS.after(token));
  }

  static byte[] number(int number) {
    return ByteBuffer.allocate(4).putInt(number).array();
  }

  static CallException failureOf(CompletableFuture<?> call) {
    assertTrue(call.isCompletedExceptionally(), "it failed");
    Throwable failure = call.exceptionNow();
    return assertInstanceOf(
        CallException.class,
        failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
  }

  static void assertFailedWith(CausalityToken root, CompletableFuture<?> call) {
    CallException failure = failureOf(call);
    assertEquals(CallOutcome.DEPENDENCY_FAILED, failure.outcome(), failure.getMessage());
    assertEquals(root, failure.failedDependency().orElseThrow());
  }
}
