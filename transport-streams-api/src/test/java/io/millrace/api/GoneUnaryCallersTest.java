package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Callers with an ended path. The node cancels the work of unary handlers, as when the caller
 * cancels, and does not begin waiting calls. Under virtual time.
 */
class GoneUnaryCallersTest {
  private static final long MS = 1_000_000;
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final int CALLER = 0;
  private static final int SERVER = 1;
  private static final Route<byte[], byte[]> TYPED =
      Route.of("typed work", ByteArrays.CODEC, ByteArrays.CODEC);
  private static final RouteId WORK = RouteId.of("work");

  /** The limit of one peer's calls at the handlers, for the tests of the limit. */
  private static final int LIMIT = 4;

  /** More bytes than a datagram carries: such a request arrives as a body. */
  private static final int LONG = 20_000;

  /** The end of the path. */
  enum Way {
    /**
     * The caller's process is killed; a few seconds later the liveness check gives the caller up.
     */
    KILLED(10 * SECOND_NS) {
      @Override
      void end(SimulatedCluster nodes) {
        nodes.crash(CALLER);
      }
    },
    /** The caller closes its transport, and tells the server. */
    CALLER_CLOSED(10 * MS) {
      @Override
      void end(SimulatedCluster nodes) {
        nodes.transport(CALLER).close();
      }
    },
    /** The server closes its transport. */
    SERVER_CLOSED(10 * MS) {
      @Override
      void end(SimulatedCluster nodes) {
        nodes.transport(SERVER).close();
      }
    },
    /**
     * A later life of the caller shakes hands, long before the server would give up the former
     * life.
     */
    RESTARTED(100 * MS) {
      @Override
      void end(SimulatedCluster nodes) throws Exception {
        nodes.crash(CALLER);
        nodes.restart(CALLER);
        nodes.await(nodes.peer(CALLER, SERVER).connect(), 100 * MS);
      }
    };

    private final long withinNs;

    Way(long withinNs) {
      this.withinNs = withinNs;
    }

    abstract void end(SimulatedCluster nodes) throws Exception;
  }

  /** The way in which the calls are served. */
  enum Kind {
    BYTES {
      @Override
      void serve(Transport server, List<CompletableFuture<?>> works) {
        Raw.serve(server, WORK, call -> begin(works));
      }

      @Override
      CompletableFuture<?> call(Peer peer) {
        return Raw.unary(peer, WORK, new byte[8]);
      }
    },
    LONG_BYTES {
      @Override
      void serve(Transport server, List<CompletableFuture<?>> works) {
        Raw.serve(server, WORK, call -> begin(works));
      }

      @Override
      CompletableFuture<?> call(Peer peer) {
        return Raw.unary(peer, WORK, new byte[LONG]);
      }
    },
    VALUES {
      @Override
      void serve(Transport server, List<CompletableFuture<?>> works) {
        server.serve(TYPED, call -> begin(works));
      }

      @Override
      CompletableFuture<?> call(Peer peer) {
        return peer.unary(TYPED, new byte[8]);
      }
    };

    private static <T> CompletableFuture<T> begin(List<CompletableFuture<?>> works) {
      CompletableFuture<T> begun = new CompletableFuture<>();
      works.add(begun);
      return begun;
    }

    abstract void serve(Transport server, List<CompletableFuture<?>> works);

    abstract CompletableFuture<?> call(Peer peer);
  }

  private static Stream<Arguments> all() {
    return Stream.of(Way.values())
        .flatMap(way -> Stream.of(Kind.values()).map(kind -> Arguments.of(way, kind)));
  }

  private interface Plan {
    void run(Simulation simulation, SimulatedCluster nodes) throws Exception;
  }

