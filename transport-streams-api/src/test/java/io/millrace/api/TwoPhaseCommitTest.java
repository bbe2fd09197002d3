package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A two-phase commit over five peers; three peers must accept: by a quorum of tokens, and by
 * futures in the application. Under virtual time.
 */
class TwoPhaseCommitTest {
  private static final long MS = 1_000_000;
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final int PEERS = 5;
  private static final int QUORUM = 3;
  private static final Route<byte[], byte[]> PREPARE =
      Route.of("prepare", ByteArrays.CODEC, ByteArrays.CODEC);
  private static final Route<byte[], byte[]> COMMIT =
      Route.of("commit", ByteArrays.CODEC, ByteArrays.CODEC);
  private static final byte[] NOTHING = {};

  /** The side that waits for the quorum. */
  enum Form {
    TOKENS {
      @Override
      List<CompletableFuture<byte[]>> run(World world) {
        List<CausalityToken> tokens =
            world.all(PREPARE, TransferOptions.DEFAULTS.withToken()).stream()
                .map(Call::token)
                .toList();
        return List.copyOf(world.all(COMMIT, TransferOptions.DEFAULTS.afterQuorum(QUORUM, tokens)));
      }
    },
    FUTURES {
      @Override
      List<CompletableFuture<byte[]>> run(World world) {
        CompletableFuture<Void> quorum = quorum(world.all(PREPARE, TransferOptions.DEFAULTS));
        List<CompletableFuture<byte[]>> commits = new ArrayList<>();
        for (int node = 1; node <= PEERS; node++) {
          Peer peer = world.peer(node);
          commits.add(
              quorum.thenCompose(_ -> peer.unary(COMMIT, NOTHING, TransferOptions.DEFAULTS)));
        }
        return commits;
      }
    };

    /** Sends a prepare to all peers, then the commits; returns the commits. */
    abstract List<CompletableFuture<byte[]>> run(World world);
  }

  /**
   * Returns a future that completes when enough calls have succeeded, and fails when too few calls
   * can still succeed.
   */
  private static CompletableFuture<Void> quorum(List<? extends CompletableFuture<byte[]>> calls) {
    CompletableFuture<Void> quorum = new CompletableFuture<>();
    int[] answered = new int[2];
    for (CompletableFuture<byte[]> call : calls) {
      var _ =
          call.whenComplete(
              (_, failure) -> {
                answered[failure == null ? 0 : 1]++;
                if (answered[0] == QUORUM) {
                  quorum.complete(null);
                } else if (answered[1] > PEERS - QUORUM) {
                  quorum.completeExceptionally(failure);
                }
              });
    }
    return quorum;
  }

  private interface Plan {
    void run(World world) throws Exception;
  }

  /**
   * The world: node 0 coordinates the other nodes; records the actions of the nodes and their
   * times.
   */
  static final class World {
    private final Simulation simulation;
    private final SimulatedCluster nodes;

    /** Peers from this number on do not accept. */
    private int firstRefusing = PEERS + 1;

    private int accepted;

    /** The number of accepting peers at each commit. */
    private final List<Integer> commits = new ArrayList<>();

    World(Simulation simulation, SimulatedCluster nodes) {
      this.simulation = simulation;
      this.nodes = nodes;
      for (int node = 1; node <= PEERS; node++) {
        int number = node;
        nodes
            .transport(node)
            .serve(
                PREPARE,
                bytes -> {
                  if (number >= firstRefusing) {
                    throw new IllegalStateException("planned");
                  }
                  accepted++;
                  return CompletableFuture.completedFuture(bytes);
                });
        nodes
            .transport(node)
            .serve(
                COMMIT,
                bytes -> {
                  commits.add(accepted);
                  return CompletableFuture.completedFuture(bytes);
                });
      }
    }

    Peer peer(int node) {
      return nodes.peer(0, node);
    }

