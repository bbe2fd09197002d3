package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ends.PathCounters;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.FabricCounters;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Small packets written into slots of the peer, over a simulated fabric. */
@Timeout(60)
final class PacketSlotsTest {
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final long DELAY_NS = 10_000;
  private static final int CALLS = 100;
  private static final String SLOTS = "millrace.regions.packet-slots = 8";

  /** The counts of a run. */
  private record Counts(
      long written, long failed, long rejected, long messages, long fabricWrites, String hash) {}

  private interface Scenario {
    void run(SimulatedCluster nodes) throws Exception;
  }

  private static Counts run(int lossPpm, String overrides, Scenario scenario) throws Exception {
    LinkSettings link = LinkSettings.clean(DELAY_NS).withLoss(LossSettings.random(lossPpm));
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            SimulatedCluster nodes =
                new SimulatedCluster(
                    simulation,
                    2,
                    NetworkSettings.clean(DELAY_NS).withLink(link),
                    FabricSettings.DEFAULT,
                    SimTransportSettings.parse(overrides),
                    new byte[1]);
            scenario.run(nodes);
            return counts(nodes);
          }
        });
  }

  private static Counts counts(SimulatedCluster nodes) {
    FabricCounters fabric = nodes.cluster.fabric().counters();
    long written = 0;
    long failed = 0;
    long rejected = 0;
    for (int node = 0; node < 2; node++) {
      PathCounters counters = nodes.transport(node).pool().port(0).counters();
      written += counters.packetsWritten;
      failed += counters.packetWritesFailed;
      rejected += counters.immediatesRejected;
    }
    String hash = nodes.simulation.trace().hex();
    return new Counts(written, failed, rejected, fabric.messages, fabric.writes, hash);
  }

  private static void callOneByOne(SimulatedCluster nodes) throws Exception {
    for (int i = 0; i < CALLS; i++) {
      byte[] payload = BodyTest.random(i, i);
      UnaryResponse answer =
          nodes.await(Raw.unary(nodes.peer(0, 1), SimulatedCluster.ECHO, payload), 10 * SECOND_NS);
      assertArrayEquals(payload, answer.payload());
    }
  }

  @Test
  void shouldWriteSmallPacketsInPlaceOfMessages() throws Exception {
    Counts sent = run(0, "", PacketSlotsTest::callOneByOne);
    Counts written = run(0, SLOTS, PacketSlotsTest::callOneByOne);

    assertEquals(0, sent.written());
    assertEquals(0, sent.fabricWrites());
    // A request and an answer for each call, but for the packets before the first acknowledgement.
    assertTrue(written.written() > 3 * CALLS / 2, written.toString());
    assertEquals(written.written(), written.fabricWrites());
    assertTrue(written.messages() < sent.messages() - CALLS, sent + ", " + written);
    assertEquals(0, written.rejected());
    assertEquals(0, written.failed());
  }

  @Test
  @Tag("soak")
  void shouldHaveOneTraceForEachSeed() throws Exception {
    assertEquals(
        run(20_000, SLOTS, PacketSlotsTest::callOneByOne),
        run(20_000, SLOTS, PacketSlotsTest::callOneByOne));
  }

  @Test
  @Tag("soak")
  void shouldAnswerManyCallsAtOnceWithFewerSlotsThanPackets() throws Exception {
    Counts counts =
        run(
            0,
            "millrace.regions.packet-slots = 1",
            nodes -> {
              List<CompletableFuture<UnaryResponse>> calls =
                  IntStream.range(0, CALLS)
                      .mapToObj(
                          i ->
                              Raw.unary(nodes.peer(0, 1), SimulatedCluster.ECHO, new byte[i])
                                  .toCompletableFuture())
                      .toList();
              for (int i = 0; i < CALLS; i++) {
                assertEquals(i, nodes.await(calls.get(i), 10 * SECOND_NS).payload().length);
              }
            });
    assertTrue(counts.written() > 0);
    assertEquals(0, counts.rejected());
  }
}
