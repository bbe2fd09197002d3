package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.millrace.trace.TracedTransfer;
import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/** A node without tracing passes every argument on, and makes no object for tracing. */
class SpansTest {
  private static final RouteId ROUTE = RouteId.of("untraced");
  private static final byte[] HEADERS = {1, 2};

  private static final class Ignoring implements WorkerCompletion {
    @Override
    public void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength) {}

    @Override
    public void onFailure(CallException failure) {}
  }

  private static Spans.CallSpan begin(TransferOptions options) {
    return Spans.NONE.begin("peer", ROUTE, Spans.UNARY, TracedTransfer.UNKNOWN_BYTES, options);
  }

  @Test
  void shouldHaveSingleSpanWithoutTracing() {
    Spans.CallSpan span = begin(TransferOptions.DEFAULTS);
    assertSame(span, begin(TransferOptions.DEFAULTS.withPriority(1)));
    assertSame(span, Spans.NONE.beginBroadcast(ROUTE, HEADERS));
    assertSame(span.enter(), span.enter());
  }

  @Test
  void shouldPassCallOnUnchanged() {
    Spans.CallSpan span = begin(TransferOptions.DEFAULTS);
    TransferOptions options = new TransferOptions(1, HEADERS);
    UnaryRequest request = new UnaryRequest(ROUTE, HEADERS, options);
    FutureCall.Answer<UnaryResponse> answer = UnaryResponse::new;
    WorkerCompletion completion = new Ignoring();
    Call<String> call = Call.failed(new IllegalStateException("on purpose"));
    assertSame(options, span.with(options));
    assertSame(options, span.named(options));
    assertSame(request, span.with(request));
    assertSame(answer, span.answer(answer));
    assertSame(completion, span.completion(completion));
    assertSame(call, span.unary(call));
    assertSame(HEADERS, span.headers(HEADERS));
    assertSame(HEADERS, Spans.NONE.carried(HEADERS));
  }

  @Test
  void shouldPassHandlersOnUnchanged() {
    WorkerHandler handler = call -> {};
    ServedStream.Handler streams = stream -> {};
    ExecutorHandler.Work work =
        ExecutorHandler.Work.of(
            call -> new CompletableFuture<UnaryResponse>(), Function.identity());
    assertSame(handler, Spans.NONE.onWorker(ROUTE, handler));
    assertSame(streams, Spans.NONE.streams(ROUTE, Spans.patternOf(0), streams));
    assertSame(work, Spans.NONE.unary(ROUTE, work));
  }

  @Test
  void shouldFollowNothing() {
    CompletableFuture<Object> ended = new CompletableFuture<>();
    begin(TransferOptions.DEFAULTS).whenEnded(ended, (span, value) -> {});
    assertEquals(0, ended.getNumberOfDependents(), "the span waits for the transfer");
  }
}
