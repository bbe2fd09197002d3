package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.OverloadedException;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A handler on the worker's thread leaves the answer to another thread. */
@Timeout(60)
class WorkerAnswerTest {
  private static final RouteId LATE = RouteId.of("late");
  private static final byte[] REQUEST = "the wheel turns".getBytes(UTF_8);

  private final LinkedBlockingQueue<WorkerCall.Later> open = new LinkedBlockingQueue<>();

  private WorkerCall.Later taken() throws InterruptedException {
    WorkerCall.Later answer = open.poll(20, TimeUnit.SECONDS);
    assertTrue(answer != null, "the handler has run");
    return answer;
  }

  @Test
  void shouldAnswerOnceFromAnotherThread() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serveOnWorker(nodes.server, LATE, call -> open.add(call.defer()));
      CompletableFuture<UnaryResponse> first = Raw.unary(nodes.peer(), LATE, REQUEST);
      WorkerCall.Later answer = taken();
      CompletableFuture<UnaryResponse> second = Raw.unary(nodes.peer(), LATE, REQUEST);
      WorkerCall.Later other = taken();
      assertFalse(first.isDone());
      assertTrue(other.fail(new IllegalStateException("no flour")));
      assertTrue(answer.reply(ByteString.fromString("turned")));
      assertFalse(answer.reply(ByteString.fromString("again")));
      assertFalse(answer.fail(new IllegalStateException("late")));
      assertArrayEquals("turned".getBytes(UTF_8), nodes.await(first).payload());
      CallException failure = StreamChecks.failure(nodes, second);
      assertEquals(CallOutcome.HANDLER_FAILED, failure.outcome());
      assertEquals("no flour", failure.peerCause().orElseThrow());
    }
  }

  @Test
  void shouldFailADeferredCallWhoseHandlerThrows() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serveOnWorker(
          nodes.server,
          LATE,
          call -> {
            open.add(call.defer());
            throw new IllegalStateException("no flour");
          });
      assertEquals(
          CallOutcome.HANDLER_FAILED,
          StreamChecks.failure(nodes, Raw.unary(nodes.peer(), LATE, REQUEST)).outcome());
      assertFalse(taken().reply(ByteString.fromString("late")));
    }
  }

  @Test
  void shouldTellTheCallerThatTheHandlerIsOverloaded() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serveOnWorker(
          nodes.server,
          LATE,
          call -> {
            throw new OverloadedException("the mill is full");
          });
      assertEquals(
          CallOutcome.OVERLOADED,
          StreamChecks.failure(nodes, Raw.unary(nodes.peer(), LATE, REQUEST)).outcome());
    }
  }
}