  private static void run(String overrides, Plan plan) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(4)) {
            NetworkSettings network = NetworkSettings.clean(100_000);
            plan.run(
                simulation,
                new SimulatedCluster(
                    simulation,
                    2,
                    network,
                    null,
                    SimTransportSettings.parse(overrides),
                    new byte[0]));
            simulation.check();
          }
          return null;
        });
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldCancelWhatTheHandlerWorksOn(Way way, Kind kind) throws Exception {
    run(
        "",
        (simulation, nodes) -> {
          List<CompletableFuture<?>> works = new ArrayList<>();
          kind.serve(nodes.transport(SERVER), works);
          for (int i = 0; i < 3; i++) {
            var _ = kind.call(nodes.peer(CALLER, SERVER));
          }
          assertTrue(simulation.runUntil(() -> works.size() == 3, simulation.nowNs() + SECOND_NS));
          assertFalse(works.stream().anyMatch(CompletableFuture::isDone));

          way.end(nodes);

          assertTrue(
              simulation.runUntil(
                  () -> works.stream().allMatch(CompletableFuture::isCancelled),
                  simulation.nowNs() + way.withinNs),
              "the handler learns it");
          assertEquals(0, nodes.transport(SERVER).snapshot().handlerFaults());
        });
  }

  /** A peer has its maximum of calls at the handlers; no handler begins the next call. */
  @ParameterizedTest
  @MethodSource("ways")
  void shouldNotBeginWhatWaits(Way way) throws Exception {
    run(
        "millrace.limits.concurrent-transfers = " + LIMIT,
        (simulation, nodes) -> {
          // The work of such a handler cannot be cancelled.
          List<CompletableFuture<UnaryResponse>> stubborn = new ArrayList<>();
          Raw.serve(
              nodes.transport(SERVER),
              WORK,
              call -> {
                CompletableFuture<UnaryResponse> begun = new CompletableFuture<>();
                stubborn.add(begun);
                return begun.minimalCompletionStage();
              });
          List<CompletableFuture<?>> running = call(nodes, LIMIT);
          assertTrue(
              simulation.runUntil(() -> stubborn.size() == LIMIT, simulation.nowNs() + SECOND_NS));
          running.forEach(call -> call.cancel(false));
          List<CompletableFuture<?>> waiting = call(nodes, 2);
          assertFalse(
              simulation.runUntil(() -> stubborn.size() > LIMIT, simulation.nowNs() + 50 * MS));
          assertFalse(waiting.stream().anyMatch(CompletableFuture::isDone));

          way.end(nodes);
          simulation.runUntil(() -> false, simulation.nowNs() + way.withinNs);
          stubborn.forEach(each -> each.complete(UnaryResponse.of(new byte[0])));
          simulation.runUntil(() -> false, simulation.nowNs() + SECOND_NS);

          assertEquals(LIMIT, stubborn.size());
        });
  }

  private static List<CompletableFuture<?>> call(SimulatedCluster nodes, int count) {
    List<CompletableFuture<?>> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      calls.add(Raw.unary(nodes.peer(CALLER, SERVER), WORK, new byte[8]));
    }
    return calls;
  }

  private static Stream<Way> ways() {
    return Stream.of(Way.values());
  }

  /** A future completed before its caller's death stays completed. */
  @Test
  void shouldLeaveWhatIsDone() throws Exception {
    run(
        "",
        (simulation, nodes) -> {
          List<CompletableFuture<UnaryResponse>> works = new ArrayList<>();
          Raw.serve(
              nodes.transport(SERVER),
              WORK,
              call -> {
                CompletableFuture<UnaryResponse> begun = new CompletableFuture<>();
                works.add(begun);
                return begun;
              });
          CompletableFuture<UnaryResponse> call =
              Raw.unary(nodes.peer(CALLER, SERVER), WORK, new byte[8]);
          assertTrue(simulation.runUntil(() -> !works.isEmpty(), simulation.nowNs() + SECOND_NS));
          works.getFirst().complete(UnaryResponse.of(new byte[1]));
          nodes.await(call, SECOND_NS);

          Way.KILLED.end(nodes);
          simulation.runUntil(() -> false, simulation.nowNs() + Way.KILLED.withinNs);

          assertFalse(works.getFirst().isCancelled());
        });
  }
}
