package io.millrace.api;

import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.awaitNothingOpen;
import static io.millrace.api.StreamChecks.elements;
import static io.millrace.api.StreamChecks.failure;
import static io.millrace.api.StreamChecks.materializer;
import static io.millrace.api.StreamChecks.options;
import static io.millrace.api.StreamChecks.queueOfOne;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.pekko.Done;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.UniqueKillSwitch;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Callers that give a stream up after the last request. The handler that still works on the answer
 * learns of the end, and a cut flow of requests never looks complete.
 */
@Timeout(120)
class GoneCallersTest {
  private static final Route<byte[], byte[]> TYPED =
      Route.of("typed", ByteArrays.CODEC, ByteArrays.CODEC);
  private static final int COUNT = 10;

  /** Returns the number of bytes in {@link #COUNT} elements. */
  private static long bytes() {
    long bytes = 0;
    for (int i = 0; i < COUNT; i++) {
      bytes += StreamChecks.element(i).length;
    }
    return bytes;
  }

  /** A handler: its treatment of the requests, and its endless work afterwards. */
  static final class Served {
    private final Consumer<Source<byte[], ?>> taking;
    private volatile @Nullable CompletableFuture<?> work;

    Served(Consumer<Source<byte[], ?>> taking) {
      this.taking = taking;
    }

    <T> CompletableFuture<T> handle(Source<byte[], ?> requests) {
      CompletableFuture<T> begun = new CompletableFuture<>();
      work = begun;
      taking.accept(requests);
      return begun;
    }

    boolean isCancelled() {
      CompletableFuture<?> begun = work;
      return begun != null && begun.isCancelled();
    }

    void fail(Throwable failure) {
      Objects.requireNonNull(work).completeExceptionally(failure);
    }
  }

  /**
   * A stream at its caller.
   *
   * @param cancelling gives the stream up
   * @param over completes when the stream has ended
   */
  record Opened(Runnable cancelling, CompletionStage<?> over) {
    static Opened request(CompletionStage<?> response) {
      return new Opened(() -> response.toCompletableFuture().cancel(false), response);
    }

    static Opened both(Source<byte[], ?> responses, Materializer on) {
      Pair<UniqueKillSwitch, CompletionStage<Done>> running =
          responses
              .viaMat(KillSwitches.single(), Keep.right())
              .toMat(Sink.ignore(), Keep.both())
              .run(on);
      return new Opened(running.first()::shutdown, running.second());
    }
  }

  /** The patterns with an answer after the last request. */
  enum Pattern {
    REQUEST {
      @Override
      void serve(Transport server, Served served) {
        Raw.serveStreamingRequest(server, ROUTE, call -> served.handle(call.elements()));
      }

      @Override
      Opened open(Peer peer, TransferOptions options, Source<byte[], ?> all, Materializer on) {
        return Opened.request(all.runWith(Raw.streamingRequest(peer, ROUTE, options), on));
      }
    },
    TYPED_REQUEST {
      @Override
      void serve(Transport server, Served served) {
        server.serveStreamingRequest(TYPED, requests -> served.<byte[]>handle(requests));
      }

      @Override
      Opened open(Peer peer, TransferOptions options, Source<byte[], ?> all, Materializer on) {
        return Opened.request(all.runWith(peer.streamingRequest(TYPED, options), on));
      }
    },
    BOTH {
      @Override
      void serve(Transport server, Served served) {
        Raw.serveBidirectional(
            server,
            ROUTE,
            call -> new Raw.StreamingResponse(served.handle(call.elements()), Source.empty()));
      }

      @Override
      Opened open(Peer peer, TransferOptions options, Source<byte[], ?> all, Materializer on) {
        return Opened.both(all.via(Raw.bidirectional(peer, ROUTE, options)), on);
      }
    },
    TYPED_BOTH {
      @Override
      void serve(Transport server, Served served) {
        server.serveBidirectional(
            TYPED,
            (requests, context) -> {
              context.answerHeaders(served.<Headers>handle(requests));
              return Source.empty();
            });
      }

      @Override
      Opened open(Peer peer, TransferOptions options, Source<byte[], ?> all, Materializer on) {
        return Opened.both(all.via(peer.bidirectional(TYPED, options)), on);
      }
    };

    abstract void serve(Transport server, Served served);

    /** Opens a stream of all these requests. */
    abstract Opened open(
        Peer peer, TransferOptions options, Source<byte[], ?> all, Materializer on);
  }

  /** The way in which a caller leaves. */
  enum Way {
    CANCEL,
    DEADLINE,
    CLOSE;

    TransferOptions options() {
      TransferOptions usual = StreamChecks.options();
      return this == DEADLINE ? usual.withDeadline(Duration.ofMillis(200)) : usual;
    }

