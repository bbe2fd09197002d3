package io.millrace.api;

import io.millrace.api.bulk.BulkProvider;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkReceiver;
import io.millrace.config.LimitSettings;
import io.millrace.ends.FailureText;
import io.millrace.ends.StreamEnd;
import io.millrace.event.TransferPattern;
import io.millrace.path.stream.StreamCall;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.trace.TracedTransfer;
import io.millrace.trace.Tracing;
import io.millrace.trace.TransferSpan;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;
import io.millrace.wire.RouteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The spans of a node's transfers, at both sides of each transfer. {@link #NONE}, for a node
 * without tracing, makes no span and allocates nothing; {@link Traced} makes the spans of a tracing
 * node. Any thread.
 */
class Spans {
  static final String UNARY = TransferPattern.UNARY.text();
  static final String STREAMING_RESPONSE = TransferPattern.STREAMING_RESPONSE.text();
  static final String BULK_WRITE = "bulk write";
  static final String BULK_READ = "bulk read";
  static final String BROADCAST = "broadcast";

  /** The spans of a node without tracing. */
  static final Spans NONE = new Spans();

  /** The names of {@link StreamPattern}s. */
  private static final List<String> PATTERNS =
      List.of(
          UNARY,
          STREAMING_RESPONSE,
          TransferPattern.STREAMING_REQUEST.text(),
          TransferPattern.BIDIRECTIONAL.text());

  private Spans() {}

  /** Returns the spans of a node; a node without tracing has no spans. */
  static Spans of(@Nullable Tracing tracing, LimitSettings limits) {
    return tracing == null ? NONE : new Traced(tracing, limits);
  }

  /** Returns the name of a {@link StreamPattern}. */
  static String patternOf(int pattern) {
    return PATTERNS.get(pattern);
  }

  /**
   * Returns the request bytes of a stream, if the pattern has a request known from the beginning.
   */
  static long requestBytes(String pattern, byte[] payload) {
    return pattern.equals(STREAMING_RESPONSE) ? payload.length : TracedTransfer.UNKNOWN_BYTES;
  }

  /** Begins the span of a transfer of this node. */
  CallSpan begin(String peer, RouteId route, String pattern, long bytes, TransferOptions options) {
    return CallSpan.NONE;
  }

  /** Begins the span of a whole broadcast, which has these headers and no single peer. */
  CallSpan beginBroadcast(RouteId route, byte[] headers) {
    return CallSpan.NONE;
  }

  /** Returns the headers for a payload sealed now, for later transfers. */
  byte[] carried(byte[] headers) {
    return headers;
  }

  /** Records the tokens of which a token was made. */
  void join(CausalityToken token, List<? extends CausalityToken> of) {}

  /** Puts the work of a unary route into spans. */
  ExecutorHandler.Work unary(RouteId route, ExecutorHandler.Work work) {
    return work;
  }

  /** Puts the handler of a route on the worker's thread into spans. */
  WorkerHandler onWorker(RouteId route, WorkerHandler handler) {
    return handler;
  }

  /** Puts the bodies written to a route into spans. */
  BulkReceiver writes(RouteId route, BulkReceiver receiver) {
    return receiver;
  }

  /** Puts the bodies read from a route into spans. */
  BulkProvider reads(RouteId route, BulkProvider provider) {
    return provider;
  }

  /** Puts the handler of a route's streams into spans. */
  ServedStream.Handler streams(RouteId route, String pattern, ServedStream.Handler handler) {
    return handler;
  }

  /**
   * The span of a transfer that this node began. {@link #NONE}, for a node without tracing, does
   * nothing and returns its arguments unchanged.
   */
  static class CallSpan {
    /** The span of each transfer of a node without tracing. */
    static final CallSpan NONE = new CallSpan();

    private static final TransferSpan.Scope NO_SCOPE = () -> {};

    private CallSpan() {}

    /** Returns the options of the transfer: the headers name the span, if the headers have room. */
    TransferOptions with(TransferOptions options) {
      return options;
    }

    /** Returns the request of the call, with the options of {@link #with(TransferOptions)}. */
    UnaryRequest with(UnaryRequest request) {
      return request;
    }

    /** Returns the options of a transfer whose headers were sealed before. */
    TransferOptions named(TransferOptions options) {
      return options;
    }

    /** Returns the headers of the whole broadcast. */
    byte[] headers(byte[] own) {
      return own;
    }

