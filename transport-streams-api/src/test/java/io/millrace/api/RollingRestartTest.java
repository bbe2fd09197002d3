package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ends.FailureText;
import io.millrace.node.DrainReport;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Three nodes are drained, closed and started again, one after the other and twice. Meanwhile a
 * fourth node calls the three nodes, and their handlers call each other. Each call is executed
 * exactly once; a failed attempt was not executed, and its outcome confirms this.
 */
@Timeout(180)
class RollingRestartTest {
  private static final int NODES = 3;
  private static final int ROUNDS = 2;
  private static final int AT_ONCE = 16;
  private static final int CALLS_BETWEEN = 300;
  private static final RouteId RELAY = RouteId.of("relay");
  private static final RouteId WORK = RouteId.of("work");
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** The outcomes of calls that were not executed. */
  private static final Set<CallOutcome> RETRY =
      EnumSet.of(
          CallOutcome.SHUTTING_DOWN,
          CallOutcome.HANDSHAKE_FAILED,
          CallOutcome.UNKNOWN_ROUTE,
          // The outcome after the loss of both copies of PathClose: the call was not sent.
          CallOutcome.PEER_UNREACHABLE);

  /** The place of the nodes: sockets or a simulation. */
  private interface Fleet {
    /** Starts a node, or starts the node again at its address. */
    Transport start(int node) throws Exception;

    void await(String what, BooleanSupplier condition);
  }

  /** The calls and their results. */
  private static final class Load {
    private final AtomicReferenceArray<Transport> nodes = new AtomicReferenceArray<>(NODES + 1);
    private final String[] addresses = new String[NODES];
    private final Set<Long> worked = ConcurrentHashMap.newKeySet();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger retried = new AtomicInteger();
    private volatile boolean isOver;

    void serve(int node, Transport transport) {
      Raw.serve(
          transport,
          WORK,
          call -> {
            if (!worked.add(ByteBuffer.wrap(call.payload()).getLong())) {
              wrong.add("executed twice");
            }
            return CompletableFuture.completedFuture(UnaryResponse.of(call.payload()));
          });
      Raw.serve(
          transport,
          RELAY,
          call -> call(transport, WORK, call.payload(), (node + 1) % NODES, NODES * 4));
      if (node < NODES) {
        addresses[node] = transport.address();
      }
      nodes.set(node, transport);
    }

    /** Calls one node after the other until a node takes the call. */
    private CompletableFuture<UnaryResponse> call(
        Transport from, RouteId route, byte[] payload, int to, int tries) {
      return Raw.unary(from.peer(addresses[to]), route, payload)
          .exceptionallyCompose(
              failure -> {
                CallOutcome outcome = ((CallException) FailureText.cause(failure)).outcome();
                if (!RETRY.contains(outcome)) {
                  wrong.add(route.name() + " ended with " + failure);
                }
                if (tries == 0 || !RETRY.contains(outcome)) {
                  return CompletableFuture.failedFuture(failure);
                }
                retried.incrementAndGet();
                return call(from, route, payload, (to + 1) % NODES, tries - 1);
              });
    }

    void next() {
      if (isOver) {
        return;
      }
      long id = begun.incrementAndGet();
      byte[] payload = new byte[id % 50 == 0 ? 40_000 : 100];
      ByteBuffer.wrap(payload).putLong(id);
      var _ =
          call(nodes.get(NODES), RELAY, payload, (int) (id % NODES), NODES * 4)
              .whenComplete(
                  (answer, failure) -> {
                    if (failure != null || !Arrays.equals(payload, answer.payload())) {
                      wrong.add("call " + id + ": " + failure);
                    }
                    ended.incrementAndGet();
                    next();
                  });
    }
  }

  private static void run(Fleet fleet) throws Exception {
    Load load = new Load();
    for (int node = 0; node <= NODES; node++) {
      load.serve(node, fleet.start(node));
    }
    for (int i = 0; i < AT_ONCE; i++) {
      load.next();
    }
    for (int i = 0; i < NODES * ROUNDS; i++) {
      int seen = load.ended.get();
      fleet.await("calls between restarts", () -> load.ended.get() >= seen + CALLS_BETWEEN);
      restart(fleet, load, i % NODES);
    }
    int seen = load.ended.get();
    fleet.await("calls at the end", () -> load.ended.get() >= seen + CALLS_BETWEEN);
    load.isOver = true;
    fleet.await("the last calls", () -> load.ended.get() == load.begun.get());
    assertEquals(List.of(), List.copyOf(load.wrong));
    assertEquals(load.begun.get(), load.worked.size());
    assertTrue(load.retried.get() > 0, "no restart met a call");
    for (int node = NODES; node >= 0; node--) {
      load.nodes.get(node).close();
    }
  }

  private static void restart(Fleet fleet, Load load, int node) throws Exception {
    Transport leaving = load.nodes.get(node);
    CompletableFuture<DrainReport> drained = leaving.drain(LIMIT).toCompletableFuture();
    fleet.await("drain", drained::isDone);
    assertTrue(drained.join().isComplete(), () -> "left: " + drained.join());
    leaving.close();
    load.serve(node, fleet.start(node));
  }

  @Test
  void shouldLoseNoCallUnderVirtualTime() throws Exception {
    for (long seed = 1; seed <= 4; seed++) {
      runSimulated(seed, NetworkSettings.clean(50_000));
    }
  }

  /** Retransmitted requests arrive when no other transfer is left. */
  @Test
  void shouldLoseNoCallWherePacketsAreLost() throws Exception {
    NetworkSettings far = NetworkSettings.clean(5_000_000);
    LossSettings loss = LossSettings.random(40_000);
    for (long seed = 1; seed <= 8; seed++) {
      runSimulated(seed, far.withLink(far.link().withLoss(loss)));
    }
  }

  private static void runSimulated(long seed, NetworkSettings network) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(seed)) {
            FullCluster cluster = new FullCluster(simulation, network);
            cluster.add(NODES + 1, NodeSettings.DEFAULT);
            run(new SimulatedFleet(simulation, cluster));
            simulation.check();
            return null;
          }
        });
  }

  private record SimulatedFleet(Simulation simulation, FullCluster cluster) implements Fleet {
    @Override
    public Transport start(int number) {
      FullNode node = cluster.node(number);
      if (node.isUp()) {
        node.stop();
      }
      node.boot();
      return Transport.builder(SimCluster.settings(number, SimTransportSettings.parse("")))
          .environment(node.environment())
          .start();
    }

    @Override
    public void await(String what, BooleanSupplier condition) {
      assertTrue(
          simulation.runUntil(condition, simulation.nowNs() + TimeUnit.SECONDS.toNanos(100)), what);
    }
  }

  @Test
  void shouldLoseNoCallOverSockets() throws Exception {
    run(new SocketFleet(new ArrayList<>(List.of("", "", "", ""))));
  }

  private record SocketFleet(List<String> addresses) implements Fleet {
    @Override
    public Transport start(int node) {
      String listen = addresses.get(node);
      String overrides = listen.isEmpty() ? "" : "millrace.handshake.listen = \"" + listen + "\"\n";
      Transport started = Transport.start(TwoNodes.settings(overrides));
      addresses.set(node, started.address());
      return started;
    }

    @Override
    public void await(String what, BooleanSupplier condition) {
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
      while (!condition.getAsBoolean()) {
        assertTrue(System.nanoTime() < endNs, what);
        LockSupport.parkNanos(TwoNodes.LOOK_AGAIN_NS);
      }
    }
  }
}
