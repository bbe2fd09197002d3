package io.millrace.api;

import static io.millrace.api.StreamChecks.CLEAN;
import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.awaitNothingOpen;
import static io.millrace.api.StreamChecks.failure;
import static io.millrace.api.StreamChecks.materializer;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.codec.Codec;
import io.millrace.api.codec.CodecException;
import io.millrace.api.codec.jackson.JacksonCodec;
import io.millrace.transfer.CallOutcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.pekko.stream.ActorAttributes;
import org.apache.pekko.stream.Supervision;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages that one side cannot read or write: one transfer fails with one exception that names the
 * message and the cause. Earlier messages have arrived, no transfer stays open, and the path goes
 * on.
 */
@Timeout(120)
class UndecodedTest {
  private static final Codec<Integer> JSON = JacksonCodec.of(Integer.class);
  private static final Codec<byte[]> BYTES = ByteArrays.CODEC;
  private static final byte[] BAD = "{\"oops\":".getBytes(UTF_8);
  private static final TransferOptions OPTIONS = TransferOptions.DEFAULTS;

  private static final Route<Integer, Integer> NUMBERS = Route.of("numbers", JSON, JSON);

  /** The same route at a side with another encoding. */
  private static final Route<byte[], Integer> BAD_REQUESTS = Route.of("numbers", BYTES, JSON);

  private static final Route<Integer, byte[]> BAD_RESPONSES = Route.of("numbers", JSON, BYTES);

  private static byte[] json(int number) {
    return Integer.toString(number).getBytes(UTF_8);
  }

  /** The messages of the numbers 0 to 9; the fourth message is no number. */
  private static Source<byte[], ?> badFourth() {
    return Source.range(0, 9).map(i -> i == 3 ? BAD : json(i));
  }

