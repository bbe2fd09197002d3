package io.millrace.api;

import static io.millrace.api.StreamChecks.CLEAN;
import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.awaitNothingOpen;
import static io.millrace.api.StreamChecks.failure;
import static io.millrace.api.StreamChecks.materializer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.codec.Codec;
import io.millrace.transfer.CallOutcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Elements longer than {@code millrace.transfers.message}, the limit of the sending node or of the
 * peer.
 */
@Timeout(120)
class LongElementsTest {
  private static final int LEAST = 20_000;
  private static final int MOST = 50_000;
  private static final TransferOptions OPTIONS = TransferOptions.DEFAULTS;

  /** The client sends and takes less than the server. */
  private static final World.Settings NARROW_CLIENT = settings(MOST, LEAST);

  private static final World.Settings NARROW_SERVER = settings(LEAST, MOST);

  /** A codec that encodes a number as this number of bytes. */
  private static final Codec<Integer> LENGTHS =
      new Codec<>() {
        @Override
        public ByteString encode(Integer length) {
          return ByteString.fromArrayUnsafe(new byte[length]);
        }

        @Override
        public Integer decode(ByteString message) {
          return message.length();
        }
      };

  private static final Route<Integer, Integer> TYPED = Route.of(ROUTE.name(), LENGTHS, LENGTHS);

  private enum Side {
    SENDER(""),
    RECEIVER(" of its receiver");

    private final String suffix;

    Side(String suffix) {
      this.suffix = suffix;
    }
  }

  private static World.Settings settings(int server, int client) {
    String key = "millrace.transfers.message = ";
    return new World.Settings(key + server, key + client);
  }

  private static void assertTooLong(CallOutcome outcome, String size, Side side, Throwable failed) {
    String text = "an element of " + size + " bytes is more than millrace.transfers.message = ";
    CallException failure = assertInstanceOf(CallException.class, failed);
    assertEquals(text + LEAST + side.suffix, failure.reason());
    assertEquals(outcome, failure.outcome());
  }

  private static Source<byte[], ?> elements(int... lengths) {
    return Source.range(0, lengths.length - 1).map(i -> new byte[lengths[i]]);
  }

  private static CompletionStage<?> responses(NodePair nodes) {
    return Raw.streamingResponse(nodes.peer(), UnaryRequest.of(ROUTE, new byte[0]))
        .runWith(Sink.ignore(), materializer(nodes.client()));
  }

  private static CompletionStage<?> requests(NodePair nodes, int length) {
    return elements(1, length, 1)
        .runWith(Raw.streamingRequest(nodes.peer(), ROUTE, OPTIONS), materializer(nodes.client()));
  }

  private static void serveCount(NodePair nodes) {
    Raw.serveStreamingRequest(
        nodes.server(),
        ROUTE,
        call ->
            call.elements()
                .runFold(0, (sum, each) -> sum + each.length, materializer(nodes.server()))
                .thenApply(sum -> UnaryResponse.of(new byte[0])));
  }