    List<Call<byte[]>> all(Route<byte[], byte[]> route, TransferOptions options) {
      List<Call<byte[]>> calls = new ArrayList<>();
      for (int node = 1; node <= PEERS; node++) {
        calls.add(peer(node).unary(route, NOTHING, options));
      }
      return calls;
    }

    /** Moves the last {@code count} peers 20 ms away. */
    void slowDown(int count) {
      LinkSettings link = LinkSettings.clean(10 * MS);
      for (int node = PEERS - count + 1; node <= PEERS; node++) {
        nodes.cluster.network().link(0, node).settings(link);
        nodes.cluster.network().link(node, 0).settings(link);
      }
    }

    /** Returns the virtual time in ns until this number of the calls has been answered. */
    long timeTo(int count, List<CompletableFuture<byte[]>> calls, long fromNs) {
      assertTrue(
          simulation.runUntil(
              () -> calls.stream().filter(CompletableFuture::isDone).count() >= count,
              simulation.nowNs() + SECOND_NS),
          "no end of " + count);
      return simulation.nowNs() - fromNs;
    }
  }

  private static void run(Plan plan) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(4)) {
            SimulatedCluster nodes =
                new SimulatedCluster(
                    simulation,
                    PEERS + 1,
                    NetworkSettings.clean(MS / 2),
                    null,
                    SimTransportSettings.parse("millrace.workers.count = 2"),
                    NOTHING);
            World world = new World(simulation, nodes);
            for (int node = 1; node <= PEERS; node++) {
              nodes.await(world.peer(node).connect(), SECOND_NS);
            }
            plan.run(world);
            simulation.runUntil(() -> false, simulation.nowNs() + SECOND_NS);
            assertEquals(0, nodes.transport(0).snapshot().causalitySlots(), "slots that are left");
            simulation.check();
          }
          return null;
        });
  }

  private static Stream<Arguments> all() {
    return Stream.of(Form.values())
        .flatMap(form -> Stream.of(0, 1, PEERS - QUORUM).map(slow -> Arguments.of(form, slow)));
  }

  /** Two round trips to a quorum, however slow the other peers are. */
  @ParameterizedTest
  @MethodSource("all")
  void shouldCommitAfterThreeOfFiveHaveAccepted(Form form, int slow) throws Exception {
    run(
        world -> {
          world.slowDown(slow);
          long fromNs = world.simulation.nowNs();
          List<CompletableFuture<byte[]>> commits = form.run(world);
          long quorumNs = world.timeTo(QUORUM, commits, fromNs);
          assertTrue(quorumNs >= 2 * MS && quorumNs < 3 * MS, "a quorum after " + quorumNs);
          long allNs = world.timeTo(PEERS, commits, fromNs);
          assertTrue(allNs < (slow > 0 ? 22 * MS : 3 * MS), "all after " + allNs);

          for (CompletableFuture<byte[]> commit : commits) {
            assertEquals(0, commit.get().length);
          }
          assertEquals(PEERS, world.commits.size());
          assertTrue(
              world.commits.stream().allMatch(accepted -> accepted >= QUORUM),
              world.commits.toString());
          assertEquals(PEERS - slow, world.commits.getFirst());
          assertEquals(PEERS, world.accepted);
        });
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void shouldCommitNowhereIfThreeRefuse(Form form) throws Exception {
    run(
        world -> {
          world.firstRefusing = QUORUM;
          List<CompletableFuture<byte[]>> commits = form.run(world);
          world.timeTo(PEERS, commits, world.simulation.nowNs());

          assertEquals(List.of(), world.commits);
          assertEquals(QUORUM - 1, world.accepted);
          CallOutcome expected =
              form == Form.TOKENS ? CallOutcome.DEPENDENCY_FAILED : CallOutcome.HANDLER_FAILED;
          for (CompletableFuture<byte[]> commit : commits) {
            Throwable failure = commit.exceptionNow();
            assertEquals(
                expected,
                assertInstanceOf(
                        CallException.class,
                        failure instanceof CompletionException wrapped
                            ? wrapped.getCause()
                            : failure)
                    .outcome());
          }
        });
  }
}
