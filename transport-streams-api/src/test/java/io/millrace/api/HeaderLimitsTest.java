package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.body.ArraySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two nodes with different limits for headers: neither node sends headers that the other node must
 * refuse.
 */
@Timeout(120)
class HeaderLimitsTest {
  private static final int MOST = 1_000;
  private static final String LESS = "millrace.limits.headers = " + MOST;
  private static final RouteId UNARY = RouteId.of("unary");
  private static final RouteId ON_WORKER = RouteId.of("on-worker");
  private static final RouteId BULK = RouteId.of("bulk");
  private static final RouteId RESPONSES = RouteId.of("responses");
  private static final RouteId REQUESTS = RouteId.of("requests");
  private static final RouteId BOTH = RouteId.of("both");
  private static final byte[] SMALL = new byte[10];
  private static final byte[] LARGE = BodyTest.random(100_000, 1);

  /** Serves all patterns; every handler answers with this number of header bytes. */
  private static void serve(Transport server, int answered) {
    byte[] headers = new byte[answered];
    Raw.serve(
        server,
        UNARY,
        call -> CompletableFuture.completedFuture(new UnaryResponse(headers, call.payload())));
    Raw.serveOnWorker(
        server, ON_WORKER, call -> call.reply(answered, 1).setMemory(0, answered, (byte) 0));
    Raw.serveBulkWrites(
        server,
        BULK,
        offer ->
            CompletableFuture.completedFuture(
                BulkTarget.withHeaders(() -> Headers.decode(headers), new BodyTest.Collector())));
    Raw.serveBulkReads(
        server,
        BULK,
        offer ->
            CompletableFuture.completedFuture(
                BulkSource.withHeaders(Headers.decode(headers), source())));
    Raw.serveStreamingResponse(
        server, RESPONSES, call -> new Raw.StreamingResponse(headers, Source.single(SMALL)));
    Raw.serveStreamingRequest(
        server,
        REQUESTS,
        call ->
            call.elements()
                .runWith(Sink.ignore(), server.materializer())
                .thenApply(done -> new UnaryResponse(headers, SMALL)));
    Raw.serveBidirectional(
        server, BOTH, call -> new Raw.StreamingResponse(headers, call.elements()));
  }

  private static ArraySource source() {
    return new ArraySource(LARGE, 0, LARGE.length);
  }

  /** Returns one call of every kind, with this number of header bytes. */
  private static List<CompletionStage<?>> calls(NodePair nodes, int asked) {
    Peer peer = nodes.peer();
    TransferOptions options = TransferOptions.DEFAULTS.withHeaders(new byte[asked]);
    Source<byte[], ?> elements = Source.range(1, 20).map(StreamChecks::element);
    return List.of(
        Raw.unary(peer, new UnaryRequest(UNARY, SMALL, options)),
        Raw.unary(peer, new UnaryRequest(UNARY, LARGE, options)),
        Raw.unary(peer, new UnaryRequest(ON_WORKER, SMALL, options)),
        Raw.bulkWrite(peer, BULK, source(), options),
        Raw.bulkRead(peer, BULK, new BodyTest.Collector(), options),
        Raw.streamingResponse(peer, new UnaryRequest(RESPONSES, SMALL, options))
            .toMat(Sink.ignore(), Keep.left())
            .run(nodes.client().materializer()),
        Raw.streamingResponse(peer, new UnaryRequest(RESPONSES, LARGE, options))
            .toMat(Sink.ignore(), Keep.left())
            .run(nodes.client().materializer()),
        elements.runWith(
            Raw.streamingRequest(peer, REQUESTS, options), nodes.client().materializer()),
        elements
            .viaMat(Raw.bidirectional(peer, BOTH, options), Keep.right())
            .toMat(Sink.ignore(), Keep.left())
            .run(nodes.client().materializer()),
        Raw.broadcast(
                nodes.client(), BULK, source(), new byte[asked], List.of(Destination.of(peer)))
            .deliveries()
            .getFirst()
            .receipt());
  }

  private static void assertAllEnd(NodePair nodes, int asked, CallOutcome outcome)
      throws Exception {
    int number = 0;
    for (CompletionStage<?> call : calls(nodes, asked)) {
      if (outcome == CallOutcome.OK) {
        StreamChecks.await(nodes, call);
      } else {
        CallException failed = StreamChecks.failure(nodes, call);
        assertEquals(
            (MOST + 1)
                + " bytes of headers are more than millrace.limits.headers = "
                + MOST
                + " of their receiver",
            failed.reason(),
            "call " + number);
        assertEquals(outcome, failed.outcome());
      }
      number++;
    }
  }

  private static void assertUndisturbed(NodePair nodes, PatternWorld world) {
    Remains.awaitNone(nodes, world);
    for (Transport node : List.of(nodes.client(), nodes.server())) {
      assertEquals(0, node.pool().port(0).counters().protocolViolations);
    }
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldNotSendLongerRequestHeadersThanThePeerTakes(PatternWorld world) throws Exception {
    world.run(
        new World.Settings(LESS, ""),
        nodes -> {
          serve(nodes.server(), 0);
          // The first calls wait for the handshake, which announces the limit.
          assertAllEnd(nodes, MOST + 1, CallOutcome.PAYLOAD_TOO_LARGE);
          assertEquals(
              0, nodes.server().snapshot().workers().getFirst().transfers().requestsServed());
          assertAllEnd(nodes, MOST, CallOutcome.OK);
          assertUndisturbed(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldNotSendLongerResponseHeadersThanTheCallerTakes(PatternWorld world) throws Exception {
    world.run(
        new World.Settings("", LESS),
        nodes -> {
          serve(nodes.server(), MOST + 1);
          assertAllEnd(nodes, 0, CallOutcome.RESPONSE_TOO_LARGE);
          assertUndisturbed(nodes, world);
        });
  }

  @ParameterizedTest
  @MethodSource("io.millrace.api.PatternWorld#of")
  void shouldAnswerWithAsLongHeadersAsTheCallerTakes(PatternWorld world) throws Exception {
    world.run(
        new World.Settings("", LESS),
        nodes -> {
          serve(nodes.server(), MOST);
          assertAllEnd(nodes, 0, CallOutcome.OK);
          assertUndisturbed(nodes, world);
        });
  }
}
