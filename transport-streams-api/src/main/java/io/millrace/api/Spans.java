package io.millrace.api;

import io.millrace.api.bulk.BulkReceipt;
import io.millrace.config.LimitSettings;
import io.millrace.ends.FailureText;
import io.millrace.event.TransferPattern;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.trace.TracedTransfer;
import io.millrace.trace.Tracing;
import io.millrace.trace.TransferSpan;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;
import io.millrace.wire.RouteId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Makes the spans of a node that traces; there is none at one that does not. Any thread. */
final class Spans {
  static final String UNARY = TransferPattern.UNARY.text();
  static final String STREAMING_RESPONSE = TransferPattern.STREAMING_RESPONSE.text();
  static final String BULK_WRITE = "bulk write";
  static final String BULK_READ = "bulk read";
  static final String BROADCAST = "broadcast";

  /** Names of {@link StreamPattern}s. */
  private static final List<String> PATTERNS =
      List.of(
          UNARY,
          STREAMING_RESPONSE,
          TransferPattern.STREAMING_REQUEST.text(),
          TransferPattern.BIDIRECTIONAL.text());

  private final Tracing tracing;
  private final LimitSettings limits;

  /** What a token stands for that was made of others. */
  private record Joined(List<CausalityToken> tokens) {}

  Spans(Tracing tracing, LimitSettings limits) {
    this.tracing = tracing;
    this.limits = limits;
  }

  /** Bytes of the request of a stream, as far as it has one that is known from the beginning. */
  static long requestBytes(String pattern, byte[] payload) {
    return pattern.equals(STREAMING_RESPONSE) ? payload.length : TracedTransfer.UNKNOWN_BYTES;
  }

  /** The name of a {@link StreamPattern}. */
  static String patternOf(int pattern) {
    return PATTERNS.get(pattern);
  }

  /** A transfer of this node begins; an empty peer is a broadcast's. */
  TransferSpan begin(
      String peer, RouteId route, String pattern, long bytes, TransferOptions options) {
    return tracing.begin(
        new TracedTransfer(
            peer,
            route.name(),
            pattern,
            options.priority(),
            bytes,
            options.headers(),
            apart(options.dependencies().tokens())));
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

  /** The options of a transfer with a span: its headers name that, if there is room for it. */
  TransferOptions with(TransferSpan span, TransferOptions options) {
    return named(span, options.withHeaders(fitting(span.headers(), options.headers())));
  }

  /** The request of a call with a span. */
  UnaryRequest with(TransferSpan span, UnaryRequest request) {
    return new UnaryRequest(request.route(), request.payload(), with(span, request.options()));
  }

  /** The same of one whose headers were sealed before. */
  static TransferOptions named(TransferSpan span, TransferOptions options) {
    return options.telling(token -> name(span, token));
  }

  /** The token is that of the span's transfer. */
  static void name(TransferSpan span, CausalityToken token) {
    token.trace(span.context());
    span.token(token);
  }

  /** A token was made of these. */
  static void join(CausalityToken token, List<? extends CausalityToken> of) {
    token.trace(new Joined(apart(of)));
  }

  /** Headers of what is sealed now for transfers to come. */
  byte[] carried(byte[] headers) {
    Headers own = Headers.decode(headers);
    return fitting(tracing.carry(own), own).encode();
  }

  /** Headers of a broadcast with this span. */
  byte[] headers(TransferSpan span, byte[] own) {
    return fitting(span.headers(), Headers.decode(own)).encode();
  }

  private Headers fitting(Headers traced, Headers own) {
    return limits.headersProblem(traced.encodedBytes()) == null ? traced : own;
  }

  /** A peer's transfer begins here. */
  TransferSpan serve(
      String peer, RouteId route, String pattern, int priority, long bytes, Headers headers) {
    return tracing.serve(
        new TracedTransfer(peer, route.name(), pattern, priority, bytes, headers, List.of()));
  }

  /** Submits what a span is of; the span ends if that throws. */
  static <T> T submitted(TransferSpan span, Supplier<T> submit) {
    try {
      return submit.get();
    } catch (RuntimeException | Error e) {
      end(span, e);
      throw e;
    }
  }

  /** The span ends as this does. */
  static void follow(CompletionStage<?> call, TransferSpan span) {
    var _ = call.whenComplete((value, failure) -> end(span, failure));
  }

  /** The span ends as this write does, with its bytes. */
  static Call<BulkReceipt> write(TransferSpan span, EndingFuture<BulkReceipt> call) {
    follow(call, span, span::requestBytes);
    return call.traced(span);
  }

  /** The span ends as this read does, with its bytes. */
  static Call<BulkReceipt> read(TransferSpan span, EndingFuture<BulkReceipt> call) {
    follow(call, span, span::responseBytes);
    return call.traced(span);
  }

  /** The span ends as this transfer does, with its bytes. */
  static void follow(CompletionStage<BulkReceipt> call, TransferSpan span, LongConsumer bytes) {
    var _ =
        call.whenComplete(
            (receipt, failure) -> {
              if (receipt != null) {
                bytes.accept(receipt.bytes());
              }
              end(span, failure);
            });
  }

  /** Ends the span of a transfer of this node, which has failed unless {@code failure} is null. */
  static void end(TransferSpan span, @Nullable Throwable failure) {
    if (failure == null) {
      span.end(CallOutcome.OK, "");
      return;
    }
    Throwable cause = FailureText.cause(failure);
    switch (cause) {
      case CallException e -> span.end(e.outcome(), e.text());
      case CancellationException _ -> span.end(CallOutcome.CANCELLED, "");
      default -> span.end(CallOutcome.CANCELLED, FailureText.of(cause));
    }
  }

  /** Tells a call's span of its answer and its tokens. */
  static <R> FutureCall.Answer<R> answer(TransferSpan span, FutureCall.Answer<R> answer) {
    return new FutureCall.Answer<>() {
      @Override
      public R of(byte[] headers, byte[] payload) {
        span.responseBytes(payload.length);
        return answer.of(headers, payload);
      }

      @Override
      public CausalityToken named(CausalityToken token) {
        name(span, token);
        return token;
      }
    };
  }

  /** Ends the span ahead of the application's completion. On the worker's thread. */
  static WorkerCompletion completion(TransferSpan span, WorkerCompletion completion) {
    return new WorkerCompletion() {
      @Override
      public void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength) {
        span.responseBytes(payloadLength);
        span.end(CallOutcome.OK, "");
        completion.onResponse(buffer, payloadOffset, payloadLength);
      }

      @Override
      public void onFailure(CallException failure) {
        end(span, failure);
        completion.onFailure(failure);
      }
    };
  }
}
