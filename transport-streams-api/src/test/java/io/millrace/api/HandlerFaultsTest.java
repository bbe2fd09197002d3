package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.PlacementException;
import io.millrace.body.ArraySource;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The node reports and counts exceptions of handlers, without a flood of events. */
@Timeout(60)
class HandlerFaultsTest {
  private static final RouteId ROUTE = RouteId.of("faulty");
  private static final byte[] SMALL = new byte[8];

  /** The application's own error, meant as an answer. */
  private static final class Unwanted extends RuntimeException implements IntendedFailure {
    private static final long serialVersionUID = 1L;
  }

  private static IllegalStateException fault() {
    return new IllegalStateException("on purpose");
  }

  private static void fails(TwoNodes nodes, CallOutcome outcome, CompletionStage<?> call) {
    assertEquals(outcome, StreamChecks.failure(nodes, call).outcome());
  }

  private static CompletionStage<byte[]> stream(TwoNodes nodes) {
    return Raw.streamingResponse(nodes.peer(), UnaryRequest.of(ROUTE, SMALL))
        .toMat(Sink.head(), Keep.right())
        .run(nodes.client.materializer());
  }

  private static void assertTold(TwoNodes nodes, String pattern, String fault) {
    assertTrue(nodes.awaitUntil(() -> nodes.serverEvents().count("HandlerFault") == 1));
    String line =
        nodes.serverEvents().lines().stream()
            .filter(each -> each.startsWith("HandlerFault"))
            .findFirst()
            .orElseThrow();
    String expected =
        "HandlerFault peer="
            + nodes.client.address()
            + " route=faulty pattern="
            + pattern
            + " fault="
            + fault
            + " count=1";
    assertEquals(expected, line);
    assertEquals(1, nodes.server.snapshot().handlerFaults());
    assertEquals(0, nodes.client.snapshot().handlerFaults());
  }

  private interface Plan {
    void run(TwoNodes nodes) throws Exception;
  }

