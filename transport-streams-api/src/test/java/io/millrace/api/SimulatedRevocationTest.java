package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.body.ArraySource;
import io.millrace.ends.PathCounters;
import io.millrace.event.EventKind;
import io.millrace.event.EventText;
import io.millrace.event.SubscriptionOptions;
import io.millrace.path.region.WorkerRegions;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions revoked from senders, between whole transports. */
@Timeout(120)
class SimulatedRevocationTest {
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final long MS = 1_000_000;
  private static final int RECEIVER = 2;
  private static final byte[] LONG = BodyTest.random(4_000_000, 1);
  private static final byte[] SHORT = BodyTest.random(100_000, 2);

  private static final byte[] TINY = BodyTest.random(5_000, 3);

  /** Counts the events of each kind. */
  private static final class Counting extends EventText {
    private final Map<EventKind, Long> counts = new EnumMap<>(EventKind.class);

    @Override
    protected void onEvent(EventKind kind, String text) {
      counts.merge(kind, 1L, Long::sum);
    }

    private long of(EventKind kind) {
      return counts.getOrDefault(kind, 0L);
    }
  }

  private interface Scenario {
    void run(SimulatedCluster nodes) throws Exception;
  }

  /** Runs a scenario with two senders and a receiver with a few regions of 64 KiB. */
  private static void run(long delayNs, int regions, String overrides, Scenario scenario)
      throws Exception {
    String settings =
        "millrace.regions { sizes = [64 KiB], counts = [%d], grant-budget = 1 MiB, reserve = 0 }\n"
            .formatted(regions);
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            scenario.run(
                new SimulatedCluster(
                    simulation,
                    3,
                    NetworkSettings.clean(delayNs),
                    null,
                    SimTransportSettings.parse(settings + overrides),
                    new byte[0]));
          }
          return null;
        });
  }

  private static CompletableFuture<BulkReceipt> write(
      SimulatedCluster nodes, int from, byte[] payload) {
    return Raw.bulkWrite(
        nodes.peer(from, RECEIVER),
        SimulatedCluster.STORE,
        new ArraySource(payload, 0, payload.length),
        TransferOptions.DEFAULTS);
  }

  private static WorkerRegions regions(SimulatedCluster nodes) {
    return Objects.requireNonNull(nodes.transport(RECEIVER).pool().port(0).regions());
  }

  private static PathCounters received(SimulatedCluster nodes) {
    return nodes.transport(RECEIVER).pool().port(0).counters();
  }

  private static void runFor(SimulatedCluster nodes, long ns) {
    nodes.simulation.runUntil(() -> false, nodes.simulation.nowNs() + ns);
  }

  /** A begun fill would keep the only region until the path fails. */
  @Test
  void shouldTakeTheRegionsOfAPeerThatDoesNotAnswerAtOnce() throws Exception {
    run(
        10 * MS,
        1,
        "",
        nodes -> {
          Counting events = new Counting();
          nodes.transport(RECEIVER).subscribe(events, SubscriptionOptions.DEFAULTS.withData());
          CompletableFuture<BulkReceipt> silent = write(nodes, 0, LONG);
          assertTrue(
              nodes.simulation.runUntil(
                  () -> received(nodes).fillsConsumed == 1 && regions(nodes).busyRegions() == 1,
                  SECOND_NS));
          nodes.cluster.network().cut(0, RECEIVER);
          nodes.cluster.network().cut(RECEIVER, 0);
          long startNs = nodes.simulation.nowNs();
          assertEquals(SHORT.length, nodes.await(write(nodes, 1, SHORT), SECOND_NS).bytes());
          long tookNs = nodes.simulation.nowNs() - startNs;
          assertTrue(tookNs > 250 * MS && tookNs < 700 * MS, tookNs + " ns");
          assertFalse(silent.isDone());
          nodes.cluster.network().healAll();
          assertEquals(LONG.length, nodes.await(silent, 10 * SECOND_NS).bytes());
          assertStored(nodes, LONG);
          assertStored(nodes, SHORT);
          runFor(nodes, SECOND_NS);
          assertTrue(received(nodes).tokensRevoked > 0 && received(nodes).grantsExhausted > 0);
          assertEquals(received(nodes).tokensRevoked, events.of(EventKind.TOKEN_REVOKED));
          assertEquals(received(nodes).grantsExhausted, events.of(EventKind.GRANTS_EXHAUSTED));
        });
  }

  private static void assertStored(SimulatedCluster nodes, byte[] payload) {
    List<byte[]> all = nodes.stored.stream().map(each -> each.bytes.toByteArray()).toList();
    byte[] same =
        all.stream().filter(each -> each.length == payload.length).findFirst().orElseThrow();
    assertArrayEquals(payload, same);
  }

  /** The node asks a peer without traffic, and the peer answers. */
  @Test
  void shouldLeaveAPeerThatAnswersItsRegions() throws Exception {
    run(
        60 * MS,
        8,
        "millrace.regions { idle-revoke = 20 s, idle-timeout = 60 s }",
        nodes -> {
          nodes.await(write(nodes, 0, SHORT), 10 * SECOND_NS);
          long held = regions(nodes).grantedBytes();
          assertTrue(held > 0);
          runFor(nodes, 25 * SECOND_NS);
          assertEquals(held, regions(nodes).grantedBytes());
          assertEquals(0, received(nodes).tokensRevoked);
        });
  }

  /** Senders learn about the revocation of earlier filled regions by other messages. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldDeliverWhetherOrNotSendersAreToldOfVoidTokens(boolean isTold) throws Exception {
    run(
        MS,
        5,
        "millrace.regions { send-revoke = %s, idle-revoke = 1 ms, quarantine = 1 ms }\n"
                .formatted(isTold)
            + "millrace.transfers.prefetch = 256 KiB",
        nodes -> {
          for (int i = 0; i < 60; i++) {
            nodes.await(write(nodes, 0, TINY), 10 * SECOND_NS);
          }
          runFor(nodes, 50 * MS);
          assertTrue(received(nodes).tokensGrantedAhead > 0);
          long before = received(nodes).tokensRevoked;
          nodes.await(write(nodes, 1, LONG), 10 * SECOND_NS);
          assertTrue(received(nodes).tokensRevoked > before, "the other's were taken");
          long rejected = received(nodes).writesRejected;
          List<CompletableFuture<BulkReceipt>> burst = new ArrayList<>();
          for (int i = 0; i < 8; i++) {
            burst.add(write(nodes, 0, TINY));
          }
          for (CompletableFuture<BulkReceipt> each : burst) {
            nodes.await(each, 10 * SECOND_NS);
          }
          assertEquals(isTold, received(nodes).writesRejected == rejected);
          assertEquals(69, nodes.stored.size());
          assertStored(nodes, LONG);
          assertTrue(
              nodes.stored.stream()
                  .map(each -> each.bytes.toByteArray())
                  .allMatch(got -> Arrays.equals(got, LONG) || Arrays.equals(got, TINY)));
        });
  }
}
