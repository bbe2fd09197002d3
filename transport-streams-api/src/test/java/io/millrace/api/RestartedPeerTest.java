package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.engine.TransportPool;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.internal.net.Verdict;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.NodeObserver;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.internal.oracle.Coverage;
import io.millrace.testkit.internal.oracle.FencingOracle;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.PskFinishDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A peer with paths to two workers of a node restarts: rule L-3, under virtual time. */
final class RestartedPeerTest {
  private static final long MS = 1_000_000;
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final long DELAY_NS = 100_000;
  private static final int SERVER = 0;
  private static final int CLIENT = 1;
  private static final int HANDSHAKE_HEADER = 2;
  private static final TransportSettings TWO_WORKERS =
      SimTransportSettings.parse("millrace.workers.count = 2");

  private interface Plan {
    void run(World world) throws Exception;
  }

  /** A server and a client with two workers each, under the rule. */
  private static final class World implements NodeObserver {
    private final Simulation simulation;
    private final SimulatedCluster nodes;
    private final List<FencingOracle> rules = new ArrayList<>();
    private final List<TransportPool> pools = new ArrayList<>();

    private World(Simulation simulation) {
      this.simulation = simulation;
      nodes =
          new SimulatedCluster(
              simulation,
              2,
              NetworkSettings.clean(DELAY_NS),
              null,
              TWO_WORKERS,
              new byte[0],
              cluster -> {
                cluster.observe(this);
                rules.add(new FencingOracle(cluster, new Coverage()));
              });
    }

    @Override
    public void onPoolStarted(NodeLife life, TransportPool pool) {
      pools.add(pool);
    }

    private CompletableFuture<UnaryResponse> call(int from, int to) {
      return Raw.unary(nodes.peer(from, to), SimulatedCluster.ECHO, new byte[10]);
    }

    private void await(CompletableFuture<?> future, long timeoutNs) {
      awaitUntil(future::isDone, timeoutNs);
    }

    private void awaitUntil(BooleanSupplier condition, long timeoutNs) {
      long untilNs = simulation.nowNs() + timeoutNs;
      assertTrue(simulation.runUntil(() -> isKept() && condition.getAsBoolean(), untilNs));
    }

    private boolean isKept() {
      rules.forEach(FencingOracle::onStep);
      return true;
    }

    /** Returns the lives of the client for which a worker of the server has paths. */
    private List<PeerIncarnation> lives(int worker) {
      return pools.getFirst().port(worker).incarnations();
    }

    /**
     * Makes both nodes call at once, so each node has a path of its own, on a worker of its own.
     */
    private void connectBothWorkers() {
      CompletableFuture<UnaryResponse> there = call(CLIENT, SERVER);
      CompletableFuture<UnaryResponse> back = call(SERVER, CLIENT);
      await(there, SECOND_NS);
      await(back, SECOND_NS);
      assertEquals(1, lives(0).size());
      assertEquals(lives(0), lives(1));
    }

    private void restart() {
      nodes.crash(CLIENT);
      nodes.restart(CLIENT);
    }
  }

  private static void run(Plan plan) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            plan.run(new World(simulation));
            simulation.check();
            return null;
          }
        });
  }

  @Test
  void shouldEndThePathsOfAllWorkersAtOnceAndTheirCalls() throws Exception {
    run(
        world -> {
          world.connectBothWorkers();
          PeerIncarnation former = world.lives(0).getFirst();
          world.restart();
          // The next life does not know the path of this call, and tells the caller.
          CompletableFuture<UnaryResponse> lost = world.call(SERVER, CLIENT);

          world.await(world.call(CLIENT, SERVER), 20 * MS);

          assertTrue(lost.isDone());
          Throwable cause = assertThrows(ExecutionException.class, lost::get).getCause();
          CallException failure = assertInstanceOf(CallException.class, cause);
          assertEquals(CallOutcome.PEER_RESET, failure.outcome());
          assertEquals(world.nodes.transport(CLIENT).address() + " restarted", failure.reason());
          List<PeerIncarnation> left = new ArrayList<>(world.lives(0));
          left.addAll(world.lives(1));
          // At most one path of each direction, and all paths to one life.
          assertTrue(left.size() <= 2, left::toString);
          assertEquals(1, Set.copyOf(left).size());
          assertNotEquals(former, left.getFirst());
          CompletableFuture<UnaryResponse> next = world.call(SERVER, CLIENT);
          world.await(next, 20 * MS);
          assertEquals(10, next.get().payload().length);
        });
  }

  /**
   * The client's first life has almost finished its handshake; only the Finish arrives a second
   * late.
   */
  @Test
  void shouldNotTakeAFormerLifeWhoseHandshakeEndsLate() throws Exception {
    run(
        world -> {
          List<PacketView> late = new ArrayList<>();
          world.nodes.cluster.network().monitor(packet -> delayFinish(world, packet, late));
          assertFalse(world.call(CLIENT, SERVER).isDone());
          world.awaitUntil(() -> !late.isEmpty(), SECOND_NS);
          assertEquals(List.of(), world.lives(0));
          world.restart();
          world.await(world.call(CLIENT, SERVER), 20 * MS);
          List<PeerIncarnation> newest = new ArrayList<>(world.lives(0));
          newest.addAll(world.lives(1));
          assertEquals(1, newest.size());

          world.simulation.runFor(2 * SECOND_NS);

          List<PeerIncarnation> left = new ArrayList<>(world.lives(0));
          left.addAll(world.lives(1));
          assertEquals(newest, left);
        });
  }

  private static Verdict delayFinish(World world, PacketView packet, List<PacketView> late) {
    boolean isFinish =
        packet.bytes().getByte(0) == PacketHeader.FORM_HANDSHAKE
            && FrameStart.templateId(packet.bytes(), HANDSHAKE_HEADER)
                == PskFinishDecoder.TEMPLATE_ID;
    if (!isFinish || world.pools.size() > 2) {
      return Verdict.PASS;
    }
    late.add(packet);
    return Verdict.delay(SECOND_NS);
  }
}
