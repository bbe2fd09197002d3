package io.millrace.api;

import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.failure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.codec.Codec;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.agrona.DirectBuffer;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An error of the application's code ends one transfer, with its cause, and no other transfer. */
@Timeout(60)
class ThrownErrorsTest {
  private static final Codec<byte[]> GOOD = ByteArrays.CODEC;
  private static final byte[] VALUE = {1, 2, 3};
  private static final RouteId RAW = RouteId.of("raw");

  /** Returns the error for a codec to throw; each error is fatal to most frameworks. */
  private static Error planted(String where) {
    return new StackOverflowError("planted in " + where);
  }

  private static final Codec<byte[]> NO_ENCODING =
      new Codec<>() {
        @Override
        public ByteString encode(byte[] value) {
          throw planted("encode");
        }

        @Override
        public byte[] decode(ByteString message) throws Exception {
          return GOOD.decode(message);
        }
      };

  private static final Codec<byte[]> NO_DECODING =
      new Codec<>() {
        @Override
        public ByteString encode(byte[] value) throws Exception {
          return GOOD.encode(value);
        }

        @Override
        public byte[] decode(ByteString message) {
          throw planted("decode");
        }
      };

  private static CompletionStage<byte[]> echo(byte[] value) {
    return CompletableFuture.completedFuture(value);
  }

  private static Route<byte[], byte[]> route(
      String name, Codec<byte[]> requests, Codec<byte[]> responses) {
    return Route.of(name, requests, responses);
  }

  /** Checks that one stream in each pattern of the client's route fails. */
  private static void assertStreamsFail(
      TwoNodes nodes, Route<byte[], byte[]> there, Route<byte[], byte[]> here, CallOutcome outcome)
      throws Exception {
    try (Registration _ =
        nodes.server.serveStreamingRequest(
            there, requests -> requests.runWith(Sink.last(), nodes.server.materializer()))) {
      CompletionStage<byte[]> request =
          Source.single(VALUE)
              .runWith(nodes.peer().streamingRequest(here), nodes.client.materializer());
      assertEquals(outcome, failure(nodes, request).outcome());
    }
    try (Registration _ = nodes.server.serveStreamingResponse(there, Source::single)) {
      CompletionStage<byte[]> response =
          nodes
              .peer()
              .streamingResponse(here, VALUE)
              .toMat(Sink.head(), Keep.right())
              .run(nodes.client.materializer());
      assertEquals(outcome, failure(nodes, response).outcome());
    }
  }

  private static void assertHealthy(TwoNodes nodes) throws Exception {
    Route<byte[], byte[]> healthy = route("healthy", GOOD, GOOD);
    try (Registration _ = nodes.server.serve(healthy, ThrownErrorsTest::echo)) {
      assertEquals(3, await(nodes, nodes.peer().unary(healthy, VALUE)).length);
    }
    StreamChecks.awaitNothingOpen(nodes);
  }

  @Test
  void shouldEndTheTransferWhoseCodecThrowsAnError() throws Exception {
    Route<byte[], byte[]> good = route("r", GOOD, GOOD);
    try (TwoNodes nodes = new TwoNodes("")) {
      try (Registration _ = nodes.server.serve(good, ThrownErrorsTest::echo)) {
        CallException unsent =
            failure(nodes, nodes.peer().unary(route("r", NO_ENCODING, GOOD), VALUE));
        assertEquals(CallOutcome.SOURCE_FAILED, unsent.outcome());
        assertInstanceOf(StackOverflowError.class, unsent.getCause());
        assertTrue(
            String.valueOf(unsent.getMessage()).contains("planted in encode"), unsent.getMessage());
        CallException unread =
            failure(nodes, nodes.peer().unary(route("r", GOOD, NO_DECODING), VALUE));
        assertEquals(CallOutcome.RESPONSE_NOT_DECODED, unread.outcome());
        assertTrue(
            String.valueOf(unread.getMessage()).contains("planted in decode"), unread.getMessage());
      }
      try (Registration _ =
          nodes.server.serve(route("r", NO_DECODING, GOOD), ThrownErrorsTest::echo)) {
        CallException refused = failure(nodes, nodes.peer().unary(good, VALUE));
        assertEquals(CallOutcome.REQUEST_NOT_DECODED, refused.outcome());
      }
      try (Registration _ =
          nodes.server.serve(route("r", GOOD, NO_ENCODING), ThrownErrorsTest::echo)) {
        CallException failed = failure(nodes, nodes.peer().unary(good, VALUE));
        assertEquals(CallOutcome.HANDLER_FAILED, failed.outcome());
        assertTrue(
            String.valueOf(failed.getMessage()).contains("planted in encode"), failed.getMessage());
      }
      assertStreamsFail(nodes, good, route("r", NO_ENCODING, GOOD), CallOutcome.SOURCE_FAILED);
      assertStreamsFail(
          nodes, good, route("r", GOOD, NO_DECODING), CallOutcome.RESPONSE_NOT_DECODED);
      assertStreamsFail(nodes, route("r", GOOD, NO_ENCODING), good, CallOutcome.HANDLER_FAILED);
      assertHealthy(nodes);
    }
  }

  /** The raw forms have no codec to turn an error into an exception. */
  @Test
  void shouldEndTheCallWhoseHandlersWorkOrHeadersThrowAnError() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serve(
          nodes.server,
          RAW,
          call ->
              new CompletableFuture<UnaryResponse>() {
                @Override
                public boolean isDone() {
                  throw planted("isDone");
                }
              });
      CallException failed = failure(nodes, Raw.unary(nodes.peer(), RAW, VALUE));
      assertEquals(CallOutcome.HANDLER_FAILED, failed.outcome());
      assertHealthy(nodes);
    }
  }

  /** The answer arrives as a body, so the executor calls the completion. */
  @Test
  void shouldTellOfACompletionOnTheWorkerThatThrowsAnError() throws Exception {
    byte[] large = new byte[300_000];
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serve(
          nodes.server,
          RAW,
          call -> CompletableFuture.completedFuture(new UnaryResponse(new byte[0], large)));
      Raw.unary(
          nodes.peer(),
          UnaryRequest.of(RAW, VALUE),
          new WorkerCompletion() {
            @Override
            public void onResponse(DirectBuffer buffer, int offset, int length) {
              throw planted("a completion");
            }

            @Override
            public void onFailure(CallException failure) {
              throw new AssertionError(failure);
            }
          });
      assertTrue(nodes.awaitUntil(() -> nodes.clientEvents().count("CompletionFault") == 1));
      assertEquals(0, nodes.clientEvents().count("WorkerFault"));
      assertHealthy(nodes);
    }
  }
}
