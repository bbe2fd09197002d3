package io.millrace.api;

import static io.millrace.api.StreamChecks.materializer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.wire.RouteId;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.FlowShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A graph that fails to materialize, or a graph with a future cancelled before the start. */
@Timeout(120)
class UnstartedGraphTest {
  private static final RouteId ROUTE = RouteId.of("unstarted");
  private static final RouteId ECHO = RouteId.of("echo");
  private static final TransferOptions OPTIONS = TransferOptions.DEFAULTS;

  /** A graph that passes its materialized future to {@code use} during the materialization. */
  enum Graph {
    STREAMING_RESPONSE {
      @Override
      CompletionStage<?> run(Peer peer, Use use, Materializer on) {
        return Raw.streamingResponse(peer, UnaryRequest.of(ROUTE, new byte[1]))
            .mapMaterializedValue(use::apply)
            .to(Sink.ignore())
            .run(on);
      }
    },
    STREAMING_REQUEST {
      @Override
      CompletionStage<?> run(Peer peer, Use use, Materializer on) {
        return Source.<byte[]>maybe()
            .runWith(
                Raw.streamingRequest(peer, ROUTE, OPTIONS).mapMaterializedValue(use::apply), on);
      }
    },
    BIDIRECTIONAL {
      @Override
      CompletionStage<?> run(Peer peer, Use use, Materializer on) {
        return Source.<byte[]>maybe()
            .viaMat(
                Raw.bidirectional(peer, ROUTE, OPTIONS).mapMaterializedValue(use::apply),
                Keep.right())
            .to(Sink.ignore())
            .run(on);
      }
    },
    BULK_SINK {
      @Override
      CompletionStage<?> run(Peer peer, Use use, Materializer on) {
        return Source.<ByteString>maybe()
            .runWith(Raw.bulkSink(peer, ROUTE, OPTIONS).mapMaterializedValue(use::apply), on);
      }
    },
    BULK_SOURCE {
      @Override
      CompletionStage<?> run(Peer peer, Use use, Materializer on) {
        return Raw.bulkSource(peer, ROUTE, OPTIONS)
            .mapMaterializedValue(use::apply)
            .to(Sink.ignore())
            .run(on);
      }
    },
    BULK_SOURCE_WITH_HEADERS {
      @Override
      CompletionStage<?> run(Peer peer, Use use, Materializer on) {
        return Raw.bulkSourceWithHeaders(peer, ROUTE, OPTIONS)
            .mapMaterializedValue(both -> use.apply(both.second()))
            .to(Sink.ignore())
            .run(on);
      }
    };

    abstract CompletionStage<?> run(Peer peer, Use use, Materializer on);

    /** Whether ending the graph's future ends the transfer. */
    boolean hasFuture() {
      return this != STREAMING_RESPONSE && this != BIDIRECTIONAL;
    }
  }

  /** The action on a future during the materialization of the graph. */
  interface Use extends Function<CompletionStage<?>, CompletionStage<?>> {}

  /** A stage that cannot be created. */
  private static final class Unmade extends GraphStage<FlowShape<byte[], byte[]>> {
    private final FlowShape<byte[], byte[]> shape =
        FlowShape.of(Inlet.create("Unmade.in"), Outlet.create("Unmade.out"));

    @Override
    public FlowShape<byte[], byte[]> shape() {
      return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
      throw new IllegalStateException("on purpose");
    }
  }

  /** Serves the graph's pattern without an answer; returns a flag for the arrival of a request. */
  private static AtomicBoolean serve(NodePair nodes, Graph graph) {
    AtomicBoolean asked = new AtomicBoolean();
    Transport server = nodes.server();
    switch (graph) {
      case STREAMING_RESPONSE ->
          Raw.serveStreamingResponse(
              server, ROUTE, call -> Raw.StreamingResponse.of(silence(asked)));
      case STREAMING_REQUEST ->
          Raw.serveStreamingRequest(
              server,
              ROUTE,
              call -> {
                asked.set(true);
                return new CompletableFuture<>();
              });
      case BIDIRECTIONAL ->
          Raw.serveBidirectional(server, ROUTE, call -> Raw.StreamingResponse.of(silence(asked)));
      case BULK_SINK ->
          Raw.serveBulkWrites(
              server,
              ROUTE,
              offer -> {
                asked.set(true);
                return new CompletableFuture<>();
              });
      case BULK_SOURCE, BULK_SOURCE_WITH_HEADERS ->
          Raw.serveBulkReads(
              server,
              ROUTE,
              offer -> {
                asked.set(true);
                return new CompletableFuture<>();
              });
    }
    return asked;
  }

  private static Source<byte[], ?> silence(AtomicBoolean asked) {
    asked.set(true);
    return Source.maybe();
  }

  private static void serveEcho(NodePair nodes) throws Exception {
    Raw.serve(
        nodes.server(),
        ECHO,
        call -> CompletableFuture.completedStage(UnaryResponse.of(call.payload())));
    nodes.await(Raw.unary(nodes.peer(), ECHO, new byte[1]));
  }

  /**
   * Checks that no transfer began: every transfer submitted before this call would have reached the
   * peer before the answer.
   */
  private static void assertNothingBegun(NodePair nodes, AtomicBoolean asked, PatternWorld world)
      throws Exception {
    nodes.await(Raw.unary(nodes.peer(), ECHO, new byte[1]));
    assertFalse(asked.get(), "the peer was asked");
    Remains.awaitNone(nodes, world);
  }

  private static Stream<Arguments> all(TestInfo test) {
    return Combinations.dealt(Graph.values(), PatternWorld.all(test));
  }

  private static Stream<Arguments> withFuture(TestInfo test) {
    return all(test).filter(each -> ((Graph) each.get()[0]).hasFuture());
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldBeginNothingIfTheGraphCannotBeMade(Graph graph, PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          serveEcho(nodes);
          AtomicBoolean asked = serve(nodes, graph);
          CompletableFuture<CompletionStage<?>> made = new CompletableFuture<>();
          Use failing =
              future -> {
                made.complete(future);
                throw new IllegalStateException("on purpose");
              };

          assertThrows(
              IllegalStateException.class,
              () -> graph.run(nodes.peer(), failing, materializer(nodes.client())));

          assertNothingBegun(nodes, asked, world);
          assertFalse(made.resultNow().toCompletableFuture().isDone());
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldBeginNothingIfAnotherStageCannotBeMade(PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          serveEcho(nodes);
          AtomicBoolean asked = serve(nodes, Graph.STREAMING_REQUEST);

          assertThrows(
              IllegalStateException.class,
              () ->
                  Source.<byte[]>maybe()
                      .via(new Unmade())
                      .to(Raw.streamingRequest(nodes.peer(), ROUTE, OPTIONS))
                      .run(materializer(nodes.client())));

          assertNothingBegun(nodes, asked, world);
        });
  }

  @ParameterizedTest
  @MethodSource("withFuture")
  void shouldNotAskThePeerIfTheFutureIsCancelledBeforeTheStart(Graph graph, PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          serveEcho(nodes);
          AtomicBoolean asked = serve(nodes, graph);
          Use cancelling =
              future -> {
                assertTrue(future.toCompletableFuture().cancel(false));
                return future;
              };

          CompletionStage<?> future =
              graph.run(nodes.peer(), cancelling, materializer(nodes.client()));

          assertThrows(
              CancellationException.class, () -> nodes.await(future.toCompletableFuture()));
          assertNothingBegun(nodes, asked, world);
          assertEquals(
              0, nodes.client().snapshot().workers().getFirst().transfers().streamsOpened());
        });
  }
}
