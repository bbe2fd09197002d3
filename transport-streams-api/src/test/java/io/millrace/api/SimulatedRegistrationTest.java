package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.body.ArraySource;
import io.millrace.ends.PathCounters;
import io.millrace.event.RecordingEvents;
import io.millrace.event.SubscriptionOptions;
import io.millrace.path.region.WorkerRegions;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.FabricObserver;
import io.millrace.testkit.internal.fabric.SimFabric;
import io.millrace.testkit.internal.fabric.WriteView;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.RateSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Nodes of a fabric whose system registers less memory than wanted: bodies arrive intact, the node
 * tells the lack once, and one-sided writes go on as soon as the system registers memory again.
 */
@Timeout(60)
final class SimulatedRegistrationTest {
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final long DELAY_NS = 10_000;
  private static final int BULK_BYTES = 300_001;
  private static final byte[] PAYLOAD = BodyTest.random(BULK_BYTES, 1);
  private static final String SMALL_STRETCHES =
      "millrace.transfers.registration.stretch = 64 KiB\n";
  private static final int STRETCH_BYTES = 64 << 10;
  private static final int SENDER = 0;
  private static final int RECEIVER = 2;

  private interface Scenario {
    void run(SimulatedCluster nodes, RecordingEvents sender, RecordingEvents receiver)
        throws Exception;
  }