  private static void run(Plan plan) throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      plan.run(nodes);
    }
  }

  private static final String FAULT = "java.lang.IllegalStateException: on purpose";

  @Test
  @SuppressWarnings("NullAway") // a handler may answer null all the same
  void shouldTellOfUnaryHandlers() throws Exception {
    List<Raw.UnaryHandler> bad =
        List.of(
            call -> {
              throw fault();
            },
            call -> CompletableFuture.failedFuture(fault()));
    for (Raw.UnaryHandler handler : bad) {
      run(
          nodes -> {
            Raw.serve(nodes.server, ROUTE, handler);
            fails(nodes, CallOutcome.HANDLER_FAILED, Raw.unary(nodes.peer(), ROUTE, SMALL));
            assertTold(nodes, "unary", FAULT);
          });
    }
    run(
        nodes -> {
          Raw.serve(
              nodes.server,
              ROUTE,
              call -> {
                throw new AssertionError("on purpose");
              });
          fails(nodes, CallOutcome.HANDLER_FAILED, Raw.unary(nodes.peer(), ROUTE, SMALL));
          assertTold(nodes, "unary", "java.lang.AssertionError: on purpose");
        });
    run(
        nodes -> {
          Raw.serve(nodes.server, ROUTE, call -> CompletableFuture.completedFuture(null));
          fails(nodes, CallOutcome.HANDLER_FAILED, Raw.unary(nodes.peer(), ROUTE, SMALL));
          assertTold(nodes, "unary", "java.lang.NullPointerException: the handler answered null");
        });
  }

  @Test
  void shouldTellOfHandlersOnTheWorker() throws Exception {
    run(
        nodes -> {
          Raw.serveOnWorker(
              nodes.server,
              ROUTE,
              call -> {
                throw fault();
              });
          fails(nodes, CallOutcome.HANDLER_FAILED, Raw.unary(nodes.peer(), ROUTE, SMALL));
          assertTold(nodes, "unary", FAULT);
        });
    run(
        nodes -> {
          Raw.serveOnWorker(nodes.server, ROUTE, call -> {});
          fails(nodes, CallOutcome.HANDLER_FAILED, Raw.unary(nodes.peer(), ROUTE, SMALL));
          assertTold(nodes, "unary", "java.lang.IllegalStateException: the handler did not answer");
        });
  }

  @Test
  void shouldTellOfThoseThatNameSourcesAndTargets() throws Exception {
    run(
        nodes -> {
          Raw.serveBulkReads(nodes.server, ROUTE, offer -> CompletableFuture.failedFuture(fault()));
          BodyTarget target = new BodyTest.Collector();
          fails(
              nodes,
              CallOutcome.REFUSED,
              Raw.bulkRead(nodes.peer(), ROUTE, target, TransferOptions.DEFAULTS));
          assertTold(nodes, "bulk read", FAULT);
        });
    run(
        nodes -> {
          Raw.serveBulkWrites(
              nodes.server,
              ROUTE,
              offer -> {
                throw fault();
              });
          BodySource source = new ArraySource(SMALL, 0, SMALL.length);
          fails(
              nodes,
              CallOutcome.REFUSED,
              Raw.bulkWrite(nodes.peer(), ROUTE, source, TransferOptions.DEFAULTS));
          assertTold(nodes, "bulk write", FAULT);
        });
  }

  @Test
  void shouldTellOfStreams() throws Exception {
    List<Raw.ResponseHandler> bad =
        List.of(
            call -> {
              throw fault();
            },
            call -> Raw.StreamingResponse.of(Source.failed(fault())),
            call ->
                new Raw.StreamingResponse(
                    CompletableFuture.failedFuture(fault()), Source.single(SMALL)));
    for (Raw.ResponseHandler handler : bad) {
      run(
          nodes -> {
            Raw.serveStreamingResponse(nodes.server, ROUTE, handler);
            fails(nodes, CallOutcome.HANDLER_FAILED, stream(nodes));
            assertTold(nodes, "streaming response", FAULT);
          });
    }
    run(
        nodes -> {
          Raw.serveStreamingRequest(
              nodes.server, ROUTE, call -> CompletableFuture.failedFuture(fault()));
          fails(
              nodes,
              CallOutcome.HANDLER_FAILED,
              Source.single(SMALL)
                  .runWith(
                      Raw.streamingRequest(nodes.peer(), ROUTE, TransferOptions.DEFAULTS),
                      nodes.client.materializer()));
          assertTold(nodes, "streaming request", FAULT);
        });
  }

  @Test
  void shouldNotTellOfWhatIsMeant() throws Exception {
    run(
        nodes -> {
          Peer nowhere = nodes.server.peer(nodes.client.address());
          Raw.serve(nodes.server, ROUTE, call -> CompletableFuture.failedFuture(new Unwanted()));
          RouteId relay = RouteId.of("relay");
          Raw.serve(nodes.server, relay, call -> Raw.unary(nowhere, RouteId.of("nobody"), SMALL));
          RouteId reads = RouteId.of("reads");
          Raw.serveBulkReads(
              nodes.server,
              reads,
              offer -> CompletableFuture.failedFuture(new PlacementException("not here")));
          Raw.serveBidirectional(
              nodes.server, ROUTE, call -> Raw.StreamingResponse.of(call.elements()));
          fails(nodes, CallOutcome.HANDLER_FAILED, Raw.unary(nodes.peer(), ROUTE, SMALL));
          fails(nodes, CallOutcome.HANDLER_FAILED, Raw.unary(nodes.peer(), relay, SMALL));
          BodyTarget target = new BodyTest.Collector();
          fails(
              nodes,
              CallOutcome.REFUSED,
              Raw.bulkRead(nodes.peer(), reads, target, TransferOptions.DEFAULTS));
          // The failure of the caller's own elements comes back through the handler.
          fails(
              nodes,
              CallOutcome.HANDLER_FAILED,
              Source.<byte[]>failed(fault())
                  .via(Raw.bidirectional(nodes.peer(), ROUTE, TransferOptions.DEFAULTS))
                  .runWith(Sink.ignore(), nodes.client.materializer()));
          assertEquals(0, nodes.server.snapshot().handlerFaults());
          assertEquals(0, nodes.serverEvents().count("HandlerFault"));
        });
  }

  @Test
  void shouldTellSeldomOfWhatHappensOften() throws Exception {
    run(
        nodes -> {
          Raw.serve(nodes.server, ROUTE, call -> CompletableFuture.failedFuture(fault()));
          for (int i = 0; i < 100; i++) {
            fails(nodes, CallOutcome.HANDLER_FAILED, Raw.unary(nodes.peer(), ROUTE, SMALL));
          }
          assertEquals(100, nodes.server.snapshot().handlerFaults());
          assertEquals(7, nodes.serverEvents().count("HandlerFault"), "1, 2, 4, ... 64");
        });
  }
}