    void leave(NodePair nodes, Opened opened) {
      switch (this) {
        case CANCEL -> opened.cancelling().run();
        case DEADLINE -> {}
        case CLOSE -> nodes.client().close();
      }
    }
  }

  private static Stream<Arguments> all(TestInfo test) {
    return Combinations.dealt(Pattern.values(), Way.values(), PatternWorld.all(test));
  }

  private static Stream<Arguments> patterns(TestInfo test) {
    return Combinations.dealt(Pattern.values(), PatternWorld.all(test));
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldCancelWhatTheHandlerWorksOn(Pattern pattern, Way way, PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          CompletableFuture<Done> whole = new CompletableFuture<>();
          Served served = new Served(requests -> drain(requests, nodes.server(), whole));
          pattern.serve(nodes.server(), served);
          Opened opened =
              pattern.open(
                  nodes.peer(), way.options(), elements(COUNT), materializer(nodes.client()));
          CompletableFuture<?> over = opened.over().toCompletableFuture();
          assertTrue(nodes.awaitUntil(() -> whole.isDone() || over.isDone()));
          // On a slow machine a deadline may pass before the requests have arrived.
          boolean isWorking = whole.isDone() && !whole.isCompletedExceptionally();
          assertTrue(isWorking || (way == Way.DEADLINE && world != PatternWorld.SIMULATED));

          way.leave(nodes, opened);

          assertTrue(!isWorking || nodes.awaitUntil(served::isCancelled), "the handler learns it");
          assertTrue(nodes.awaitUntil(() -> StreamCensus.open(nodes.server()) == 0));
          assertEquals(0, nodes.server().snapshot().handlerFaults());
        });
  }

  private static void drain(
      Source<byte[], ?> requests, Transport server, CompletableFuture<Done> whole) {
    var _ =
        requests
            .runWith(Sink.ignore(), materializer(server))
            .whenComplete(
                (done, failure) -> {
                  if (failure == null) {
                    whole.complete(done);
                  } else {
                    whole.completeExceptionally(failure);
                  }
                });
  }

  @ParameterizedTest
  @EnumSource
  void shouldCancelWhatTheHandlerWorksOnForACallerThatDies(Pattern pattern) throws Exception {
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(9)) {
            SimulatedCluster nodes =
                new SimulatedCluster(simulation, 2, NetworkSettings.clean(100_000), new byte[0]);
            CompletableFuture<Done> whole = new CompletableFuture<>();
            Served served = new Served(requests -> drain(requests, nodes.transport(1), whole));
            pattern.serve(nodes.transport(1), served);
            var _ =
                pattern.open(
                    nodes.peer(0, 1), options(), elements(3), materializer(nodes.transport(0)));
            nodes.await(whole, SimulatedCluster.SECOND_NS);

            nodes.crash(0);

            assertTrue(
                simulation.runUntil(
                    served::isCancelled, simulation.nowNs() + 10 * SimulatedCluster.SECOND_NS));
            assertEquals(0, StreamCensus.open(nodes.transport(1)));
          }
          return null;
        });
  }

  /** A stream with all requests at the server; the handler has taken one request. */
  private static final class Arrived {
    private final Opened opened;
    private final SinkQueueWithCancel<byte[]> taken;

    Arrived(NodePair nodes, Pattern pattern, CompletableFuture<Served> serving) throws Exception {
      CompletableFuture<SinkQueueWithCancel<byte[]>> taking = new CompletableFuture<>();
      Served served =
          new Served(
              requests ->
                  taking.complete(requests.runWith(queueOfOne(), materializer(nodes.server()))));
      serving.complete(served);
      pattern.serve(nodes.server(), served);
      opened = pattern.open(nodes.peer(), options(), elements(COUNT), materializer(nodes.client()));
      taken = await(nodes, taking);
      assertTrue(await(nodes, taken.pull()).isPresent());
      assertTrue(nodes.awaitUntil(() -> delivered(nodes.server()) >= bytes()));
    }

    private static long delivered(Transport node) {
      return node.snapshot().workers().stream()
          .mapToLong(each -> each.transfers().payloadBytesDelivered())
          .sum();
    }
  }

  @ParameterizedTest
  @MethodSource("patterns")
  void shouldLeaveTheHandlerTheRequestsThatWait(Pattern pattern, PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          CompletableFuture<Served> serving = new CompletableFuture<>();
          Arrived arrived = new Arrived(nodes, pattern, serving);

          arrived.opened.cancelling().run();

          assertTrue(nodes.awaitUntil(serving.resultNow()::isCancelled), "the handler learns it");
          for (int i = 1; i < COUNT; i++) {
            assertEquals(
                StreamChecks.element(i).length,
                await(nodes, arrived.taken.pull()).orElseThrow().length);
          }
          assertEquals(Optional.empty(), await(nodes, arrived.taken.pull()));
          awaitNothingOpen(nodes);
        });
  }

  /** A failed answer ends the whole stream, and thereby the remaining requests. */
  @ParameterizedTest
  @MethodSource("patterns")
  void shouldFailTheRequestsThatWaitForAHandlerWhoseAnswerFails(Pattern pattern, PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          CompletableFuture<Served> serving = new CompletableFuture<>();
          Arrived arrived = new Arrived(nodes, pattern, serving);
          SinkQueueWithCancel<byte[]> taken = arrived.taken;

          serving.resultNow().fail(new IllegalStateException("no more of this"));
          // The handler may not have returned yet, and could take all requests ahead of the
          // failure.
          assertTrue(nodes.awaitUntil(arrived.opened.over().toCompletableFuture()::isDone));

          CompletionStage<Optional<byte[]>> next = taken.pull();
          for (int more = 1; isElement(nodes, next); more++) {
            assertTrue(more < COUNT, "no end");
            next = taken.pull();
          }
          CallException failed = failure(nodes, next);
          assertEquals(CallOutcome.HANDLER_FAILED, failed.outcome());
          assertEquals("no more of this", failed.reason());
          awaitNothingOpen(nodes);
        });
  }

  private static boolean isElement(NodePair nodes, CompletionStage<Optional<byte[]>> pulled) {
    CompletableFuture<Optional<byte[]>> next = pulled.toCompletableFuture();
    assertTrue(nodes.awaitUntil(next::isDone));
    return !next.isCompletedExceptionally() && next.resultNow().isPresent();
  }

  /** Each direction ends by itself. */
  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldGoOnWithTheRequestsOfACallerThatOnlyWantsNoResponses(PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          CompletableFuture<List<byte[]>> all = new CompletableFuture<>();
          Served served =
              new Served(
                  requests ->
                      requests
                          .runWith(Sink.seq(), materializer(nodes.server()))
                          .thenAccept(all::complete));
          Pattern.BOTH.serve(nodes.server(), served);
          CompletableFuture<Done> rest = new CompletableFuture<>();
          Opened opened =
              Pattern.BOTH.open(
                  nodes.peer(),
                  options(),
                  elements(3)
                      .concat(
                          Source.completionStage(rest)
                              .flatMapConcat(done -> elements(COUNT).drop(3))),
                  materializer(nodes.client()));
          assertTrue(nodes.awaitUntil(() -> StreamCensus.open(nodes.server()) == 1));

          opened.cancelling().run();
          assertTrue(nodes.awaitUntil(served::isCancelled), "the handler learns it");
          rest.complete(Done.getInstance());

          StreamChecks.assertElements(COUNT, await(nodes, all));
          awaitNothingOpen(nodes);
        });
  }

  /**
   * An executor that runs its tasks at once; while held, the executor keeps the tasks for later.
   */
  private static final class Gate implements Executor {
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean isHeld;

    @Override
    public void execute(Runnable task) {
      synchronized (waiting) {
        if (isHeld) {
          waiting.add(task);
          return;
        }
      }
      task.run();
    }

    void hold() {
      synchronized (waiting) {
        isHeld = true;
      }
    }

    void letGo() {
      synchronized (waiting) {
        isHeld = false;
      }
      waiting.forEach(Runnable::run);
    }
  }

  /**
   * As for unary handlers; but a bidirectional stream may want its requests handled without
   * responses.
   */
  @Test
  void shouldNotRunAHandlerWhoseCallerHasGone() throws Exception {
    Gate gate = new Gate();
    List<String> handled = new CopyOnWriteArrayList<>();
    try (TwoNodes nodes = new TwoNodes("", b -> b.executor(gate, 1), b -> b)) {
      RouteId count = RouteId.of("count");
      Raw.serveStreamingResponse(
          nodes.server,
          count,
          call -> {
            handled.add("response");
            return Raw.StreamingResponse.of(elements(3));
          });
      Served request = new Served(_ -> handled.add("request"));
      Pattern.REQUEST.serve(nodes.server, request);
      Served both = new Served(_ -> handled.add("both"));
      Pattern.TYPED_BOTH.serve(nodes.server, both);
      await(nodes, nodes.peer().connect());
      gate.hold();
      Materializer on = materializer(nodes.client);
      List<Opened> opened =
          List.of(
              Opened.both(
                  Raw.streamingResponse(nodes.peer(), UnaryRequest.of(count, new byte[1])), on),
              Pattern.REQUEST.open(nodes.peer(), options(), elements(3), on),
              Pattern.TYPED_BOTH.open(nodes.peer(), options(), elements(3), on));
      assertTrue(nodes.awaitUntil(() -> StreamCensus.open(nodes.server) == opened.size()));

      opened.forEach(each -> each.cancelling().run());
      awaitNothingOpen(nodes);
      gate.letGo();

      assertEquals(List.of("both"), handled);
      assertTrue(nodes.awaitUntil(both::isCancelled));
    }
  }
}
