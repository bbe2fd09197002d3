package io.millrace.api;

import static io.millrace.api.StreamChecks.ANSWERED;
import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.assertElements;
import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.awaitNothingOpen;
import static io.millrace.api.StreamChecks.elements;
import static io.millrace.api.StreamChecks.failure;
import static io.millrace.api.StreamChecks.materializer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Headers of a stream's response that the handler decides after its answer. */
@Timeout(120)
class LateHeadersTest {
  private static final Route<byte[], byte[]> TYPED =
      Route.of("typed", ByteArrays.CODEC, ByteArrays.CODEC);
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int COUNT = 40;

  /** The handler's answer, and the future that completes with the answer. */
  record Answer(
      CompletionStage<byte[]> headers,
      Source<byte[], ?> elements,
      CompletableFuture<Boolean> given) {
    Raw.StreamingResponse bytes() {
      given.complete(true);
      return new Raw.StreamingResponse(headers, elements);
    }

    Source<byte[], ?> typed(CallContext context) {
      context.answerHeaders(decoded());
      given.complete(true);
      return elements;
    }

    /**
     * Returns the decoded headers; the returned stage ends with the given stage, cancelled or not.
     */
    private CompletionStage<Headers> decoded() {
      CompletionStage<Headers> decoded = headers.thenApply(Headers::decode);
      decoded.whenComplete((value, failure) -> HandlerFuture.cancel(headers));
      return decoded;
    }
  }

  enum Api {
    RESPONSE {
      @Override
      void serve(Transport server, Answer answer) {
        Raw.serveStreamingResponse(server, ROUTE, call -> answer.bytes());
      }

      @Override
      Source<byte[], CompletionStage<byte[]>> ask(Peer peer) {
        return Raw.streamingResponse(peer, UnaryRequest.of(ROUTE, new byte[1]));
      }
    },
    TYPED_RESPONSE {
      @Override
      void serve(Transport server, Answer answer) {
        server.serveStreamingResponse(TYPED, (call, context) -> answer.typed(context));
      }

      @Override
      Source<byte[], CompletionStage<byte[]>> ask(Peer peer) {
        return peer.streamingResponseWithHeaders(TYPED, new byte[1], TransferOptions.DEFAULTS)
            .mapMaterializedValue(headers -> headers.thenApply(Headers::encode));
      }
    },
    BIDIRECTIONAL {
      @Override
      void serve(Transport server, Answer answer) {
        Raw.serveBidirectional(server, ROUTE, call -> answer.bytes());
      }

      @Override
      Source<byte[], CompletionStage<byte[]>> ask(Peer peer) {
        return Source.<byte[]>empty()
            .viaMat(Raw.bidirectional(peer, ROUTE, TransferOptions.DEFAULTS), Keep.right());
      }
    },
    TYPED_BIDIRECTIONAL {
      @Override
      void serve(Transport server, Answer answer) {
        server.serveBidirectional(TYPED, (call, context) -> answer.typed(context));
      }

      @Override
      Source<byte[], CompletionStage<byte[]>> ask(Peer peer) {
        return Source.<byte[]>empty()
            .viaMat(peer.bidirectionalWithHeaders(TYPED, TransferOptions.DEFAULTS), Keep.right())
            .mapMaterializedValue(headers -> headers.thenApply(Headers::encode));
      }
    };

    abstract void serve(Transport server, Answer answer);

    abstract Source<byte[], CompletionStage<byte[]>> ask(Peer peer);
  }

  /** One stream and the facts about the stream. */
  private static final class Asked {
    private final NodePair nodes;
    private final CompletableFuture<byte[]> headers = new CompletableFuture<>();
    private final CompletableFuture<Boolean> answered = new CompletableFuture<>();
    private final AtomicInteger pulled = new AtomicInteger();
    private final CompletionStage<byte[]> gotHeaders;
    private final CompletionStage<List<byte[]>> gotElements;

    Asked(NodePair nodes, Api api) {
      this.nodes = nodes;
      Source<byte[], ?> counted =
          elements(COUNT)
              .map(
                  element -> {
                    pulled.incrementAndGet();
                    return element;
                  });
      api.serve(nodes.server(), new Answer(headers, counted, answered));
      Pair<CompletionStage<byte[]>, CompletionStage<List<byte[]>>> both =
          api.ask(nodes.peer()).toMat(Sink.seq(), Keep.both()).run(materializer(nodes.client()));
      gotHeaders = both.first();
      gotElements = both.second();
    }

    /** Waits until the handler has answered, and a later message has come back. */
    void awaitAnswer() throws Exception {
      await(nodes, answered);
      Raw.serve(
          nodes.server(),
          ECHO,
          call -> CompletableFuture.completedStage(UnaryResponse.of(call.payload())));
      await(nodes, Raw.unary(nodes.peer(), ECHO, new byte[1]));
    }
  }

  private static Stream<Arguments> all(TestInfo test) {
    return Combinations.dealt(Api.values(), PatternWorld.all(test));
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldComeAheadOfElementsThatAreNotAskedForBefore(Api api, PatternWorld world)
      throws Exception {
    world.run(
        nodes -> {
          Asked asked = new Asked(nodes, api);
          asked.awaitAnswer();
          assertEquals(0, asked.pulled.get());
          assertFalse(asked.gotHeaders.toCompletableFuture().isDone());

          asked.headers.complete(ANSWERED);

          assertArrayEquals(ANSWERED, await(nodes, asked.gotHeaders));
          assertElements(COUNT, await(nodes, asked.gotElements));
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("all")
  void shouldFailTheStreamIfTheyFail(Api api, PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          Asked asked = new Asked(nodes, api);
          asked.awaitAnswer();

          asked.headers.completeExceptionally(new IllegalStateException("not found"));

          for (CompletionStage<?> each : List.of(asked.gotHeaders, asked.gotElements)) {
            CallException failed = failure(nodes, each);
            assertEquals(CallOutcome.HANDLER_FAILED, failed.outcome());
            assertEquals("not found", failed.reason());
          }
          assertEquals(0, asked.pulled.get());
          awaitNothingOpen(nodes);
        });
  }

  /** No caller waits any more for headers decided too late. */
  @ParameterizedTest
  @MethodSource("all")
  void shouldBeForNobodyOnceTheCallerHasGone(Api api, PatternWorld world) throws Exception {
    world.run(
        nodes -> {
          CompletableFuture<byte[]> headers = new CompletableFuture<>();
          CompletableFuture<Boolean> answered = new CompletableFuture<>();
          api.serve(nodes.server(), new Answer(headers, elements(COUNT), answered));
          var _ = api.ask(nodes.peer()).runWith(Sink.cancelled(), materializer(nodes.client()));
          awaitNothingOpen(nodes);

          headers.complete(ANSWERED);

          awaitNothingOpen(nodes);
        });
  }
}
