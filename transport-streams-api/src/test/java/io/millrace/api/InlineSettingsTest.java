package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ends.PathCounters;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.driver.Impairment;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The settings decide which requests go inline, and the number of inline bytes. */
@Timeout(120)
class InlineSettingsTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final long SEED = 11;
  private static final long MS = 1_000_000;
  private static final int CALL_BYTES = 1_000;
  private static final int CALLS = 200;

  private interface Scenario {
    long run(Simulation simulation, SimulatedPair nodes) throws Exception;
  }

  private static long simulate(String settings, Scenario scenario) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(SEED);
              SimulatedPair nodes =
                  new SimulatedPair(simulation, new Impairment(SEED, 0, 0, 0, 1, 0), settings)) {
            return scenario.run(simulation, nodes);
          }
        });
  }

  /** Whether a request of this size goes through regions, under a write token. */
  private static boolean isTokened(SimulatedPair nodes, int bytes) throws Exception {
    long before = bodyBytes(nodes);
    byte[] payload = KnownBytes.of(bytes, bytes);
    assertEquals(bytes, nodes.await(Raw.unary(nodes.peer(), ECHO, payload)).payload().length);
    long tokened = bodyBytes(nodes) - before;
    assertTrue(tokened == 0 || tokened == bytes, tokened + " of " + bytes);
    return tokened > 0;
  }

  private static long bodyBytes(SimulatedPair nodes) {
    return nodes.server().snapshot().workers().getFirst().bodies().records().bodyBytesReceived();
  }

  /** Returns the most payload bytes of an inline request without headers. */
  private static long mostInline(int maxDatagramBytes) throws Exception {
    return simulate(
        "millrace.nic.max-datagram = " + maxDatagramBytes,
        (simulation, nodes) -> {
          Raw.serve(
              nodes.server(),
              ECHO,
              call ->
                  CompletableFuture.completedFuture(
                      UnaryResponse.of(new byte[call.payload().length])));
          int inline = 0;
          int tokened = maxDatagramBytes;
          while (tokened - inline > 1) {
            int middle = (inline + tokened) / 2;
            if (isTokened(nodes, middle)) {
              tokened = middle;
            } else {
              inline = middle;
            }
          }
          return inline;
        });
  }

  /** KNOB-24: a request larger than a datagram by a single byte goes under a token. */
  @Test
  void shouldSendInlineWhatFitsTheLargestDatagram() throws Exception {
    long small = mostInline(2_000);
    long large = mostInline(5_000);

    assertTrue(small > 2_000 - 150, "only " + small + " bytes inline");
    assertEquals(3_000, large - small);
  }

  /** Returns the most inline bytes under way to a node that stands still and takes no requests. */
  private static long inlineBytesUnderWay(String credit) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(SEED)) {
            SimulatedCluster nodes =
                new SimulatedCluster(
                    simulation,
                    2,
                    NetworkSettings.clean(MS),
                    null,
                    SimTransportSettings.parse(
                        "millrace { nic.max-datagram = 1472, limits.inline-credit = "
                            + credit
                            + " }"),
                    new byte[0]);
            // First calls, so congestion control allows more bytes than the credit.
            awaitAll(nodes, calls(nodes));
            awaitAll(nodes, calls(nodes));
            PathCounters caller = nodes.transport(0).pool().port(0).counters();
            long before = caller.requestsSent;
            nodes.cluster.node(1).pause(50 * MS);
            var answers = calls(nodes);
            simulation.runUntil(() -> false, simulation.nowNs() + 20 * MS);
            long sent = caller.requestsSent - before;
            awaitAll(nodes, answers);
            return sent * CALL_BYTES;
          }
        });
  }

  private static List<CompletableFuture<UnaryResponse>> calls(SimulatedCluster nodes) {
    List<CompletableFuture<UnaryResponse>> answers = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      answers.add(Raw.unary(nodes.peer(0, 1), SimulatedCluster.ECHO, KnownBytes.of(i, CALL_BYTES)));
    }
    return answers;
  }

  private static void awaitAll(
      SimulatedCluster nodes, List<CompletableFuture<UnaryResponse>> answers) throws Exception {
    for (int i = 0; i < CALLS; i++) {
      assertArrayEquals(
          KnownBytes.of(i, CALL_BYTES),
          nodes.await(answers.get(i), 60 * SimulatedCluster.SECOND_NS).payload());
    }
  }

  /** KNOB-25: a peer has no more bytes at the node than its credit; the rest arrives later. */
  @Test
  void shouldHoldEachPeerToItsInlineCredit() throws Exception {
    for (int creditKiB : new int[] {16, 64}) {
      long held = inlineBytesUnderWay(creditKiB + " KiB");

      long credit = 1_024L * creditKiB;
      assertTrue(held <= credit, held + " bytes under a credit of " + credit);
      // A call counts with the overhead of its frame.
      assertTrue(held > credit - credit / 10, held + " bytes of a credit of " + credit);
    }
  }
}
