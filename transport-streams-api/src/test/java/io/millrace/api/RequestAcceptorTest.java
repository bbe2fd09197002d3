package io.millrace.api;

import static io.millrace.api.StreamChecks.HEADERS;
import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.elements;
import static io.millrace.api.StreamChecks.failure;
import static io.millrace.api.StreamChecks.materializer;
import static io.millrace.api.StreamChecks.options;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.Route;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.pekko.stream.javadsl.Sink;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An acceptor sees the headers of each request once, ahead of its payload and of its handler. */
@Timeout(120)
class RequestAcceptorTest {
  private static final Route ECHO = Route.of("echo");
  private static final int[] LENGTHS = {0, 1_000, 300_000};

  /** Most of which cannot be on its way when the answer comes; simulated nodes take less. */
  private static int longBytes(PatternWorld world) {
    return world == PatternWorld.SIMULATED ? 8_000_000 : 60_000_000;
  }

  /** What the node that serves has seen, in its order. */
  static final class Served {
    final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

    void accept(RequestOffer offer) {
      assertArrayEquals(HEADERS, offer.headers());
      assertEquals(5, offer.priority());
      seen.add("offered " + offer.payloadBytes());
    }

    void refuse(RequestOffer offer) {
      accept(offer);
      throw new IllegalStateException("too much");
    }

    void handle(String what) {
      seen.add("handled " + what);
    }
  }

  /** A pattern with requests. */
  enum Pattern {
    UNARY {
      @Override
      void serve(NodePair nodes, RequestAcceptor acceptor, Served served) {
        nodes
            .server()
            .serve(
                ROUTE,
                acceptor,
                call -> {
                  served.handle(call.payload().length + "");
                  return CompletableFuture.completedStage(UnaryResponse.of(new byte[1]));
                });
      }

      @Override
      CompletionStage<?> request(NodePair nodes, byte[] payload) {
        return nodes.peer().unary(new UnaryRequest(ROUTE, payload, asked()));
      }
    },
    STREAMING_RESPONSE {
      @Override
      void serve(NodePair nodes, RequestAcceptor acceptor, Served served) {
        nodes
            .server()
            .serveStreamingResponse(
                ROUTE,
                acceptor,
                call -> {
                  served.handle(call.payload().length + "");
                  return StreamingResponse.of(elements(3));
                });
      }

      @Override
      CompletionStage<?> request(NodePair nodes, byte[] payload) {
        return nodes
            .peer()
            .streamingResponse(new UnaryRequest(ROUTE, payload, asked()))
            .runWith(Sink.seq(), materializer(nodes.client()));
      }
    },
    STREAMING_REQUEST {
      @Override
      void serve(NodePair nodes, RequestAcceptor acceptor, Served served) {
        nodes
            .server()
            .serveStreamingRequest(
                ROUTE,
                acceptor,
                call -> {
                  served.handle("0");
                  return call.elements()
                      .runWith(Sink.ignore(), materializer(nodes.server()))
                      .thenApply(done -> UnaryResponse.of(new byte[1]));
                });
      }

      @Override
      CompletionStage<?> request(NodePair nodes, byte[] payload) {
        return elements(100)
            .runWith(nodes.peer().streamingRequest(ROUTE, asked()), materializer(nodes.client()));
      }
    },
    BIDIRECTIONAL {
      @Override
      void serve(NodePair nodes, RequestAcceptor acceptor, Served served) {
        nodes
            .server()
            .serveBidirectional(
                ROUTE,
                acceptor,
                call -> {
                  served.handle("0");
                  return StreamingResponse.of(call.elements());
                });
      }

      @Override
      CompletionStage<?> request(NodePair nodes, byte[] payload) {
        return elements(100)
            .via(nodes.peer().bidirectional(ROUTE, asked()))
            .runWith(Sink.seq(), materializer(nodes.client()));
      }
    };

    abstract void serve(NodePair nodes, RequestAcceptor acceptor, Served served);

    /** Sends a request; patterns with a stream of requests have no payload of their own. */
    abstract CompletionStage<?> request(NodePair nodes, byte[] payload);

    boolean hasPayload() {
      return this == UNARY || this == STREAMING_RESPONSE;
    }

    private static TransferOptions asked() {
      return options().withPriority(5);
    }
  }

  private static Stream<Arguments> all() {
    return Stream.of(Pattern.values())
        .flatMap(
            pattern -> Stream.of(PatternWorld.values()).map(world -> Arguments.of(pattern, world)));
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldBeAskedOnceAheadOfTheHandler(Pattern pattern, PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Served served = new Served();
          pattern.serve(nodes, served::accept, served);
          for (int length : LENGTHS) {
            StreamChecks.await(nodes, pattern.request(nodes, new byte[length]));
            int told = pattern.hasPayload() ? length : 0;
            assertEquals(List.of("offered " + told, "handled " + told), List.copyOf(served.seen));
            served.seen.clear();
          }
          Remains.awaitNone(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldRefuseWhatItDoesNotTake(Pattern pattern, PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Served served = new Served();
          pattern.serve(nodes, served::refuse, served);
          for (int length : LENGTHS) {
            CallException failed = failure(nodes, pattern.request(nodes, new byte[length]));
            assertEquals(CallOutcome.REFUSED, failed.outcome());
            assertEquals("REFUSED: too much", failed.getMessage());
            int told = pattern.hasPayload() ? length : 0;
            assertEquals(List.of("offered " + told), List.copyOf(served.seen));
            served.seen.clear();
          }
          Remains.awaitNone(nodes, world);
        });
  }

  private static Stream<Arguments> withPayload() {
    return all().filter(arguments -> ((Pattern) arguments.get()[0]).hasPayload());
  }

  private static long received(Transport node) {
    return node.snapshot().workers().stream()
        .mapToLong(worker -> worker.bodies().records().bodyBytesReceived())
        .sum();
  }

  /** The headers are the first bytes of a body: what is behind them need not come. */
  @ParameterizedTest
  @MethodSource("withPayload")
  void shouldKeepTheRestOfALongPayloadFromComing(Pattern pattern, PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          Served served = new Served();
          pattern.serve(nodes, served::refuse, served);
          nodes
              .server()
              .serve(
                  ECHO, call -> CompletableFuture.completedStage(UnaryResponse.of(call.payload())));

          int length = longBytes(world);
          CallException failed = failure(nodes, pattern.request(nodes, new byte[length]));

          assertEquals("REFUSED: too much", failed.getMessage());
          assertEquals(List.of("offered " + length), List.copyOf(served.seen));
          Remains.awaitNone(nodes, world);
          byte[] payload = BodyTest.random(300_000, 1);
          assertArrayEquals(payload, nodes.await(nodes.peer().unary(ECHO, payload)).payload());
          long came = received(nodes.server());
          assertTrue(came < length / 2, came + " bytes of bodies have come");
        });
  }
}
