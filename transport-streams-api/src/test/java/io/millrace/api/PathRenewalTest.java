package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.ends.PathCounters;
import io.millrace.engine.TransportPool;
import io.millrace.event.RecordingEvents;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.net.Verdict;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/**
 * Paths that get new secrets, and peers that lost their secrets, under virtual time; rules K-12,
 * U-1.
 */
final class PathRenewalTest {
  private static final long MS = 1_000_000;
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;

  /** The delay in one direction; a round trip is 1 ms. */
  private static final long DELAY_NS = 500_000;

  private static final long RTT_NS = 2 * DELAY_NS;

  /** The settings of nodes that keep their address after a restart. */
  private static final String SAME_PORT = "millrace.nic.address = \"127.0.0.1:9000\"";

  private static final int SERVER = 0;
  private static final int CLIENT = 1;

  private interface Plan {
    void run(SimulatedCluster nodes) throws Exception;
  }

  private static void run(String settings, Plan plan) throws Exception {
    run(settings, 2, plan);
  }

  private static void run(String settings, int count, Plan plan) throws Exception {
    TransportSettings parsed = SimTransportSettings.parse(settings);
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            plan.run(
                new SimulatedCluster(
                    simulation,
                    count,
                    NetworkSettings.clean(DELAY_NS),
                    null,
                    parsed,
                    new byte[300_000]));
            simulation.check();
            return null;
          }
        });
  }

  private static PathCounters counters(SimulatedCluster nodes, int node) {
    return pool(nodes.cluster.node(node)).port(0).counters();
  }

  private static TransportPool pool(FullNode node) {
    return node.life().pools().getFirst();
  }

  private static CompletableFuture<UnaryResponse> call(
      SimulatedCluster nodes, int client, TransferOptions options) {
    return Raw.unary(
        nodes.peer(client, SERVER), new UnaryRequest(SimulatedCluster.ECHO, new byte[10], options));
  }

  private static CompletableFuture<UnaryResponse> call(SimulatedCluster nodes) {
    return call(nodes, CLIENT, TransferOptions.DEFAULTS);
  }

  @Test
  void shouldRenewSecretsBesideTransfersWithoutLosingAPacket() throws Exception {
    run(
        "millrace.handshake.renew-every = 20 ms",
        nodes -> {
          RecordingEvents events = new RecordingEvents(1_000);
          nodes.transport(CLIENT).subscribe(events);
          nodes.await(call(nodes), SECOND_NS);
          long lost = counters(nodes, CLIENT).packetsLost;
          List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
          for (int i = 0; i < 300; i++) {
            calls.add(call(nodes));
            nodes.simulation.runFor(MS);
          }
          for (CompletableFuture<UnaryResponse> each : calls) {
            assertEquals(10, nodes.await(each, SECOND_NS).payload().length);
          }
          for (int node : List.of(SERVER, CLIENT)) {
            PathCounters counters = counters(nodes, node);
            assertTrue(counters.pathsRenewed >= 10, "renewals: " + counters.pathsRenewed);
            assertEquals(0, counters.datagramsDropped);
            assertEquals(0, counters.packetsLost - (node == CLIENT ? lost : 0));
          }
          assertEquals(counters(nodes, CLIENT).pathsRenewed, events.count("PathRenewed"));
        });
  }

  @Test
  void shouldRenewASecretWhileAnswersArePutIntoRegions() throws Exception {
    run(
        "millrace.handshake.renew-every = 20 ms",
        nodes -> {
          for (int i = 0; i < 60; i++) {
            byte[] body = new byte[100_000];
            body[i] = 1;
            UnaryRequest request = UnaryRequest.of(SimulatedCluster.ECHO, body);
            CompletableFuture<UnaryResponse> echo = Raw.unary(nodes.peer(CLIENT, SERVER), request);
            assertArrayEquals(body, nodes.await(echo, SECOND_NS).payload());
          }
          assertTrue(counters(nodes, CLIENT).pathsRenewed >= 2);
        });
  }

  /** A peer that is no longer trusted may send no answer: the path ends all the same. */
  @Test
  void shouldEndAPathWhoseSecretIsNotFollowedInTime() throws Exception {
    run(
        "millrace.handshake.renew-every = 1 s",
        nodes -> {
          nodes.await(call(nodes), SECOND_NS);
          nodes
              .cluster
              .network()
              .plan(
                  packet ->
                      packet.bytes().getByte(0) == PacketHeader.FORM_HANDSHAKE
                          ? Verdict.DROP
                          : Verdict.PASS);
          long brokenNs = nodes.simulation.nowNs();
          while (nodes.simulation.nowNs() - brokenNs < 11 * SECOND_NS) {
            assertEquals(10, nodes.await(call(nodes), SECOND_NS).payload().length);
            nodes.simulation.runFor(100 * MS);
          }
          nodes.simulation.runFor(2 * SECOND_NS);
          CompletableFuture<UnaryResponse> late = call(nodes);
          assertTrue(
              nodes.simulation.runUntil(late::isDone, nodes.simulation.nowNs() + 60 * SECOND_NS));
          Throwable cause = assertThrows(ExecutionException.class, late::get).getCause();
          assertEquals(
              CallOutcome.HANDSHAKE_FAILED, assertInstanceOf(CallException.class, cause).outcome());
          assertEquals(0, counters(nodes, CLIENT).pathsRenewed);
        });
  }

  @Test
  void shouldNoticeARestartByTheNextPacket() throws Exception {
    run(
        SAME_PORT,
        nodes -> {
          RecordingEvents events = new RecordingEvents(1_000);
          nodes.transport(CLIENT).subscribe(events);
          nodes.await(call(nodes), SECOND_NS);
          nodes.crash(SERVER);
          nodes.restart(SERVER);
          long sentNs = nodes.simulation.nowNs();
          CompletableFuture<UnaryResponse> lost = call(nodes);
          CompletableFuture<UnaryResponse> again =
              call(nodes, CLIENT, TransferOptions.DEFAULTS.withIdempotent());
          assertTrue(nodes.simulation.runUntil(lost::isDone, sentNs + SECOND_NS));
          long noticedNs = nodes.simulation.nowNs() - sentNs;
          // One round trip for the unknown packet, a probe timeout without a packet, and two round
          // trips for the handshake with a shared key.
          assertTrue(noticedNs <= 3 * RTT_NS + 5 * RTT_NS, "noticed after " + noticedNs);
          assertReset(lost);
          assertEquals(10, nodes.await(again, 10 * RTT_NS).payload().length);
          assertEquals(1, events.count("PathDoubted"));
        });
  }

  /**
   * More clients than places at the server come one after another: idle paths make room, and a
   * client without a notice finds out with its next call.
   */
  @Test
  void shouldMakeRoomForNewPeersAndTellThoseThatAreForgotten() throws Exception {
    run(
        "millrace.limits.peers = 8",
        10,
        nodes -> {
          nodes.await(call(nodes, 1, TransferOptions.DEFAULTS), SECOND_NS);
          nodes.cluster.network().cut(SERVER, 1);
          for (int client = 2; client < 10; client++) {
            nodes.simulation.runFor(11 * SECOND_NS / 10);
            nodes.await(call(nodes, client, TransferOptions.DEFAULTS), SECOND_NS);
          }
          nodes.cluster.network().healAll();
          long sentNs = nodes.simulation.nowNs();
          CompletableFuture<UnaryResponse> lost = call(nodes, 1, TransferOptions.DEFAULTS);
          assertTrue(nodes.simulation.runUntil(lost::isDone, sentNs + SECOND_NS));
          long noticedNs = nodes.simulation.nowNs() - sentNs;
          assertTrue(noticedNs <= 4 * RTT_NS, "noticed after " + noticedNs);
          assertReset(lost);
          assertEquals(
              10,
              nodes.await(call(nodes, 1, TransferOptions.DEFAULTS), SECOND_NS).payload().length);
        });
  }

  private static void assertReset(CompletableFuture<UnaryResponse> lost) {
    Throwable cause = assertThrows(ExecutionException.class, lost::get).getCause();
    assertEquals(CallOutcome.PEER_RESET, assertInstanceOf(CallException.class, cause).outcome());
  }

  /**
   * The peer's endpoint has another address since then: the network reports no receiver at the old
   * address.
   */
  @Test
  void shouldAskAPeerWhoseEndpointIsGone() throws Exception {
    run(
        "",
        nodes -> {
          nodes.await(call(nodes), SECOND_NS);
          nodes.crash(SERVER);
          nodes.restart(SERVER);
          long sentNs = nodes.simulation.nowNs();
          CompletableFuture<UnaryResponse> lost = call(nodes);
          assertTrue(nodes.simulation.runUntil(lost::isDone, sentNs + SECOND_NS));
          long noticedNs = nodes.simulation.nowNs() - sentNs;
          assertTrue(noticedNs <= 3 * RTT_NS + RTT_NS / 2, "noticed after " + noticedNs);
          assertReset(lost);
        });
  }
}
