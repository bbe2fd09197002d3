package io.millrace.api;

import static io.millrace.api.NicNodes.ECHO;
import static io.millrace.api.NicNodes.MILLI_NS;
import static io.millrace.api.NicNodes.SECOND_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.event.RecordingEvents;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Nodes of which a NIC has an address that leads each node to itself, under virtual time. */
final class SharedBridgeSimulationTest {
  private static final NetworkSettings FAST = NetworkSettings.clean(50_000);

  /** All workers are of the first NIC, so the first NICs of both sides are the best rail. */
  private static List<String> entries(int port) {
    return List.of("workers = 1, address = \"127.0.0.1:%d\"".formatted(port), "workers = 0");
  }

  /** Rule N-12: nothing is sent by the first NICs, which both hosts have under one address. */
  @Test
  void shouldUseNoAddressThatBothHostsHave() throws Exception {
    NicNodes.run(
        FAST,
        1,
        node -> entries(0),
        "",
        cluster -> {
          cluster.network().nic(0, 0).makeBridge();
          cluster.network().nic(1, 0).makeBridge();
        },
        nodes -> {
          nodes.calls(100, MILLI_NS);

          assertEquals(List.of(), nodes.failures, nodes::figures);
          assertEquals(0, nodes.bytesOf(0), nodes::figures);
          assertEquals(0, nodes.moves(), nodes::figures);
        });
  }

  /** Each address leads to oneself. */
  @Test
  void shouldSayThatNoAddressLeadsToThePeer() throws Exception {
    NicNodes.run(
        FAST,
        1,
        node -> List.of(""),
        "",
        cluster -> {
          cluster.network().nic(0, 0).makeBridge();
          cluster.network().nic(1, 0).makeBridge();
        },
        nodes -> {
          CallException failure = nodes.failureOf(Raw.unary(nodes.peer(1), ECHO, new byte[100]));

          assertEquals(CallOutcome.HANDSHAKE_FAILED, failure.outcome());
          String text = String.valueOf(failure.getMessage());
          assertTrue(text.contains("is an address of this host, too"), text);
        });
  }

  /**
   * The caller does not know that the server's first address is its own, too: nobody listens there.
   * The path leaves this rail at once, and the server is not given up.
   */
  @Test
  void shouldLeaveARailThatTheNetworkRefuses() throws Exception {
    NicNodes.run(
        FAST,
        1,
        node -> entries(9_000 + 100 * node),
        "",
        cluster -> cluster.network().nic(1, 0).makeBridge(),
        nodes -> {
          RecordingEvents events = new RecordingEvents(1_000);
          nodes.caller().subscribe(events);
          nodes.calls(400, MILLI_NS / 4);

          assertEquals(List.of(), nodes.failures, nodes::figures);
          assertTrue(nodes.longestNs < 20 * MILLI_NS, nodes::figures);
          assertTrue(nodes.bytesOf(1) > nodes.bytesOf(0), nodes::figures);
          assertEquals(1, nodes.moves(), nodes::figures);
          assertTrue(events.count("PeerUnreachable") > 0, () -> events.lines().toString());
          assertEquals(0, events.count("PathDoubted"), () -> events.lines().toString());
          assertEquals(0, events.count("PeerHealth"), () -> events.lines().toString());

          nodes.pass(SECOND_NS);
          nodes.calls(4, MILLI_NS);
          assertEquals(List.of(), nodes.failures, nodes::figures);
        });
  }

  /** The network refuses the packets of a dead process by each rail; silence would last longer. */
  @Test
  void shouldGiveAPeerUpWhenEachRailIsRefused() throws Exception {
    NicNodes.run(
        FAST,
        1,
        node -> List.of("", ""),
        "",
        network -> {},
        nodes -> {
          nodes.calls(100, MILLI_NS);
          assertEquals(List.of(), nodes.failures, nodes::figures);
          CompletableFuture<?> underWay = Raw.unary(nodes.peer(1), ECHO, new byte[100]);
          nodes.cluster.node(1).crash();
          long startNs = nodes.simulation.nowNs();
          CallException failure = nodes.failureOf(underWay);

          assertEquals(CallOutcome.PEER_UNRESPONSIVE, failure.outcome());
          String text = String.valueOf(failure.getMessage());
          assertTrue(text.contains("the network refuses its packets"), text);
          assertEquals(3, nodes.moves(), nodes::figures);
          long tookNs = nodes.simulation.nowNs() - startNs;
          assertTrue(tookNs < 100 * MILLI_NS, () -> tookNs / MILLI_NS + " ms");
        });
  }
}
