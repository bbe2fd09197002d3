package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Repetitions;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.driver.Impairment;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Thousands of calls that expire at every moment of their lives, on a network that loses, doubles
 * and swaps packets. All begun calls come to an end, and the little inline credit of both sides is
 * complete afterwards.
 */
@Timeout(120)
class ExpiryCrowdTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int ROUNDS = Repetitions.times(120);
  private static final int AT_ONCE = 12;
  private static final int[] LENGTHS = {0, 100, 1_000, 1_100, 30_000};
  private static final int LATEST_US = 900;
  private static final int SINCE = 200;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void shouldLoseNoCreditAndNoSlot(long seed) throws Exception {
    SimThread.call(
        () -> {
          Impairment impairment = new Impairment(seed, 6, 4, 4, 4, 0);
          try (Simulation simulation = new Simulation(seed);
              SimulatedPair nodes =
                  new SimulatedPair(
                      simulation,
                      impairment,
                      "millrace.limits { inline-credit = 64 KiB, concurrent-transfers = 64 }")) {
            run(nodes, new Random(seed));
          }
          return null;
        });
  }

  private static void run(SimulatedPair nodes, Random random) throws Exception {
    Raw.serve(
        nodes.server(),
        ECHO,
        call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
    nodes.await(Raw.unary(nodes.peer(), ECHO, new byte[1]));
    Map<CallOutcome, Integer> ends = new EnumMap<>(CallOutcome.class);
    for (int i = 0; i < ROUNDS; i++) {
      List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
      for (int j = 0; j < AT_ONCE; j++) {
        calls.add(Raw.unary(nodes.peer(), request(random)));
      }
      for (CompletableFuture<UnaryResponse> call : calls) {
        assertTrue(nodes.awaitUntil(call::isDone));
        ends.merge(outcome(call), 1, Integer::sum);
      }
    }
    assertEquals(ROUNDS * AT_ONCE, ends.values().stream().mapToInt(Integer::intValue).sum());
    assertTrue(ends.getOrDefault(CallOutcome.OK, 0) > SINCE, ends.toString());
    assertTrue(ends.getOrDefault(CallOutcome.EXPIRED, 0) > SINCE, ends.toString());
    assertEquals(2, ends.size(), ends.toString());
    byte[] payload = BodyTest.random(1_000, 7);
    for (int i = 0; i < SINCE; i++) {
      assertArrayEquals(payload, nodes.await(Raw.unary(nodes.peer(), ECHO, payload)).payload());
    }
    for (Transport node : List.of(nodes.client(), nodes.server())) {
      assertTrue(nodes.awaitUntil(() -> Remains.listSimulated(node).isEmpty()));
    }
  }

  private static UnaryRequest request(Random random) {
    int length = LENGTHS[random.nextInt(LENGTHS.length)];
    Duration deadline = Duration.ofNanos(1_000L * (1 + random.nextInt(LATEST_US)));
    return new UnaryRequest(
        ECHO, new byte[length], TransferOptions.DEFAULTS.withDeadline(deadline));
  }

  private static CallOutcome outcome(CompletableFuture<UnaryResponse> call) {
    return call.handle(
            (response, failure) ->
                failure == null
                    ? CallOutcome.OK
                    : assertInstanceOf(CallException.class, failure).outcome())
        .join();
  }
}
