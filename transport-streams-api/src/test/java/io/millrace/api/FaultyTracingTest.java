package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Spans that throw at their end take no end from a transfer. */
@Timeout(60)
final class FaultyTracingTest {
  private static final RouteId ROUTE = RouteId.of("traced");

  /** Spans whose end throws. */
  private static final class Faulty extends SilentTracing {
    @Override
    public void end(CallOutcome outcome, String text) {
      throw new IllegalStateException("a faulty span");
    }
  }

  @Test
  void shouldTellTheCompletionOfACallOnItsWorker() throws Exception {
    try (TwoNodes nodes =
        new TwoNodes("", builder -> builder, builder -> builder.tracing(new Faulty()))) {
      Raw.serveOnWorker(nodes.server, ROUTE, call -> call.reply(0, 1).putByte(0, (byte) 7));
      CompletableFuture<Byte> answer = new CompletableFuture<>();
      Raw.unary(
          nodes.peer(),
          UnaryRequest.of(ROUTE, new byte[1]),
          new WorkerCompletion() {
            @Override
            public void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength) {
              answer.complete(buffer.getByte(payloadOffset));
            }

            @Override
            public void onFailure(CallException failure) {
              answer.completeExceptionally(failure);
            }
          });
      assertEquals((byte) 7, answer.get(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void shouldTellTheCallerOfAFailedHandler() throws Exception {
    try (TwoNodes nodes =
        new TwoNodes("", builder -> builder.tracing(new Faulty()), builder -> builder)) {
      Raw.serveStreamingResponse(
          nodes.server,
          ROUTE,
          call ->
              Raw.StreamingResponse.of(
                  Source.<byte[]>failed(new IllegalArgumentException("the handler's"))));
      Throwable failure =
          Raw.streamingResponse(nodes.peer(), UnaryRequest.of(ROUTE, new byte[1]))
              .runWith(Sink.ignore(), nodes.client.materializer())
              .toCompletableFuture()
              .handle((_, thrown) -> thrown)
              .get(20, TimeUnit.SECONDS);
      assertEquals(
          CallOutcome.HANDLER_FAILED, assertInstanceOf(CallException.class, failure).outcome());
    }
  }
}
