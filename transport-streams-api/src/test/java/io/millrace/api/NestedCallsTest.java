package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.driver.Impairment;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Handlers that call back before they answer, from both nodes at once, with inline credit for a
 * seventh of the open calls. No call waits for credit that only its own end would give back.
 */
@Timeout(200)
class NestedCallsTest {
  private static final RouteId NEST = RouteId.of("nest");
  private static final int DEPTH = 3;
  private static final int CALLS = 100;
  private static final int BYTES = 1_000;
  private static final String CREDIT =
      "millrace { nic.max-datagram = 1472, limits { inline-credit = 16 KiB } }";

  @ParameterizedTest
  @ValueSource(ints = {0, 6})
  void shouldNotStandStillUnderVirtualTime(int lossPercent) throws Exception {
    SimThread.call(
        () -> {
          Impairment impairment = new Impairment(7, lossPercent, 0, 0, 1, 0);
          try (Simulation simulation = new Simulation(7);
              SimulatedPair nodes = new SimulatedPair(simulation, impairment, CREDIT)) {
            run(nodes);
            for (Transport node : List.of(nodes.client(), nodes.server())) {
              assertTrue(nodes.awaitUntil(() -> Remains.listSimulated(node).isEmpty()));
            }
          }
          return null;
        });
  }

  @Test
  void shouldNotStandStillOnRealSockets() throws Exception {
    try (TwoNodes nodes = new TwoNodes(CREDIT)) {
      run(nodes);
    }
  }

  private static void run(NodePair nodes) throws Exception {
    Peer server = nodes.peer();
    Peer client = nodes.server().peer(nodes.client().address());
    Raw.serve(nodes.server(), NEST, call -> nest(client, call));
    Raw.serve(nodes.client(), NEST, call -> nest(server, call));
    List<CompletableFuture<UnaryResponse>> answers = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      answers.add(Raw.unary(server, NEST, payload(i)));
      answers.add(Raw.unary(client, NEST, payload(i)));
    }
    for (int i = 0; i < answers.size(); i++) {
      byte[] expected = payload(i / 2);
      expected[0] = 0;
      assertArrayEquals(expected, nodes.await(answers.get(i)).payload());
    }
  }

  private static byte[] payload(int call) {
    byte[] payload = BodyTest.random(BYTES, call);
    payload[0] = DEPTH;
    return payload;
  }

  /** Answers a call; the first byte is the number of calls back before the answer. */
  private static CompletionStage<UnaryResponse> nest(Peer caller, ExecutorHandler.UnaryCall call) {
    byte[] payload = call.payload();
    if (payload[0] == 0) {
      return CompletableFuture.completedFuture(UnaryResponse.of(payload));
    }
    payload[0]--;
    return Raw.unary(caller, NEST, payload);
  }
}
