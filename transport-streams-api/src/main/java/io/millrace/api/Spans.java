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

/** Makes the spans of a tracing node; a node without tracing has no instance. Any thread. */
final class Spans {
  static final String UNARY = TransferPattern.UNARY.text();
  static final String STREAMING_RESPONSE = TransferPattern.STREAMING_RESPONSE.text();
  static final String BULK_WRITE = "bulk write";
  static final String BULK_READ = "bulk read";
  static final String BROADCAST = "broadcast";

  /** The names of {@link StreamPattern}s. */
  private static final List<String> PATTERNS =
      List.of(
          UNARY,
          STREAMING_RESPONSE,
          TransferPattern.STREAMING_REQUEST.text(),
          TransferPattern.BIDIRECTIONAL.text());

  private final Tracing tracing;
  private final LimitSettings limits;

  /** The tokens behind a token made of several tokens. */
  private record Joined(List<CausalityToken> tokens) {}

  Spans(Tracing tracing, LimitSettings limits) {
    this.tracing = tracing;
    this.limits = limits;
  }

  /**
   * Returns the request bytes of a stream, if the pattern has a request known from the beginning.
   */
  static long requestBytes(String pattern, byte[] payload) {
    return pattern.equals(STREAMING_RESPONSE) ? payload.length : TracedTransfer.UNKNOWN_BYTES;
  }

  /** Returns the name of a {@link StreamPattern}. */
  static String patternOf(int pattern) {
    return PATTERNS.get(pattern);
  }

  /** Begins the span of a transfer of this node; a broadcast has an empty peer. */
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

  /**
   * Returns the options of a transfer with a span: the headers name the span, if the headers have
   * room.
   */
  TransferOptions with(TransferSpan span, TransferOptions options) {
    return named(span, options.withHeaders(fitting(span.headers(), options.headers())));
  }

  /** Returns the request of a call with a span. */
  UnaryRequest with(TransferSpan span, UnaryRequest request) {
    return new UnaryRequest(request.route(), request.payload(), with(span, request.options()));
  }

  /** Returns the options of a transfer with a span and with headers sealed before. */
  static TransferOptions named(TransferSpan span, TransferOptions options) {
    return options.telling(token -> name(span, token));
  }

  /** Records the token of the span's transfer. */
  static void name(TransferSpan span, CausalityToken token) {
    token.trace(span.context());
    span.token(token);
  }

  /** Records the tokens of which a token was made. */
  static void join(CausalityToken token, List<? extends CausalityToken> of) {
    token.trace(new Joined(apart(of)));
  }

  /** Returns the headers for a payload sealed now, for later transfers. */
  byte[] carried(byte[] headers) {
    Headers own = Headers.decode(headers);
    return fitting(tracing.carry(own), own).encode();
  }

  /** Returns the headers of a broadcast with this span. */
  byte[] headers(TransferSpan span, byte[] own) {
    return fitting(span.headers(), Headers.decode(own)).encode();
  }

  private Headers fitting(Headers traced, Headers own) {
    return limits.headersProblem(traced.encodedBytes()) == null ? traced : own;
  }

  /** Begins the span of a peer's transfer to this node. */
  TransferSpan serve(
      String peer, RouteId route, String pattern, int priority, long bytes, Headers headers) {
    return tracing.serve(
        new TracedTransfer(peer, route.name(), pattern, priority, bytes, headers, List.of()));
  }

  /** Submits the transfer of a span; the span ends if the submission throws. */
  static <T> T submitted(TransferSpan span, Supplier<T> submit) {
    try {
      return submit.get();
    } catch (RuntimeException | Error e) {
      end(span, e);
      throw e;
    }
  }

  /** Ends the span with the end of this call. */
  static void follow(CompletionStage<?> call, TransferSpan span) {
    var _ = call.whenComplete((value, failure) -> end(span, failure));
  }

  /** Ends the span with the end of this write, with the bytes written. */
  static Call<BulkReceipt> write(TransferSpan span, EndingFuture<BulkReceipt> call) {
    follow(call, span, span::requestBytes);
    return call.traced(span);
  }

  /** Ends the span with the end of this read, with the bytes read. */
  static Call<BulkReceipt> read(TransferSpan span, EndingFuture<BulkReceipt> call) {
    follow(call, span, span::responseBytes);
    return call.traced(span);
  }

  /** Ends the span with the end of this transfer, with the transfer's bytes. */
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
      case CallException e -> span.end(e.outcome(), e.text());
      case CancellationException _ -> span.end(CallOutcome.CANCELLED, "");
      default -> span.end(CallOutcome.CANCELLED, FailureText.of(cause));
    }
  }

  /** Passes the answer and the tokens of a call to the call's span. */
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