  private static <T> CompletionStage<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }

  private static void assertFailed(CallOutcome outcome, String what, CallException failure) {
    assertEquals(outcome, failure.outcome());
    String text = String.valueOf(failure.getMessage());
    assertTrue(text.startsWith(outcome + ": " + what), text);
  }

  private static void assertRequestNotDecoded(CallException failure) {
    assertFailed(
        CallOutcome.REQUEST_NOT_DECODED, "the request could not be decoded: Cannot", failure);
  }

  private static void assertResponseNotDecoded(CallException failure) {
    assertFailed(
        CallOutcome.RESPONSE_NOT_DECODED, "the response could not be decoded: Cannot", failure);
  }

  /** Checks that the path still carries calls, and that no other transfer is open. */
  private static void assertUnharmed(NodePair nodes) throws Exception {
    Route<Integer, Integer> healthy = Route.of("healthy", JSON, JSON);
    nodes.server().serve(healthy, value -> done(value + 1));
    assertEquals(8, await(nodes, nodes.peer().unary(healthy, 7)));
    awaitNothingOpen(nodes);
    if (nodes instanceof TwoNodes sockets) {
      assertEquals(1, sockets.clientEvents().count("HandshakeCompleted"));
    }
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldAnswerACallThatCannotBeDecoded(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          AtomicInteger handled = new AtomicInteger();
          nodes
              .server()
              .serve(
                  NUMBERS,
                  call -> {
                    handled.incrementAndGet();
                    return done(call);
                  });

          assertRequestNotDecoded(failure(nodes, nodes.peer().unary(BAD_REQUESTS, BAD)));
          assertEquals(0, handled.get());
          assertEquals(5, await(nodes, nodes.peer().unary(NUMBERS, 5)));
          assertUnharmed(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldFailACallWhoseAnswerCannotBeDecoded(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          nodes.server().serve(BAD_RESPONSES, call -> done(BAD));

          assertResponseNotDecoded(failure(nodes, nodes.peer().unary(NUMBERS, 5)));
          assertUnharmed(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldRefuseToStreamForARequestThatCannotBeDecoded(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          nodes.server().serveStreamingResponse(NUMBERS, value -> Source.repeat(value));

          assertRequestNotDecoded(
              failure(
                  nodes,
                  nodes
                      .peer()
                      .streamingResponse(BAD_REQUESTS, BAD, OPTIONS)
                      .runWith(Sink.ignore(), materializer(nodes.client()))));
          assertUnharmed(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldEndAStreamAtAResponseThatCannotBeDecoded(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          nodes
              .server()
              .serveStreamingResponse(BAD_RESPONSES, call -> badFourth().concat(Source.maybe()));
          List<Integer> got = new ArrayList<>();

          assertResponseNotDecoded(
              failure(
                  nodes,
                  nodes
                      .peer()
                      .streamingResponse(NUMBERS, 5, OPTIONS)
                      .toMat(Sink.foreach(got::add), Keep.right())
                      .withAttributes(
                          ActorAttributes.withSupervisionStrategy(Supervision.getResumingDecider()))
                      .run(materializer(nodes.client()))));
          assertEquals(List.of(0, 1, 2), got);
          assertUnharmed(nodes);
        });
  }

  /** The reactions of a stream's handler to failed requests. */
  enum Handling {
    PASSES_ON {
      @Override
      Source<Integer, ?> responses(Source<Integer, ?> requests, Transport server) {
        return requests;
      }
    },
    RECOVERS {
      @Override
      Source<Integer, ?> responses(Source<Integer, ?> requests, Transport server) {
        return requests.recover(CodecException.class, () -> 1_000);
      }
    },
    LOOKS_AWAY {
      @Override
      Source<Integer, ?> responses(Source<Integer, ?> requests, Transport server) {
        requests.runWith(Sink.ignore(), materializer(server));
        return Source.maybe();
      }
    };

    abstract Source<Integer, ?> responses(Source<Integer, ?> requests, Transport server);
  }

  private static Stream<Arguments> worldsAndHandlings() {
    return Combinations.dealt(World.values(), Handling.values());
  }

  @ParameterizedTest
  @MethodSource("worldsAndHandlings")
  void shouldAnswerRequestsOfWhichOneCannotBeDecoded(World world, Handling handling)
      throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          List<Integer> got = Collections.synchronizedList(new ArrayList<>());
          CompletableFuture<Throwable> seen = new CompletableFuture<>();
          nodes
              .server()
              .serveStreamingRequest(
                  NUMBERS,
                  requests ->
                      handling
                          .responses(noted(requests, got, seen), nodes.server())
                          .runWith(Sink.last(), materializer(nodes.server())));

          assertRequestNotDecoded(
              failure(
                  nodes,
                  badFourth()
                      .concat(Source.maybe())
                      .runWith(
                          nodes.peer().streamingRequest(BAD_REQUESTS, OPTIONS),
                          materializer(nodes.client()))));
          assertInstanceOf(CodecException.class, nodes.await(seen));
          assertEquals(List.of(0, 1, 2), got);
          assertUnharmed(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("worldsAndHandlings")
  void shouldFailBothWaysOfAStreamOfWhichOneRequestCannotBeDecoded(World world, Handling handling)
      throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          List<Integer> got = Collections.synchronizedList(new ArrayList<>());
          CompletableFuture<Throwable> seen = new CompletableFuture<>();
          nodes
              .server()
              .serveBidirectional(
                  NUMBERS,
                  requests -> handling.responses(noted(requests, got, seen), nodes.server()));

          assertRequestNotDecoded(
              failure(
                  nodes,
                  badFourth()
                      .concat(Source.maybe())
                      .via(nodes.peer().bidirectional(BAD_REQUESTS, OPTIONS))
                      .runWith(Sink.ignore(), materializer(nodes.client()))));
          assertInstanceOf(CodecException.class, nodes.await(seen));
          assertEquals(List.of(0, 1, 2), got);
          assertUnharmed(nodes);
        });
  }

  private static Source<Integer, ?> noted(
      Source<Integer, ?> requests, List<Integer> got, CompletableFuture<Throwable> seen) {
    return requests
        .map(
            number -> {
              got.add(number);
              return number;
            })
        .mapError(
            Throwable.class,
            failure -> {
              seen.complete(failure);
              return failure;
            });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldFailRequestsWhoseAnswerCannotBeDecoded(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          nodes
              .server()
              .serveStreamingRequest(
                  BAD_RESPONSES,
                  requests ->
                      requests
                          .runWith(Sink.ignore(), materializer(nodes.server()))
                          .thenApply(end -> BAD));

          assertResponseNotDecoded(
              failure(
                  nodes,
                  Source.range(0, 9)
                      .runWith(
                          nodes.peer().streamingRequest(NUMBERS, OPTIONS),
                          materializer(nodes.client()))));
          assertUnharmed(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldEndTheWayBackAtAResponseThatCannotBeDecoded(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          nodes
              .server()
              .serveBidirectional(
                  BAD_RESPONSES,
                  requests -> requests.map(number -> number == 3 ? BAD : json(number)));
          List<Integer> got = new ArrayList<>();
          Flow<Integer, Integer, ?> stream = nodes.peer().bidirectional(NUMBERS, OPTIONS);

          assertResponseNotDecoded(
              failure(
                  nodes,
                  Source.range(0, 9)
                      .concat(Source.maybe())
                      .via(stream)
                      .runWith(Sink.foreach(got::add), materializer(nodes.client()))));
          assertEquals(List.of(0, 1, 2), got);
          assertUnharmed(nodes);
        });
  }
}
