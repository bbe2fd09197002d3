package io.millrace.api;

import static io.millrace.api.NicNodes.MILLI_NS;
import static io.millrace.api.NicNodes.SECOND_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.path.peer.PeerPath;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.FabricCounters;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NicState;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Send rates of a node's NICs, under virtual time. */
final class NicRatesSimulationTest {
  private static final RouteId STORE = RouteId.of("store");
  private static final NetworkSettings FAST = NetworkSettings.clean(50_000);
  private static final byte[] BODY = new byte[8_000_000];
  private static final int SERVERS = 6;
  private static final long SETTLING_NS = 200 * MILLI_NS;
  private static final double MEGABIT = 1e6;
  private static final List<String> UNEQUAL =
      List.of("send-rate = 100 Mbit/s", "send-rate = 40 Mbit/s");

  private static void writeForever(NicNodes nodes, int server) {
    Raw.serveBulkWrites(
        nodes.server(server),
        STORE,
        offer -> CompletableFuture.completedFuture(new BodyTest.Collector()));
    var _ =
        Raw.bulkWrite(
            nodes.peer(server),
            STORE,
            new ArraySource(BODY, 0, BODY.length),
            TransferOptions.DEFAULTS);
  }

  /** The rate at which the first node sends through a NIC during a time, Mbit/s. */
  private static double[] measure(NicNodes nodes, long ns) {
    nodes.pass(SETTLING_NS);
    long first = nodes.bytesOf(0);
    long second = nodes.bytesOf(1);
    nodes.pass(ns);
    double bits = Byte.SIZE * (SECOND_NS / (double) ns) / MEGABIT;
    return new double[] {(nodes.bytesOf(0) - first) * bits, (nodes.bytesOf(1) - second) * bits};
  }

  private static void assertFilled(double rate, double sent) {
    assertTrue(sent >= 0.97 * rate && sent <= 1.01 * rate, sent + " of " + rate);
  }

  private static void run(List<String> entries, NicNodes.Body body) throws Exception {
    NicNodes.run(FAST, SERVERS, entries, "", body);
  }

  @Test
  void shouldFillEachNicAtItsOwnRateAndTheSurvivorAtItsRateAfterAFailover() throws Exception {
    run(
        UNEQUAL,
        nodes -> {
          for (int server = 1; server <= SERVERS; server++) {
            writeForever(nodes, server);
          }
          double[] both = measure(nodes, SETTLING_NS);
          assertFilled(100, both[0]);
          assertFilled(40, both[1]);

          nodes.nic(0, 0, NicState.DOWN);
          double[] survivor = measure(nodes, SETTLING_NS);
          assertEquals(0, survivor[0]);
          assertFilled(40, survivor[1]);
          assertTrue(nodes.rateWaits() > 0);
        });
  }

  /** Rule N-11: queues of 10 ms and of 40 ms. */
  @Test
  void shouldTellPeersOfTheQueueOfTheNicInUseAndKeepToItsLink() throws Exception {
    run(
        List.of(
            "bandwidth = 100 Mbit/s, queue = 125000",
            "workers = 0, bandwidth = 50 Mbit/s, queue = 250000"),
        nodes -> {
          nodes.await(Raw.unary(nodes.peer(1), NicNodes.ECHO, new byte[1]));
          Peer caller = nodes.server(1).peer(SimCluster.handshakeAddress(0));
          long callerNs = ackDelayNs(nodes.peer(1));
          long serverNs = ackDelayNs(caller);
          long limit = limitBytes(nodes);
          assertTrue(limit >= 125_000 * 7 / 8 && limit < 125_000, "budget of " + limit);

          nodes.nic(1, 0, NicState.DOWN);
          nodes.pass(SETTLING_NS);
          assertEquals(60 * MILLI_NS, ackDelayNs(nodes.peer(1)) - callerNs);
          assertEquals(60 * MILLI_NS, ackDelayNs(caller) - serverNs);
          limit = limitBytes(nodes);
          assertTrue(limit >= 250_000 * 7 / 8 && limit < 250_000, "budget of " + limit);
        });
  }

  private static long ackDelayNs(Peer peer) {
    PeerPath path = Objects.requireNonNull(peer.handle().link().path());
    return path.recovery().rtt().maxAckDelayNs();
  }

  private static long limitBytes(NicNodes nodes) {
    return Objects.requireNonNull(nodes.server(1).pool().port(0).regions()).budget().limitBytes();
  }

  @Test
  void shouldKeepOneSidedWritesWithinTheRateAndReachIt() throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            SimulatedCluster nodes =
                new SimulatedCluster(
                    simulation,
                    2,
                    FAST,
                    FabricSettings.DEFAULT,
                    SimTransportSettings.parse("millrace.nic.send-rate = 80 Mbit/s"),
                    BODY);
            var _ =
                Raw.bulkWrite(
                    nodes.peer(0, 1),
                    SimulatedCluster.STORE,
                    new ArraySource(BODY, 0, BODY.length),
                    TransferOptions.DEFAULTS);
            simulation.runUntil(() -> false, simulation.nowNs() + SETTLING_NS);
            FabricCounters counters = nodes.cluster.fabric().counters();
            long before = counters.writeBytes;
            simulation.runUntil(() -> false, simulation.nowNs() + SECOND_NS / 2);
            assertFilled(80, (counters.writeBytes - before) * 2 * Byte.SIZE / MEGABIT);
          }
          return null;
        });
  }

  @Test
  void shouldLendThePartOfAnIdleWorker() throws Exception {
    run(
        List.of("workers = 3, send-rate = 60 Mbit/s"),
        nodes -> {
          writeForever(nodes, 1);
          assertFilled(60, measure(nodes, SETTLING_NS)[0]);
          for (int server = 2; server <= SERVERS; server++) {
            writeForever(nodes, server);
          }
          assertFilled(60, measure(nodes, SETTLING_NS)[0]);
        });
  }
}