    /** Enters the span: the calling thread's transfers belong to the span until the scope's end. */
    TransferSpan.Scope enter() {
      return NO_SCOPE;
    }

    /** Records the token of the transfer. */
    void name(CausalityToken token) {}

    /** Passes the answer and the tokens of a call to the span. */
    <R> FutureCall.Answer<R> answer(FutureCall.Answer<R> answer) {
      return answer;
    }

    /** Ends the span ahead of the application's completion. On the worker's thread. */
    WorkerCompletion completion(WorkerCompletion completion) {
      return completion;
    }

    /** Ends the span with the end of this call; returns the call. */
    <R> Call<R> unary(Call<R> call) {
      return call;
    }

    /** Ends the span with the end of this write, with the bytes written; returns the call. */
    Call<BulkReceipt> write(EndingFuture<BulkReceipt> call) {
      return call;
    }

    /** Ends the span with the end of this read, with the bytes read; returns the call. */
    Call<BulkReceipt> read(EndingFuture<BulkReceipt> call) {
      return call;
    }

    /** Ends the span with the end of this delivery, with the bytes delivered. */
    void delivery(CompletionStage<BulkReceipt> receipt) {}

    /** Ends the span with the end of this stream. */
    void stream(StreamCall call, ElementLogic logic) {}

    /** Runs {@code end} with the span and the value of a stage that never fails. */
    <T> void whenEnded(CompletionStage<T> stage, BiConsumer<TransferSpan, T> end) {}

    /** Ends the span of a transfer; the transfer has failed unless {@code failure} is null. */
    void end(@Nullable Throwable failure) {}
  }

  /** Records the token of a span's transfer. */
  static void name(TransferSpan span, CausalityToken token) {
    token.trace(span.context());
    span.token(token);
  }

  /**
   * Ends the span of a transfer of this node; the transfer has failed unless {@code failure} is
   * null.
   */
  static void end(TransferSpan span, @Nullable Throwable failure) {
    if (failure == null) {
      span.end(CallOutcome.OK, "");
      return;
    }
    Throwable cause = FailureText.cause(failure);
    switch (cause) {
      case CallException e -> span.end(e.outcome(), e.reason());
      case CancellationException _ -> span.end(CallOutcome.CANCELLED, "");
      default -> span.end(CallOutcome.CANCELLED, FailureText.of(cause));
    }
  }

  /** The spans of a tracing node. */
  static final class Traced extends Spans {
    private final Tracing tracing;
    private final LimitSettings limits;

    /** The tokens behind a token made of several tokens. */
    private record Joined(List<CausalityToken> tokens) {}

    private Traced(Tracing tracing, LimitSettings limits) {
      this.tracing = tracing;
      this.limits = limits;
    }

    @Override
    CallSpan begin(
        String peer, RouteId route, String pattern, long bytes, TransferOptions options) {
      TransferSpan span =
          tracing.begin(
              new TracedTransfer(
                  peer,
                  route.name(),
                  pattern,
                  options.priority(),
                  bytes,
                  options.headers(),
                  apart(options.dependencies().tokens())));
      return new TracedCall(span, limits);
    }

    @Override
    CallSpan beginBroadcast(RouteId route, byte[] headers) {
      TransferOptions options = new TransferOptions(TransferOptions.DEFAULTS.priority(), headers);
      return begin("", route, BROADCAST, TracedTransfer.UNKNOWN_BYTES, options);
    }

    private static List<CausalityToken> apart(List<? extends CausalityToken> tokens) {
      List<CausalityToken> all = new ArrayList<>();
      for (CausalityToken token : tokens) {
        if (token.trace() instanceof Joined joined) {
          all.addAll(joined.tokens());
        } else {
          all.add(token);
        }
      }
      return all;
    }

    @Override
    byte[] carried(byte[] headers) {
      Headers own = Headers.decode(headers);
      return fitting(limits, tracing.carry(own), own).encode();
    }

    @Override
    void join(CausalityToken token, List<? extends CausalityToken> of) {
      token.trace(new Joined(apart(of)));
    }

    /** Begins the span of a peer's transfer to this node. */
    TransferSpan serve(
        String peer, RouteId route, String pattern, int priority, long bytes, Headers headers) {
      return tracing.serve(
          new TracedTransfer(peer, route.name(), pattern, priority, bytes, headers, List.of()));
    }

    @Override
    ExecutorHandler.Work unary(RouteId route, ExecutorHandler.Work work) {
      return new TracedServing(this, route).unary(work);
    }

