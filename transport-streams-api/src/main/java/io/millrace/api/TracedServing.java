package io.millrace.api;

import io.millrace.api.bulk.BulkOffer;
import io.millrace.api.bulk.BulkProvider;
import io.millrace.api.bulk.BulkReceiver;
import io.millrace.body.ForwardingSource;
import io.millrace.body.ForwardingTarget;
import io.millrace.ends.FailureText;
import io.millrace.path.call.CallOutcomes;
import io.millrace.trace.TracedTransfer;
import io.millrace.trace.TransferSpan;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import io.millrace.transfer.LentBytes;
import io.millrace.transfer.OverloadedException;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.CallStatus;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Puts the handlers of one route of a tracing node into spans: transfers that a handler begins on
 * its own thread belong to the span of the served transfer.
 */
final class TracedServing {
  private final Spans.Traced spans;
  private final RouteId route;

  TracedServing(Spans.Traced spans, RouteId route) {
    this.spans = spans;
    this.route = route;
  }

  /** Ends the span of a served transfer. */
  private static void end(TransferSpan span, @Nullable Throwable failure) {
    if (failure == null) {
      span.end(CallOutcome.OK, "");
    } else if (FailureText.cause(failure) instanceof CancellationException) {
      span.end(CallOutcome.CANCELLED, "");
    } else {
      CallStatus status = HandlerFailure.statusOf(failure, CallStatus.HANDLER_FAILED);
      span.end(CallOutcomes.of(status.value()), FailureText.of(failure));
    }
  }

  private static <T> T answered(@Nullable T answer) {
    return Objects.requireNonNull(answer, "the handler answered null");
  }

  ExecutorHandler.Work unary(ExecutorHandler.Work work) {
    return new TracedWork(work);
  }

  /** The result of a handler's work, with the span. */
  private record Answered(TransferSpan span, Object response) {}

  private final class TracedWork implements ExecutorHandler.Work {
    private final ExecutorHandler.Work work;

    TracedWork(ExecutorHandler.Work work) {
      this.work = work;
    }

    @Override
    public CompletionStage<?> begin(ExecutorHandler.UnaryCall call) throws Exception {
      Headers headers = Headers.decode(call.headers());
      TransferSpan span =
          spans.serve(
              call.peer(), route, Spans.UNARY, call.priority(), call.payload().length, headers);
      if (call.token() != null) {
        Spans.name(span, call.token());
      }
      try (var _ = span.enter()) {
        return ending(span, answered(work.begin(call)));
      } catch (Exception | Error e) {
        end(span, e);
        throw e;
      }
    }

    private <T> CompletionStage<Answered> ending(TransferSpan span, CompletionStage<T> given) {
      CompletionStage<Answered> answer =
          given.thenApply(response -> new Answered(span, answered(response)));
      answer.whenComplete(
          (response, failure) -> {
            if (failure != null) {
              try {
                end(span, failure);
              } finally {
                HandlerFuture.cancel(given);
              }
            }
          });
      return answer;
    }

    @Override
    public UnaryResponse encode(Object response) {
      Answered answered = (Answered) response;
      try {
        UnaryResponse encoded = work.encode(answered.response());
        answered.span().responseBytes(encoded.payload().length);
        end(answered.span(), null);
        return encoded;
      } catch (RuntimeException | Error e) {
        end(answered.span(), e);
        throw e;
      }
    }
  }

  WorkerHandler onWorker(WorkerHandler handler) {
    return call -> {
      byte[] headers = new byte[call.headersLength()];
      call.buffer().getBytes(call.headersOffset(), headers);
      TransferSpan span =
          spans.serve(
              call.peer(),
              route,
              Spans.UNARY,
              call.priority(),
              call.payloadLength(),
              Headers.decode(headers));
      try (var _ = span.enter()) {
        handler.handle(call);
        end(span, null);
      } catch (OverloadedException | RuntimeException | Error e) {
        end(span, e);
        throw e;
      }
    };
  }

