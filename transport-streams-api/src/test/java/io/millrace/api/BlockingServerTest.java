package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.blocking.BlockingPeer;
import io.millrace.api.blocking.BlockingServer;
import io.millrace.api.blocking.Conversation;
import io.millrace.api.blocking.RowWriter;
import io.millrace.api.blocking.Rows;
import io.millrace.api.blocking.Upload;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers that block run on virtual threads, within the server's bytes, and end with callers. */
@Timeout(60)
class BlockingServerTest {
  private static final Route<ByteString, ByteString> ROUTE = Route.bytes("blocking");
  private static final int REQUEST_BYTES = 10_000;

  /** The cost of a request beside its bytes. */
  private static final int THREAD_BYTES = 2048;

  private static ByteString text(String text) {
    return ByteString.fromString(text);
  }

  private static BlockingPeer peer(TwoNodes nodes) {
    return BlockingPeer.of(nodes.client, nodes.server.address());
  }

  /** Counts running handlers, and ends the handlers singly. */
  private static final class Handlers {
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();
    private final Semaphore ends = new Semaphore(0);

    ByteString handle(ByteString request, CallContext context) throws InterruptedException {
      assertTrue(Thread.currentThread().isVirtual());
      most.accumulateAndGet(running.incrementAndGet(), Math::max);
      try {
        ends.acquire();
        return ByteString.fromInts(request.length() >> 8);
      } catch (InterruptedException e) {
        interrupted.incrementAndGet();
        throw e;
      } finally {
        running.decrementAndGet();
      }
    }
  }

  @Test
  void shouldRunNoMoreHandlersThanTheBytesAllow() throws Exception {
    int calls = 24;
    int most = 5;
    Handlers handlers = new Handlers();
    try (TwoNodes nodes = new TwoNodes("")) {
      BlockingServer.of(nodes.server, most * (long) (REQUEST_BYTES + THREAD_BYTES))
          .serve(ROUTE, handlers::handle);
      List<CompletableFuture<ByteString>> answers = new ArrayList<>();
      for (int i = 0; i < calls; i++) {
        answers.add(nodes.peer().unary(ROUTE, ByteString.fromArrayUnsafe(new byte[REQUEST_BYTES])));
      }
      for (int ended = 0; ended < calls; ended++) {
        int running = Math.min(most, calls - ended);
        assertTrue(nodes.awaitUntil(() -> handlers.running.get() == running), "one goes on");
        handlers.ends.release();
        int left = calls - ended - 1;
        assertTrue(
            nodes.awaitUntil(
                () -> answers.stream().filter(answer -> !answer.isDone()).count() == left));
      }
      assertEquals(most, handlers.most.get());
      for (CompletableFuture<ByteString> answer : answers) {
        nodes.await(answer);
      }
    }
  }