    @Override
    WorkerHandler onWorker(RouteId route, WorkerHandler handler) {
      return new TracedServing(this, route).onWorker(handler);
    }

    @Override
    BulkReceiver writes(RouteId route, BulkReceiver receiver) {
      return new TracedServing(this, route).writes(receiver);
    }

    @Override
    BulkProvider reads(RouteId route, BulkProvider provider) {
      return new TracedServing(this, route).reads(provider);
    }

    @Override
    ServedStream.Handler streams(RouteId route, String pattern, ServedStream.Handler handler) {
      return new TracedServing(this, route).streams(pattern, handler);
    }
  }

  private static Headers fitting(LimitSettings limits, Headers traced, Headers own) {
    return limits.headersProblem(traced.encodedBytes()) == null ? traced : own;
  }

  /** The span of a transfer that a tracing node began. */
  private static final class TracedCall extends CallSpan {
    private final TransferSpan span;
    private final LimitSettings limits;

    TracedCall(TransferSpan span, LimitSettings limits) {
      this.span = span;
      this.limits = limits;
    }

    @Override
    TransferOptions with(TransferOptions options) {
      return named(options.withHeaders(fitting(limits, span.headers(), options.headers())));
    }

    @Override
    UnaryRequest with(UnaryRequest request) {
      return new UnaryRequest(request.route(), request.payload(), with(request.options()));
    }

    @Override
    TransferOptions named(TransferOptions options) {
      return options.telling(this::name);
    }

    @Override
    byte[] headers(byte[] own) {
      return fitting(limits, span.headers(), Headers.decode(own)).encode();
    }

    @Override
    TransferSpan.Scope enter() {
      return span.enter();
    }

    @Override
    void name(CausalityToken token) {
      Spans.name(span, token);
    }

    @Override
    <R> FutureCall.Answer<R> answer(FutureCall.Answer<R> answer) {
      return new FutureCall.Answer<>() {
        @Override
        public R of(byte[] headers, byte[] payload) {
          span.responseBytes(payload.length);
          return answer.of(headers, payload);
        }

        @Override
        public String route() {
          return answer.route();
        }

        @Override
        public CausalityToken named(CausalityToken token) {
          name(token);
          return token;
        }

        @Override
        public void onRetry(int attempt, CallOutcome failed, Duration pause) {
          span.retry(attempt, failed, pause);
        }
      };
    }

    @Override
    WorkerCompletion completion(WorkerCompletion completion) {
      return new WorkerCompletion() {
        @Override
        public void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength) {
          try {
            span.responseBytes(payloadLength);
            span.end(CallOutcome.OK, "");
          } finally {
            completion.onResponse(buffer, payloadOffset, payloadLength);
          }
        }

        @Override
        public void onFailure(CallException failure) {
          try {
            end(failure);
          } finally {
            completion.onFailure(failure);
          }
        }
      };
    }

    @Override
    <R> Call<R> unary(Call<R> call) {
      var _ = call.whenComplete((value, failure) -> end(failure));
      return call;
    }

    @Override
    Call<BulkReceipt> write(EndingFuture<BulkReceipt> call) {
      delivery(call);
      return call.traced(this);
    }

    @Override
    Call<BulkReceipt> read(EndingFuture<BulkReceipt> call) {
      follow(call, span::responseBytes);
      return call.traced(this);
    }

    @Override
    void delivery(CompletionStage<BulkReceipt> receipt) {
      follow(receipt, span::requestBytes);
    }

    private void follow(CompletionStage<BulkReceipt> call, LongConsumer bytes) {
      var _ =
          call.whenComplete(
              (receipt, failure) -> {
                if (receipt != null) {
                  bytes.accept(receipt.bytes());
                }
                end(failure);
              });
    }

    @Override
    void stream(StreamCall call, ElementLogic logic) {
      logic.onEnd(
          () -> {
            StreamEnd end = call.ends().inlet().end();
            if (end == null) {
              span.end(CallOutcome.CANCELLED, "");
            } else {
              span.end(end.outcome(), end.text());
            }
          });
    }

    @Override
    <T> void whenEnded(CompletionStage<T> stage, BiConsumer<TransferSpan, T> end) {
      var _ = stage.thenAccept(value -> end.accept(span, value));
    }

    @Override
    void end(@Nullable Throwable failure) {
      Spans.end(span, failure);
    }
  }
}