  private static void run(long seed, String overrides, long limitBytes, Scenario scenario)
      throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed)) {
            SimulatedCluster nodes =
                new SimulatedCluster(
                    simulation,
                    3,
                    NetworkSettings.clean(DELAY_NS)
                        .withLink(
                            LinkSettings.clean(DELAY_NS)
                                .withRate(RateSettings.of(100_000_000, Integer.MAX_VALUE))),
                    FabricSettings.DEFAULT,
                    SimTransportSettings.parse(overrides),
                    PAYLOAD,
                    cluster -> cluster.fabric().limitRegistrations(RECEIVER, limitBytes));
            RecordingEvents sender = new RecordingEvents(1_000);
            RecordingEvents receiver = new RecordingEvents(1_000);
            nodes.transport(SENDER).subscribe(sender, SubscriptionOptions.DEFAULTS);
            nodes.transport(RECEIVER).subscribe(receiver, SubscriptionOptions.DEFAULTS);
            scenario.run(nodes, sender, receiver);
            assertEquals(0, fabric(nodes).counters().deregistrationsRefused);
            return null;
          }
        });
  }

  private static SimFabric fabric(SimulatedCluster nodes) {
    return nodes.cluster.fabric();
  }

  private static PathCounters counters(SimulatedCluster nodes, int node) {
    return nodes.transport(node).pool().port(0).counters();
  }

  private static WorkerRegions regions(SimulatedCluster nodes, int node) {
    return Objects.requireNonNull(nodes.transport(node).pool().port(0).regions());
  }

  private static CompletableFuture<BulkReceipt> write(SimulatedCluster nodes, int from, int to) {
    return Raw.bulkWrite(
        nodes.peer(from, to),
        SimulatedCluster.STORE,
        new ArraySource(PAYLOAD, 0, BULK_BYTES),
        TransferOptions.DEFAULTS);
  }

  private static void runFor(SimulatedCluster nodes, long ns) {
    nodes.simulation.runUntil(() -> false, nodes.simulation.nowNs() + ns);
  }

  /** Several bodies at once, and a call; returns the bytes that went by one-sided writes. */
  private static long exchange(SimulatedCluster nodes) throws Exception {
    long before = fabric(nodes).counters().writeBytes;
    nodes.stored.clear();
    List<CompletableFuture<BulkReceipt>> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(write(nodes, SENDER, RECEIVER));
    }
    byte[] answer =
        nodes
            .await(
                Raw.unary(nodes.peer(SENDER, RECEIVER), SimulatedCluster.ECHO, new byte[] {1, 2}),
                60 * SECOND_NS)
            .payload();
    assertArrayEquals(new byte[] {1, 2}, answer);
    for (var each : all) {
      assertEquals(BULK_BYTES, nodes.await(each, 60 * SECOND_NS).bytes());
    }
    assertEquals(all.size(), nodes.stored.size());
    nodes.stored.forEach(each -> assertArrayEquals(PAYLOAD, each.bytes.toByteArray()));
    return fabric(nodes).counters().writeBytes - before;
  }

  @Test
  void shouldSendByChunksWhileSendMemoryIsRefusedAndWriteAgainAfterwards() throws Exception {
    run(
        1,
        SMALL_STRETCHES,
        Long.MAX_VALUE,
        (nodes, sender, receiver) -> {
          fabric(nodes).limitRegistrations(SENDER, 0);
          assertEquals(0, exchange(nodes));
          runFor(nodes, 5 * SECOND_NS);
          assertEquals(0, exchange(nodes));
          assertEquals(1, sender.count("RegistrationRefused"), sender.lines().toString());
          String line =
              sender.lines().stream()
                  .filter(each -> each.startsWith("RegistrationRefused "))
                  .findFirst()
                  .orElseThrow();
          assertTrue(line.contains("memory=send buffers cause=limit of locked memory"), line);
          assertTrue(line.contains("millrace.transfers.registration.bytes"), line);
          assertEquals(1, sender.count("ResourceMissing"), sender.lines().toString());
          assertTrue(counters(nodes, SENDER).stretchesRefused >= 2, "it was tried again");

          fabric(nodes).limitRegistrations(SENDER, Long.MAX_VALUE);
          runFor(nodes, 60 * SECOND_NS);
          assertTrue(exchange(nodes) > 3L * BULK_BYTES);
          assertEquals(1, sender.count("RegistrationRestored"), sender.lines().toString());
          assertEquals(4L * BULK_BYTES, exchange(nodes) / BULK_BYTES * BULK_BYTES);
          assertEquals(1, sender.count("RegistrationRefused"), sender.lines().toString());
        });
  }

  /** The system has room for a few stretches: bodies go partly by writes, partly by chunks. */
  @Test
  void shouldSendEachBodyIntactWhileSomeSendMemoryIsRegistered() throws Exception {
    run(
        1,
        SMALL_STRETCHES,
        Long.MAX_VALUE,
        (nodes, sender, receiver) -> {
          long regionBytes = fabric(nodes).registeredBytes(SENDER);
          fabric(nodes).limitRegistrations(SENDER, regionBytes + 2 * STRETCH_BYTES);
          long written = exchange(nodes);
          assertTrue(written > 0 && written < 4L * BULK_BYTES, written + " bytes were written");
          assertEquals(1, sender.count("RegistrationRefused"), sender.lines().toString());
          assertEquals(0, sender.count("RegistrationRestored"), sender.lines().toString());
        });
  }

  /** Refusals in the middle of the load, met by fills that are written in part. */
  @Test
  void shouldEndTheModeOfFewRefusalsUnderLoad() throws Exception {
    int rounds = 4;
    run(
        1,
        SMALL_STRETCHES + "millrace.transfers.registration.stretches = 3\n",
        Long.MAX_VALUE,
        (nodes, sender, receiver) -> {
          int[] left = new int[1];
          fabric(nodes)
              .observe(
                  new FabricObserver() {
                    @Override
                    public void onPosted(WriteView write, long nowNs) {
                      if (--left[0] == 0) {
                        fabric(nodes).refuseRegistrations(SENDER, 2);
                      }
                    }
                  });
          for (int round = 0; round < rounds; round++) {
            left[0] = 4 + 3 * round;
            exchange(nodes);
            runFor(nodes, 60 * SECOND_NS);
            fabric(nodes).refuseRegistrations(SENDER, 0);
            exchange(nodes);
          }
          assertEquals(rounds, sender.count("RegistrationRefused"), sender.lines().toString());
          assertEquals(rounds, sender.count("RegistrationRestored"), sender.lines().toString());
          assertEquals(0, fabric(nodes).counters().latePieces);
        });
  }

  @Test
  void shouldKeepWithinTheBoundsAndNeverEndARegistrationInUse() throws Exception {
    run(
        1,
        SMALL_STRETCHES + "millrace.transfers.registration.stretches = 2\n",
        Long.MAX_VALUE,
        (nodes, sender, receiver) -> {
          long regionBytes = fabric(nodes).registeredBytes(SENDER);
          long[] most = new long[1];
          fabric(nodes)
              .observe(
                  new FabricObserver() {
                    @Override
                    public void onPosted(WriteView write, long nowNs) {
                      most[0] = Math.max(most[0], fabric(nodes).registeredBytes(SENDER));
                    }
                  });
          assertEquals(4L * BULK_BYTES, exchange(nodes) / BULK_BYTES * BULK_BYTES);
          assertTrue(counters(nodes, SENDER).stretchesEvicted > 4, "the bound was met");
          assertEquals(0, counters(nodes, SENDER).stretchesRefused);
          assertTrue(most[0] <= regionBytes + 2 * STRETCH_BYTES, most[0] - regionBytes + " bytes");
          assertEquals(0, sender.count("RegistrationRefused"), sender.lines().toString());
        });
  }

  /** Only some regions are registered from the start on. */
  @Test
  void shouldTakeChunksIntoRegionsThatAreNotRegisteredAndWritesAfterwards() throws Exception {
    run(
        1,
        SMALL_STRETCHES,
        2 * STRETCH_BYTES,
        (nodes, sender, receiver) -> {
          assertEquals(2, fabric(nodes).registrations(RECEIVER));
          long written = exchange(nodes);
          assertTrue(written < 4L * BULK_BYTES, written + " bytes were written");
          fabric(nodes).limitRegistrations(RECEIVER, Long.MAX_VALUE);
          runFor(nodes, 60 * SECOND_NS);
          int all = regions(nodes, RECEIVER).pool().regionCount();
          assertEquals(all, fabric(nodes).registrations(RECEIVER));
          assertEquals(1, receiver.count("RegistrationRestored"), receiver.lines().toString());
          assertEquals(4L * BULK_BYTES, exchange(nodes) / BULK_BYTES * BULK_BYTES);
        });
  }

  /** A peer that uses its regions without a pause gives none back by itself. */
  @Test
  void shouldWriteIntoTheRegionsOfABusyPeerAgain() throws Exception {
    run(
        1,
        SMALL_STRETCHES,
        0,
        (nodes, sender, receiver) -> {
          assertEquals(0, exchange(nodes));
          fabric(nodes).limitRegistrations(RECEIVER, Long.MAX_VALUE);
          long endNs = nodes.simulation.nowNs() + 10 * SECOND_NS;
          long written = 0;
          while (nodes.simulation.nowNs() - endNs < 0 && written < 4L * BULK_BYTES) {
            written = exchange(nodes);
          }
          assertTrue(written >= 4L * BULK_BYTES, written + " bytes were written");
          assertEquals(1, receiver.count("RegistrationRestored"), receiver.lines().toString());
        });
  }
}
