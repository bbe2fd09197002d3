package io.millrace.api;

import static io.millrace.api.StreamChecks.CLEAN;
import static io.millrace.api.StreamChecks.await;
import static io.millrace.api.StreamChecks.awaitNothingOpen;
import static io.millrace.api.StreamChecks.failure;
import static io.millrace.api.StreamChecks.materializer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.api.codec.Codec;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CallOutcome.Execution;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The whole message of each kind of failed call, as a person reads the message: the outcome, the
 * reason, the route and the peer; docs/failure-handling.md shows the same messages.
 */
@Timeout(60)
final class CallMessagesTest {
  private static final ByteString ASK = ByteString.fromString("ask");
  private static final Codec<ByteString> BROKEN =
      new Codec<>() {
        @Override
        public ByteString encode(ByteString value) {
          throw new IllegalStateException("no encoding");
        }

        @Override
        public ByteString decode(ByteString message) {
          throw new IllegalStateException("no decoding");
        }
      };

  private static final Route<ByteString, ByteString> NONE = route("none");
  private static final Route<ByteString, ByteString> CALLS = route("calls");
  private static final Route<ByteString, ByteString> FLOWS = route("flows");
  private static final Route<ByteString, ByteString> FILES = route("files");
  private static final Route<ByteString, ByteString> SILENT = route("silent");
  private static final Route<ByteString, ByteString> FAILS = route("fails");
  private static final Route<ByteString, ByteString> UNREADABLE =
      Route.of("unreadable", BROKEN, Codec.bytes());

  private static Route<ByteString, ByteString> route(String name) {
    return Route.bytes(name);
  }

  private static Route<ByteString, ByteString> unwritable(String name) {
    return Route.of(name, BROKEN, Codec.bytes());
  }

  private static Route<ByteString, ByteString> unreadableAnswer(String name) {
    return Route.of(name, Codec.bytes(), BROKEN);
  }

  /** A failing call. */
  @FunctionalInterface
  private interface Failing {
    CompletionStage<?> on(NodePair nodes, Peer peer);
  }

  /** A failing call, its message with P for the server's address, and whether a handler ran. */
  private record Row(Failing call, String message, Execution executed) {}

  private static final List<Row> ROWS =
      List.of(
          new Row(
              (_, peer) -> peer.unary(NONE, ASK),
              "UNKNOWN_ROUTE: nobody serves this route (route 'none' at P)",
              Execution.NO),
          new Row(
              (_, peer) -> peer.unary(FLOWS, ASK),
              "UNKNOWN_ROUTE: nobody serves this route as unary or bulk-read; it is served as"
                  + " streaming-response (route 'flows' at P)",
              Execution.NO),
          new Row(
              (_, peer) -> peer.bulkRead(FILES, BulkTarget.into(new byte[1])),
              "UNKNOWN_ROUTE: nobody serves this route as unary or bulk-read; it is served as"
                  + " bulk-write (route 'files' at P)",
              Execution.NO),
          new Row(
              (_, peer) -> peer.unary(FLOWS, ByteString.fromArray(new byte[100_000])),
              "UNKNOWN_ROUTE: nobody serves this route as unary or bulk-read; it is served as"
                  + " streaming-response (route 'flows' at P)",
              Execution.NO),
          new Row(
              (_, peer) -> peer.bulkWrite(CALLS, BulkSource.of(new byte[1])),
              "UNKNOWN_ROUTE: nobody serves this route as bulk-write; it is served as unary (route"
                  + " 'calls' at P)",
              Execution.NO),
          new Row(
              (nodes, peer) -> run(nodes, peer.streamingResponse(CALLS, ASK)),
              "UNKNOWN_ROUTE: nobody serves this route as streaming-response; it is served as unary"
                  + " (route 'calls' at P)",
              Execution.NO),
          new Row(
              (nodes, peer) ->
                  Source.single(ASK)
                      .runWith(peer.streamingRequest(FLOWS), materializer(nodes.client())),
              "UNKNOWN_ROUTE: nobody serves this route as streaming-request; it is served as"
                  + " streaming-response (route 'flows' at P)",
              Execution.NO),
          new Row(
              (nodes, peer) -> run(nodes, Source.single(ASK).via(peer.bidirectional(NONE))),
              "UNKNOWN_ROUTE: nobody serves this route (route 'none' at P)",
              Execution.NO),
          new Row(
              (_, peer) -> peer.unary(FAILS, ASK),
              "HANDLER_FAILED: no water (route 'fails' at P)",
              Execution.YES),
          new Row(
              (_, peer) -> peer.bulkWrite(FILES, BulkSource.of(new byte[1])),
              "REFUSED: no room (route 'files' at P)",
              Execution.NO),
          new Row(
              (_, peer) -> peer.unary(unwritable("calls"), ASK),
              "SOURCE_FAILED: the request could not be encoded: no encoding (route 'calls' at P)",
              Execution.NO),
          new Row(
              (nodes, peer) -> run(nodes, peer.streamingResponse(unwritable("flows"), ASK)),
              "SOURCE_FAILED: the request could not be encoded: no encoding (route 'flows' at P)",
              Execution.NO),
          new Row(
              (_, peer) -> peer.unary(route("unreadable"), ASK),
              "REQUEST_NOT_DECODED: the request could not be decoded: no decoding (route"
                  + " 'unreadable' at P)",
              Execution.NO),
          new Row(
              (_, peer) -> peer.unary(unreadableAnswer("calls"), ASK),
              "RESPONSE_NOT_DECODED: the response could not be decoded: no decoding (route 'calls'"
                  + " at P)",
              Execution.YES),
          new Row(
              (nodes, peer) -> run(nodes, peer.streamingResponse(unreadableAnswer("flows"), ASK)),
              "RESPONSE_NOT_DECODED: the response could not be decoded: no decoding (route 'flows'"
                  + " at P)",
              Execution.YES),
          new Row(
              (_, peer) ->
                  peer.unary(
                      SILENT, ASK, TransferOptions.DEFAULTS.withDeadline(Duration.ofMillis(30))),
              "EXPIRED: it took longer than 30 ms (route 'silent' at P)",
              Execution.UNKNOWN),
          new Row(
              (_, peer) -> after(peer, peer.unary(FAILS, ASK, tokened())),
              "DEPENDENCY_FAILED: the transfer T failed, and this transfer depends on it:"
                  + " HANDLER_FAILED: no water (at P) (route 'calls')",
              Execution.NO),
          new Row(
              (_, peer) -> after(peer, peer.unary(NONE, ASK)),
              "DEPENDENCY_FAILED: the transfer T failed, and this transfer depends on it:"
                  + " UNKNOWN_ROUTE: nobody serves this route (route 'none' at P) (route"
                  + " 'calls')",
              Execution.NO));