  @Test
  void shouldRefuseCallersBeyondTheMemoryForRequests() throws Exception {
    Handlers handlers = new Handlers();
    String small =
        """
        millrace { limits.request-budget = 128 KiB, transfers { message = 64 KiB, assembly = 1 MiB } }
        """;
    try (TwoNodes nodes = new TwoNodes(small)) {
      BlockingServer.of(nodes.server, THREAD_BYTES).serve(ROUTE, handlers::handle);
      List<CompletableFuture<ByteString>> answers = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        answers.add(nodes.peer().unary(ROUTE, ByteString.fromArrayUnsafe(new byte[REQUEST_BYTES])));
      }
      assertTrue(nodes.awaitUntil(() -> answers.stream().anyMatch(CompletableFuture::isDone)));
      handlers.ends.release(answers.size());
      int refused = 0;
      for (CompletableFuture<ByteString> answer : answers) {
        try {
          nodes.await(answer);
        } catch (ExecutionException e) {
          CallException failure = assertInstanceOf(CallException.class, e.getCause());
          assertEquals(CallOutcome.OVERLOADED, failure.outcome());
          refused++;
        }
      }
      assertTrue(refused > 0 && refused < answers.size(), refused + " refused");
      assertEquals(1, handlers.most.get(), "a request beyond the bytes runs alone");
    }
  }

  @Test
  void shouldInterruptARunningHandlerAndDropAWaitingHandlerWithoutCaller() throws Exception {
    Handlers handlers = new Handlers();
    try (TwoNodes nodes = new TwoNodes("")) {
      BlockingServer.of(nodes.server, THREAD_BYTES).serve(ROUTE, handlers::handle);
      Call<ByteString> running = nodes.peer().unary(ROUTE, text("first"));
      assertTrue(nodes.awaitUntil(() -> handlers.running.get() == 1));
      Call<ByteString> dropped = nodes.peer().unary(ROUTE, text("second"));
      Call<ByteString> last = nodes.peer().unary(ROUTE, text("third"));
      dropped.cancel(false);
      running.cancel(false);
      assertTrue(nodes.awaitUntil(() -> handlers.interrupted.get() > 0), "the first ends");
      handlers.ends.release();
      assertEquals(1, nodes.await(last).length());
      assertTrue(nodes.awaitUntil(() -> handlers.running.get() == 0));
      assertEquals(0, handlers.ends.availablePermits());
    }
  }

  @Test
  void shouldInterruptHandlersWhenTheTransportCloses() throws Exception {
    CompletableFuture<Boolean> call = new CompletableFuture<>();
    CompletableFuture<Boolean> scan = new CompletableFuture<>();
    CountDownLatch begun = new CountDownLatch(2);
    try (TwoNodes nodes = new TwoNodes("")) {
      BlockingServer server = BlockingServer.of(nodes.server, 1 << 20);
      server.serve(
          ROUTE,
          (request, context) -> {
            begun.countDown();
            call.complete(isInterrupted());
            return request;
          });
      server.serveScan(
          ROUTE,
          (request, context, rows) -> {
            begun.countDown();
            scan.complete(isInterrupted());
          });
      var unary = nodes.peer().unary(ROUTE, text("first"));
      try (Rows<ByteString> rows = peer(nodes).scan(ROUTE, text("second"))) {
        begun.await();
        nodes.server.close();
        assertTrue(nodes.await(call));
        assertTrue(nodes.await(scan));
        assertThrows(ExecutionException.class, () -> nodes.await(unary));
        assertThrows(CallException.class, rows.iterator()::hasNext);
      }
    }
  }

  private static boolean isInterrupted() {
    try {
      new CountDownLatch(1).await();
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  @Test
  void shouldServeEveryPattern() {
    try (TwoNodes nodes = new TwoNodes("millrace.streams.window = 16")) {
      BlockingServer server = BlockingServer.of(nodes.server, 1 << 20);
      server.serve(
          Route.bytes("call"),
          (request, context) -> {
            context.answerHeaders(Headers.of("name", "call"));
            return request.concat(request);
          });
      server.serveScan(Route.bytes("scan"), BlockingServerTest::scan);
      server.serveUpload(Route.bytes("upload"), BlockingServerTest::joined);
      server.serveConversation(Route.bytes("conversation"), BlockingServerTest::doubled);
      server.serve(
          Route.bytes("failing"),
          (request, context) -> {
            throw new IllegalStateException("out of flour");
          });
      BlockingPeer peer = peer(nodes);
      var called = peer.callWithHeaders(Route.bytes("call"), text("ab"), TransferOptions.DEFAULTS);
      assertEquals(text("abab"), called.value());
      assertEquals("call", called.headers().text("name").orElseThrow());
      try (Rows<ByteString> rows = peer.scan(Route.bytes("scan"), text("300"))) {
        assertEquals("scan", rows.headers().text("name").orElseThrow());
        int count = 0;
        for (ByteString row : rows) {
          assertEquals(text("" + count++), row);
        }
        assertEquals(300, count);
      }
      try (Upload<ByteString, ByteString> upload = peer.upload(Route.bytes("upload"))) {
        for (int i = 0; i < 100; i++) {
          assertTrue(upload.send(text("" + i % 10)));
        }
        assertEquals(text("0123456789".repeat(10)), upload.finish());
      }
      converse(peer);
      CallException failure =
          assertThrows(CallException.class, () -> peer.call(Route.bytes("failing"), text("x")));
      assertEquals(CallOutcome.HANDLER_FAILED, failure.outcome());
      assertTrue(failure.getMessage().contains("out of flour"), failure.getMessage());
      StreamChecks.awaitNothingOpen(nodes);
    }
  }

  private static void scan(ByteString request, CallContext context, RowWriter<ByteString> rows) {
    context.answerHeaders(Headers.of("name", "scan"));
    int count = Integer.parseInt(request.utf8String());
    for (int i = 0; i < count; i++) {
      assertTrue(rows.send(text("" + i)));
    }
  }

  private static ByteString joined(Rows<ByteString> requests, CallContext context) {
    ByteString all = ByteString.emptyByteString();
    for (ByteString request : requests) {
      all = all.concat(request);
    }
    return all;
  }

  private static void doubled(
      Rows<ByteString> requests, CallContext context, RowWriter<ByteString> responses) {
    for (ByteString request : requests) {
      responses.send(request.concat(request));
    }
  }

  private static void converse(BlockingPeer peer) {
    try (Conversation<ByteString, ByteString> conversation =
        peer.converse(Route.bytes("conversation"))) {
      Iterator<ByteString> responses = conversation.responses().iterator();
      for (int i = 0; i < 100; i++) {
        conversation.send(text("" + i));
        assertEquals(text("" + i + i), responses.next());
      }
      conversation.finishRequests();
      assertFalse(responses.hasNext());
    }
  }

  /** The handler's thread waits while the caller takes nothing, and learns that the caller went. */
  @Test
  void shouldHoldAScanBackAndTellItsHandlerThatTheCallerWentAway() throws Exception {
    AtomicInteger sent = new AtomicInteger();
    CompletableFuture<Boolean> isWanted = new CompletableFuture<>();
    try (TwoNodes nodes = new TwoNodes("millrace.streams.window = 16")) {
      BlockingServer.of(nodes.server, 1 << 20)
          .serveScan(
              ROUTE,
              (request, context, rows) -> {
                while (rows.send(request)) {
                  sent.incrementAndGet();
                }
                isWanted.complete(Thread.interrupted());
              });
      try (Rows<ByteString> rows = peer(nodes).scan(ROUTE, text("row"))) {
        Iterator<ByteString> iterator = rows.iterator();
        iterator.next();
        int queues = 16 + 16; // of the caller's rows and of the handler's responses
        int bound = 1 + queues + 16; // the window
        assertTrue(nodes.awaitUntil(() -> sent.get() > queues), () -> "sent " + sent);
        for (int read = 2; read < 200; read++) {
          iterator.next();
          int present = sent.get();
          assertTrue(present <= read + bound - 1, present + " sent, " + read + " read");
        }
      }
      nodes.await(isWanted);
      StreamChecks.awaitNothingOpen(nodes);
    }
  }
}
