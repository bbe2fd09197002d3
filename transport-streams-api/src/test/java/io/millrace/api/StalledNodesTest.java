package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that stand still for a while under load: processes on a shared machine, virtual time. */
class StalledNodesTest {
  private static final long MS = 1_000_000;
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int SERVER = 0;
  private static final int CLIENT = 1;
  private static final int CALLS = 3_000;
  private static final int BEFORE = 200;
  private static final Duration DEADLINE = Duration.ofSeconds(12);
  private static final String ALL_WELL = "{OK=" + CALLS + "}";

  /** A node stands still for so long, from a call of the client on. */
  private record Stall(int node, int atCall, long ms) {}

  /** A server, and a client that calls once a millisecond. */
  private static final class World {
    private final Simulation simulation = new Simulation(1);
    private final FullCluster cluster =
        new FullCluster(simulation, NetworkSettings.clean(100_000), null);

    private Transport start(int node, String settings) {
      FullNode booted = cluster.node(node);
      booted.boot();
      return Transport.builder(SimCluster.settings(node, SimTransportSettings.parse(settings)))
          .environment(booted.environment())
          .start();
    }

    private void pass(long ms) {
      simulation.runUntil(() -> false, simulation.nowNs() + ms * MS);
    }
  }

  /** Returns the number of calls with each outcome. */
  private static String run(String server, String client, Stall... stalls) throws Exception {
    return SimThread.call(
        () -> {
          World world = new World();
          try (Simulation simulation = world.simulation) {
            world.cluster.add(2, NodeSettings.DEFAULT);
            Transport serving = world.start(SERVER, server);
            Transport calling = world.start(CLIENT, client);
            Raw.serve(
                serving,
                ECHO,
                call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
            Peer peer = calling.peer(SimCluster.handshakeAddress(SERVER));
            List<CompletableFuture<UnaryResponse>> calls = call(world, peer, List.of(stalls));
            assertTrue(
                simulation.runUntil(
                    () -> calls.stream().allMatch(CompletableFuture::isDone),
                    simulation.nowNs() + 20_000 * MS));
            simulation.check();
            return outcomes(calls).toString();
          }
        });
  }

  private static List<CompletableFuture<UnaryResponse>> call(
      World world, Peer peer, List<Stall> stalls) {
    TransferOptions options = TransferOptions.DEFAULTS.withDeadline(DEADLINE);
    List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      for (Stall stall : stalls) {
        if (stall.atCall() == i) {
          world.cluster.node(stall.node()).pause(stall.ms() * MS);
        }
      }
      calls.add(Raw.unary(peer, new UnaryRequest(ECHO, new byte[100], options)));
      world.pass(1);
    }
    return calls;
  }

  private static Map<String, Integer> outcomes(List<CompletableFuture<UnaryResponse>> calls) {
    Map<String, Integer> counts = new TreeMap<>();
    for (CompletableFuture<UnaryResponse> call : calls) {
      String outcome =
          call.isCompletedExceptionally()
              ? ((CallException) call.exceptionNow()).outcome().name()
              : "OK";
      counts.merge(outcome, 1, Integer::sum);
    }
    return counts;
  }

  private static String profile(String name) {
    return "millrace.profile = " + name;
  }

  @ParameterizedTest
  @CsvSource({"shared, 1000", "shared, 2400", "container, 3900", "wan, 3900", "dedicated, 200"})
  void shouldLoseNoCallToAServerThatStandsStillForLessThanTheProfileSays(String profile, long ms)
      throws Exception {
    String settings = profile(profile);
    assertEquals(ALL_WELL, run(settings, settings, new Stall(SERVER, BEFORE, ms)));
  }

  @Test
  void shouldNotWaitForASecondOnDedicatedMachines() throws Exception {
    String settings = profile("dedicated");
    assertNotEquals(ALL_WELL, run(settings, settings, new Stall(SERVER, BEFORE, 1_000)));
  }

  @Test
  void shouldLoseNoCallToACollectionOfTheClientsGarbage() throws Exception {
    String settings = profile("shared");
    assertEquals(ALL_WELL, run(settings, settings, new Stall(CLIENT, BEFORE, 2_000)));
  }

  /**
   * The client stands still for far longer than a silent peer would be given up, while its server,
   * which stood still for a moment, owes an answer, is about to be probed, or is probed; rule L-1.
   */
  @ParameterizedTest
  @ValueSource(ints = {10, 50, 90, 110, 150, 200})
  void shouldNotJudgeAPeerByTheTimeOfItsOwnStall(int after) throws Exception {
    String patient = "millrace { profile = wan, recovery { silence = 60 s, fail-after = 600 s } }";
    assertEquals(
        ALL_WELL,
        run(
            patient,
            profile("dedicated"),
            new Stall(SERVER, BEFORE, 220),
            new Stall(CLIENT, BEFORE + after, 5_000)));
  }

  /**
   * The host of both nodes stands still, and the server wakes up later than the client: the client
   * has been waiting for an answer for a moment only, whatever the clock says; rule L-1.
   */
  @ParameterizedTest
  @CsvSource({"dedicated, 5100, 190, 4890", "shared, 3200, 600, 2000"})
  void shouldNotCountItsOwnStallAsSilenceOfAPeerThatWakesUpLater(
      String profile, long serverMs, int after, long clientMs) throws Exception {
    String patient = "millrace { profile = wan, recovery { silence = 60 s, fail-after = 600 s } }";
    assertEquals(
        ALL_WELL,
        run(
            patient,
            profile(profile),
            new Stall(SERVER, BEFORE, serverMs),
            new Stall(CLIENT, BEFORE + after, clientMs)));
  }
}