  @ParameterizedTest
  @EnumSource(names = {"UDP_NIO", "SIMULATED"})
  void shouldSayOfAResponseThatItsSenderDoesNotSendIt(World world) throws Exception {
    world.run(
        CLEAN,
        NARROW_SERVER,
        (nodes, driver) -> {
          CompletableFuture<Throwable> seen = new CompletableFuture<>();
          Raw.serveStreamingResponse(
              nodes.server(),
              ROUTE,
              call ->
                  Raw.StreamingResponse.of(
                      elements(LEAST, LEAST + 1, 1)
                          .watchTermination(
                              (m, end) -> {
                                end.whenComplete((done, failure) -> seen.complete(failure));
                                return m;
                              })));

          CallException failed = failure(nodes, responses(nodes));

          assertTooLong(CallOutcome.RESPONSE_TOO_LARGE, "20001", Side.SENDER, failed);
          assertTooLong(CallOutcome.RESPONSE_TOO_LARGE, "20001", Side.SENDER, nodes.await(seen));
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"UDP_NIO", "SIMULATED"})
  void shouldSayOfAResponseThatItsReceiverDoesNotTakeIt(World world) throws Exception {
    world.run(
        CLEAN,
        NARROW_CLIENT,
        (nodes, driver) -> {
          Raw.serveStreamingResponse(
              nodes.server(), ROUTE, call -> Raw.StreamingResponse.of(elements(1, MOST)));

          CallException failed = failure(nodes, responses(nodes));

          assertEquals(CallOutcome.RESPONSE_TOO_LARGE, failed.outcome());
          String text = String.valueOf(failed.getMessage());
          assertTrue(
              text.matches(
                  "RESPONSE_TOO_LARGE: an element of at least 2\\d{4} bytes is more than"
                      + " millrace.transfers.message = 20000 of its receiver .*"),
              text);
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"UDP_NIO", "SIMULATED"})
  void shouldSayOfARequestThatItsSenderDoesNotSendIt(World world) throws Exception {
    world.run(
        CLEAN,
        NARROW_CLIENT,
        (nodes, driver) -> {
          serveCount(nodes);

          CallException failed = failure(nodes, requests(nodes, LEAST + 1));

          assertTooLong(CallOutcome.PAYLOAD_TOO_LARGE, "20001", Side.SENDER, failed);
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"UDP_NIO", "SIMULATED"})
  void shouldSayOfARequestThatItsReceiverDoesNotTakeIt(World world) throws Exception {
    world.run(
        CLEAN,
        NARROW_SERVER,
        (nodes, driver) -> {
          serveCount(nodes);

          CallException failed = failure(nodes, requests(nodes, LEAST + 1));

          assertTooLong(CallOutcome.PAYLOAD_TOO_LARGE, "20001", Side.RECEIVER, failed);
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"UDP_NIO", "SIMULATED"})
  void shouldSayOfTheOneResponseToAStreamThatItIsTooLong(World world) throws Exception {
    world.run(
        CLEAN,
        NARROW_SERVER,
        (nodes, driver) -> {
          Raw.serveStreamingRequest(
              nodes.server(),
              ROUTE,
              call -> CompletableFuture.completedFuture(UnaryResponse.of(new byte[LEAST + 1])));

          CallException failed = failure(nodes, requests(nodes, 1));

          assertTooLong(CallOutcome.RESPONSE_TOO_LARGE, "20001", Side.SENDER, failed);
          awaitNothingOpen(nodes);
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"UDP_NIO", "SIMULATED"})
  void shouldSayOfTypedStreamsBothWays(World world) throws Exception {
    world.run(
        CLEAN,
        NARROW_SERVER,
        (nodes, driver) -> {
          nodes.server().serveBidirectional(TYPED, lengths -> lengths.map(length -> length + 1));

          assertTooLong(
              CallOutcome.RESPONSE_TOO_LARGE, "20001", Side.SENDER, bothWays(nodes, LEAST));
          assertTooLong(
              CallOutcome.PAYLOAD_TOO_LARGE, "20001", Side.RECEIVER, bothWays(nodes, LEAST + 1));
          awaitNothingOpen(nodes);
        });
  }

  private static CallException bothWays(NodePair nodes, int length) {
    return failure(
        nodes,
        Source.from(List.of(1, length))
            .via(nodes.peer().bidirectional(TYPED, OPTIONS))
            .runWith(Sink.ignore(), materializer(nodes.client())));
  }

  /** A handler that fails with the failure of its own other call counts as failed. */
  @ParameterizedTest
  @EnumSource(names = {"UDP_NIO", "SIMULATED"})
  void shouldNotTakeTheFailureOfAnotherCallForItsOwn(World world) throws Exception {
    world.run(
        CLEAN,
        NARROW_SERVER,
        (nodes, driver) -> {
          CallException other = new CallException(CallOutcome.PAYLOAD_TOO_LARGE, "elsewhere");
          Raw.serveStreamingRequest(
              nodes.server(), ROUTE, call -> CompletableFuture.failedFuture(other));

          CallException failed = failure(nodes, requests(nodes, 1));

          assertEquals(CallOutcome.HANDLER_FAILED, failed.outcome());
          assertEquals("PAYLOAD_TOO_LARGE: elsewhere", failed.reason());
          awaitNothingOpen(nodes);
        });
  }
}