  BulkReceiver writes(BulkReceiver receiver) {
    return offer -> {
      TransferSpan span = serve(offer, Spans.BULK_WRITE);
      try (var _ = span.enter()) {
        return answered(receiver.accept(offer))
            .whenComplete((target, failure) -> endUnless(target, span, failure))
            .thenApply(target -> target == null ? null : new TracedTarget(target, span));
      } catch (Exception | Error e) {
        end(span, e);
        throw e;
      }
    };
  }

  BulkProvider reads(BulkProvider provider) {
    return offer -> {
      TransferSpan span = serve(offer, Spans.BULK_READ);
      try (var _ = span.enter()) {
        return answered(provider.open(offer))
            .whenComplete((source, failure) -> endUnless(source, span, failure))
            .thenApply(source -> source == null ? null : new TracedSource(source, span));
      } catch (Exception | Error e) {
        end(span, e);
        throw e;
      }
    };
  }

  private TransferSpan serve(BulkOffer offer, String pattern) {
    return spans.serve(
        offer.peer(),
        route,
        pattern,
        offer.priority(),
        TracedTransfer.UNKNOWN_BYTES,
        offer.headers());
  }

  private static void endUnless(
      @Nullable Object named, TransferSpan span, @Nullable Throwable failure) {
    if (named == null) {
      end(span, failure == null ? new NullPointerException("the handler answered null") : failure);
    }
  }

  private static final class TracedTarget extends ForwardingTarget {
    private final TransferSpan span;
    private long bytes;

    TracedTarget(BodyTarget target, TransferSpan span) {
      super(target);
      this.span = span;
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
      try {
        super.write(from, offset, length);
      } catch (IOException | RuntimeException | Error e) {
        span.end(CallOutcome.TARGET_FAILED, FailureText.of(e));
        throw e;
      }
      bytes += length;
    }

    @Override
    public void complete() throws IOException {
      span.requestBytes(bytes);
      try {
        super.complete();
      } catch (IOException | RuntimeException | Error e) {
        span.end(CallOutcome.TARGET_FAILED, FailureText.of(e));
        throw e;
      }
      span.end(CallOutcome.OK, "");
    }

    @Override
    public void abort(Throwable cause) {
      try {
        span.requestBytes(bytes);
        Spans.end(span, cause);
      } finally {
        super.abort(cause);
      }
    }
  }

  private static final class TracedSource extends ForwardingSource {
    private final TransferSpan span;
    private long bytes;
    private boolean isRead;

    TracedSource(BodySource source, TransferSpan span) {
      super(source);
      this.span = span;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      try {
        int count = super.read(into, offset, length);
        bytes += Math.max(count, 0);
        isRead |= count < 0;
        return count;
      } catch (IOException | RuntimeException | Error e) {
        onFailed(e);
        throw e;
      }
    }

    @Override
    public @Nullable LentBytes lend(int most) throws IOException {
      try {
        LentBytes lent = super.lend(most);
        bytes += lent == null ? 0 : lent.length();
        return lent;
      } catch (IOException | RuntimeException | Error e) {
        onFailed(e);
        throw e;
      }
    }

    private void onFailed(Throwable thrown) {
      span.end(CallOutcome.SOURCE_FAILED, FailureText.of(thrown));
    }

    @Override
    public void close() {
      try {
        span.responseBytes(bytes);
        span.end(isRead ? CallOutcome.OK : CallOutcome.CANCELLED, "");
      } finally {
        super.close();
      }
    }
  }

  ServedStream.Handler streams(String pattern, ServedStream.Handler handler) {
    return stream -> {
      ServedContext context = stream.context();
      TransferSpan span =
          spans.serve(
              context.peer(),
              route,
              pattern,
              context.priority(),
              Spans.requestBytes(pattern, stream.payload()),
              context.headers());
      context.token().ifPresent(token -> Spans.name(span, token));
      stream.onEnd(failure -> end(span, failure));
      try (var _ = span.enter()) {
        handler.handle(stream);
      }
    };
  }
}
