package io.millrace.api;

import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.awaitNothingOpen;
import static io.millrace.api.StreamChecks.failure;
import static io.millrace.api.StreamChecks.materializer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Headers of a stream's response are held to {@code millrace.limits.headers} at both sides. */
@Timeout(60)
class StreamHeadersTest {
  private static final RouteId ONCE = RouteId.of("once");
  private static final int MOST = 1_000;

  private static void serve(Transport server) {
    Raw.serveStreamingResponse(
        server,
        ROUTE,
        call ->
            new Raw.StreamingResponse(
                new byte[call.payload().length], Source.single(new byte[2 * MOST])));
    Raw.serveStreamingRequest(
        server,
        ONCE,
        call ->
            CompletableFuture.completedFuture(new UnaryResponse(new byte[MOST + 1], new byte[0])));
  }

  private static CompletionStage<byte[]> headers(TwoNodes nodes, int length) {
    return Raw.streamingResponse(nodes.peer(), UnaryRequest.of(ROUTE, new byte[length]))
        .toMat(Sink.ignore(), Keep.left())
        .run(materializer(nodes.client()));
  }

  @Test
  void shouldNotSendMoreThanItsNodeTakes() throws Exception {
    try (TwoNodes nodes = new TwoNodes("millrace.limits.headers = " + MOST)) {
      serve(nodes.server());
      assertArrayEquals(new byte[MOST], StreamChecks.await(nodes, headers(nodes, MOST)));
      assertTooLarge(failure(nodes, headers(nodes, MOST + 1)));
      assertTooLarge(
          failure(
              nodes,
              Source.<byte[]>empty()
                  .runWith(
                      Raw.streamingRequest(nodes.peer(), ONCE, TransferOptions.DEFAULTS),
                      materializer(nodes.client()))));
      awaitNothingOpen(nodes);
    }
  }

  private static void assertTooLarge(CallException failed) {
    assertEquals(CallOutcome.RESPONSE_TOO_LARGE, failed.outcome());
    String text = String.valueOf(failed.getMessage());
    assertTrue(text.contains("1001 bytes") && text.contains("millrace.limits.headers"), text);
  }

  @Test
  void shouldNotBeSentMoreThanItsOwnLimit() throws Exception {
    try (Transport server = Transport.start(TwoNodes.settings("millrace.limits.headers = 5000"));
        TwoNodes nodes = new TwoNodes("millrace.limits.headers = " + MOST)) {
      serve(server);
      CompletionStage<byte[]> headers =
          Raw.streamingResponse(
                  nodes.client().peer(server.address()), UnaryRequest.of(ROUTE, new byte[MOST + 1]))
              .toMat(Sink.ignore(), Keep.left())
              .run(materializer(nodes.client()));
      CallException failed = failure(nodes, headers);
      assertEquals(CallOutcome.RESPONSE_TOO_LARGE, failed.outcome());
      assertTrue(String.valueOf(failed.getMessage()).contains("millrace.limits.headers"));
      assertTrue(nodes.awaitUntil(() -> StreamCensus.open(server) == 0));
      assertTrue(nodes.awaitUntil(() -> StreamCensus.open(nodes.client()) == 0));
    }
  }
}