  private static TransferOptions tokened() {
    return TransferOptions.DEFAULTS.withToken();
  }

  private static CompletionStage<?> after(Peer peer, Call<?> failing) {
    return peer.unary(CALLS, ASK, TransferOptions.DEFAULTS.after(failing.token()));
  }

  private static CompletionStage<?> run(NodePair nodes, Source<?, ?> source) {
    return source.runWith(Sink.ignore(), materializer(nodes.client()));
  }

  private static void serve(Transport server) {
    server.serve(CALLS, CompletableFuture::completedFuture);
    server.serve(UNREADABLE, CompletableFuture::completedFuture);
    server.serve(SILENT, _ -> new CompletableFuture<ByteString>());
    server.serve(
        FAILS,
        _ -> CompletableFuture.<ByteString>failedFuture(new IllegalStateException("no water")));
    server.serveStreamingResponse(FLOWS, Source::single);
    server.serveBulkWrites(
        FILES, _ -> CompletableFuture.failedFuture(new IllegalStateException("no room")));
  }

  @Test
  void shouldNameTheReasonTheRouteAndThePeerOfEachFailure() throws Exception {
    World.SIMULATED.run(
        CLEAN,
        (nodes, driver) -> {
          serve(nodes.server());
          for (Row row : ROWS) {
            CallException failed = failure(nodes, row.call().on(nodes, nodes.peer()));
            String told =
                String.valueOf(failed.getMessage())
                    .replace(nodes.server().address(), "P")
                    .replaceAll("transfer [0-9a-f]{16} ", "transfer T ");
            assertEquals(row.message(), told);
            assertEquals(row.executed(), failed.wasExecuted(), told);
            assertEquals(Optional.of(nodes.server().address()), failed.peer(), told);
            assertTrue(told.contains("route '" + failed.route().orElseThrow() + "'"), told);
          }
          awaitNothingOpen(nodes);
        });
  }

  @Test
  void shouldNameTheCallerToTheHandlerOfAStream() throws Exception {
    World.SIMULATED.run(
        CLEAN,
        (nodes, driver) -> {
          CompletableFuture<Throwable> seen = new CompletableFuture<>();
          nodes
              .server()
              .serveBidirectional(
                  NONE,
                  requests -> {
                    CompletionStage<ByteString> last =
                        requests.runWith(Sink.last(), nodes.server().materializer());
                    return Source.completionStage(
                        last.whenComplete((_, failure) -> seen.complete(failure)));
                  });
          CallException failed =
              failure(
                  nodes,
                  run(
                      nodes,
                      Source.single(ASK).via(nodes.peer().bidirectional(unwritable("none")))));
          // The caller hears of its own failure without its own name.
          assertEquals(
              "SOURCE_FAILED: the request could not be encoded: no encoding", failed.reason());
          assertEquals(
              "SOURCE_FAILED: the request could not be encoded: no encoding (route 'none' called by"
                  + " "
                  + nodes.client().address()
                  + ")",
              await(nodes, seen).getMessage());
        });
  }

  @Test
  void shouldNameThePeerOnceWithoutARoute() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      CallException failed = failure(nodes, nodes.client().peer("127.0.0.1:9").connect());
      String told = String.valueOf(failed.getMessage());
      assertTrue(told.startsWith("HANDSHAKE_FAILED: 127.0.0.1:9: nobody listens there"), told);
      assertEquals(1, told.split("127.0.0.1:9", -1).length - 1, told);
      assertEquals(Optional.empty(), failed.route());
      assertEquals(Execution.NO, failed.wasExecuted());
    }
  }

  @Test
  void shouldKeepPeerAndRouteWhenSerialized() throws Exception {
    CallException failure =
        CallException.at(CallOutcome.REFUSED, "no", CallException.Site.of("p:1", "r"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(failure);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      CallException read = (CallException) in.readObject();
      assertEquals("REFUSED: no (route 'r' at p:1)", read.getMessage());
      assertEquals(Optional.of("p:1"), read.peer());
      assertEquals("no", read.reason());
    }
  }
}
