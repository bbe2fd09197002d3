package io.millrace.api;

import static io.millrace.api.StreamChecks.CLEAN;
import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.awaitNothingOpen;
import static io.millrace.api.StreamChecks.failure;
import static io.millrace.api.StreamChecks.materializer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.millrace.api.codec.Codec;
import io.millrace.transfer.CallOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Codecs that fail to encode, and codecs that throw forbidden exceptions. */
@Timeout(120)
class UnencodedTest {
  /**
   * A codec of one byte: the number 3 has no encoding, and decoding the number 4 runs out of stack.
   */
  private static final Codec<Integer> DIGITS =
      new Codec<>() {
        @Override
        public ByteString encode(Integer value) {
          if (value == 3) {
            throw new IllegalArgumentException("no encoding of 3");
          }
          return ByteString.fromArray(new byte[] {value.byteValue()});
        }

        @Override
        public Integer decode(ByteString message) {
          if (message.apply(0) == 4) {
            throw new StackOverflowError("too deep");
          }
          return (int) message.apply(0);
        }
      };

  private static final Route<Integer, Integer> ROUTE = Route.of("digits", DIGITS, DIGITS);
  private static final Route<Integer, Integer> REQUESTS = Route.of("digits-up", DIGITS, DIGITS);

  private static final TransferOptions OPTIONS = TransferOptions.DEFAULTS;

  private static void assertFailed(CallOutcome outcome, String text, CallException failure) {
    assertEquals(text, failure.reason());
    assertEquals(outcome, failure.outcome());
  }

  private static void assertRequestUnencoded(CallException failure) {
    assertFailed(
        CallOutcome.SOURCE_FAILED, "the request could not be encoded: no encoding of 3", failure);
  }

  private static void assertResponseUnencoded(CallException failure) {
    assertFailed(
        CallOutcome.HANDLER_FAILED, "the response could not be encoded: no encoding of 3", failure);
  }

  private static void serveUnary(NodePair nodes) {
    nodes.server().serve(ROUTE, value -> CompletableFuture.completedFuture(value - 2));
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldFailCallsThatOneSideCannotEncode(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          serveUnary(nodes);

          assertRequestUnencoded(failure(nodes, nodes.peer().unary(ROUTE, 3)));
          assertResponseUnencoded(failure(nodes, nodes.peer().unary(ROUTE, 5)));
          assertEquals(0, await(nodes, nodes.peer().unary(ROUTE, 2)));
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldTellOfErrorsAsOfExceptions(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          serveUnary(nodes);

          assertFailed(
              CallOutcome.REQUEST_NOT_DECODED,
              "the request could not be decoded: too deep",
              failure(nodes, nodes.peer().unary(ROUTE, 4)));
          assertFailed(
              CallOutcome.RESPONSE_NOT_DECODED,
              "the response could not be decoded: too deep",
              failure(nodes, nodes.peer().unary(ROUTE, 6)));
          assertEquals(0, await(nodes, nodes.peer().unary(ROUTE, 2)));
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldFailStreamsThatOneSideCannotEncode(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          nodes.server().serveStreamingResponse(ROUTE, value -> Source.range(0, 9));
          nodes
              .server()
              .serveStreamingRequest(
                  REQUESTS,
                  requests -> requests.runWith(Sink.last(), materializer(nodes.server())));
          List<Integer> got = new ArrayList<>();

          assertRequestUnencoded(
              failure(
                  nodes, stream(nodes, nodes.peer().streamingResponse(ROUTE, 3, OPTIONS), got)));
          assertEquals(List.of(), got);
          assertResponseUnencoded(
              failure(
                  nodes, stream(nodes, nodes.peer().streamingResponse(ROUTE, 1, OPTIONS), got)));
          assertRequestUnencoded(
              failure(
                  nodes,
                  Source.range(0, 9)
                      .runWith(
                          nodes.peer().streamingRequest(REQUESTS, OPTIONS),
                          materializer(nodes.client()))));
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.World#some")
  void shouldTellTheHandlerOfARequestThatCannotBeEncoded(World world) throws Exception {
    world.run(
        CLEAN,
        (nodes, driver) -> {
          CompletableFuture<Throwable> seen = new CompletableFuture<>();
          nodes
              .server()
              .serveBidirectional(
                  ROUTE,
                  requests ->
                      requests.mapError(
                          Throwable.class,
                          failure -> {
                            seen.complete(failure);
                            return failure;
                          }));
          List<Integer> got = new ArrayList<>();

          CallException failure =
              failure(
                  nodes,
                  stream(
                      nodes,
                      Source.range(0, 9).via(nodes.peer().bidirectional(ROUTE, OPTIONS)),
                      got));

          assertFailed(
              CallOutcome.HANDLER_FAILED,
              "SOURCE_FAILED: the request could not be encoded: no encoding of 3",
              failure);
          assertRequestUnencoded(assertInstanceOf(CallException.class, nodes.await(seen)));
          awaitNothingOpen(nodes);
        });
  }

  private static CompletionStage<?> stream(
      NodePair nodes, Source<Integer, ?> responses, List<Integer> got) {
    return responses.runWith(Sink.foreach(got::add), materializer(nodes.client()));
  }
}
