package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.sim.core.SimThread;
import io.millrace.testkit.sim.core.Simulation;
import io.millrace.testkit.sim.net.NetworkSettings;
import io.millrace.testkit.sim.node.SimTransportSettings;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.DependencyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls of a handler that wait for the request that it serves. Under virtual time. */
class ServedTokenTest {
  private static final long MS = 1_000_000;
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final Route<byte[], byte[]> FIRST =
      Route.of("first", ByteArrays.CODEC, ByteArrays.CODEC);
  private static final Route<byte[], byte[]> SECOND =
      Route.of("second", ByteArrays.CODEC, ByteArrays.CODEC);
  private static final byte[] NOTHING = {};

  private final List<CompletableFuture<byte[]>> begun = new ArrayList<>();
  private final List<String> chains = new ArrayList<>();

  private interface Plan {
    void run(SimulatedCluster nodes) throws Exception;
  }

  /** Node 1 serves a call of node 0 by one at node 2. */
  private void run(DependencyKind kind, Plan plan) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(4)) {
            SimulatedCluster nodes =
                new SimulatedCluster(
                    simulation,
                    3,
                    NetworkSettings.clean(MS / 2),
                    null,
                    SimTransportSettings.parse("millrace.workers.count = 2"),
                    NOTHING);
            nodes
                .transport(1)
                .serve(
                    FIRST,
                    (bytes, context) -> {
                      CausalityToken token = context.token().orElseThrow();
                      chains.add(token.correlationId());
                      return nodes
                          .peer(1, 2)
                          .unary(SECOND, bytes, TransferOptions.DEFAULTS.after(token, kind));
                    });
            nodes
                .transport(2)
                .serve(
                    SECOND,
                    (_, context) -> {
                      chains.add(context.token().orElseThrow().correlationId());
                      CompletableFuture<byte[]> answer = new CompletableFuture<>();
                      begun.add(answer);
                      return answer;
                    });
            plan.run(nodes);
            simulation.runUntil(() -> false, simulation.nowNs() + SECOND_NS);
            for (int node = 0; node < 3; node++) {
              assertEquals(0, nodes.transport(node).snapshot().causalitySlots(), "of " + node);
            }
            simulation.check();
          }
          return null;
        });
  }

  private Call<byte[]> begin(SimulatedCluster nodes) {
    Call<byte[]> call =
        nodes.peer(0, 1).unary(FIRST, NOTHING, TransferOptions.DEFAULTS.withToken());
    assertTrue(
        nodes.simulation.runUntil(() -> !begun.isEmpty(), nodes.simulation.nowNs() + SECOND_NS),
        "its handler goes on");
    return call;
  }

  @ParameterizedTest
  @EnumSource(names = {"REQUEST_CRITICAL", "REQUEST_OPTIONAL"})
  void shouldGoOnWhileItIsServed(DependencyKind kind) throws Exception {
    run(
        kind,
        nodes -> {
          Call<byte[]> call = begin(nodes);
          begun.getFirst().complete(NOTHING);

          assertEquals(0, nodes.await(call, SECOND_NS).length);
          String chain = call.token().correlationId();
          assertEquals(List.of(chain, chain), chains);
        });
  }
}
