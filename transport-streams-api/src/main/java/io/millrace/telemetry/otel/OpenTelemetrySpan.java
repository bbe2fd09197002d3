package io.millrace.telemetry.otel;

import io.millrace.trace.TransferSpan;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A span of OpenTelemetry, which ignores all calls after its end. */
final class OpenTelemetrySpan implements TransferSpan {
  private final Context within;
  private final Span span;
  private final Headers headers;
  private final boolean isServed;

  /** The token of the transfer; the token gets a slot, and thereby an id, only later. */
  private volatile @Nullable CausalityToken token;

  OpenTelemetrySpan(Context within, Headers headers, boolean isServed) {
    this.within = within;
    this.headers = headers;
    this.isServed = isServed;
    span = Span.fromContext(within);
  }

  @Override
  public Headers headers() {
    return headers;
  }

  @Override
  public Object context() {
    return new OpenTelemetryTracing.Named(span.getSpanContext(), isServed);
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // the code that enters the scope closes the scope
  public Scope enter() {
    return within.makeCurrent()::close;
  }

  @Override
  public void token(CausalityToken named) {
    token = named;
  }

  @Override
  public void requestBytes(long bytes) {
    span.setAttribute(OpenTelemetryTracing.REQUEST_BYTES, bytes);
  }

  @Override
  public void responseBytes(long bytes) {
    span.setAttribute(OpenTelemetryTracing.RESPONSE_BYTES, bytes);
  }

  @Override
  public void retry(int attempt, CallOutcome failed, Duration pause) {
    span.setAttribute(OpenTelemetryTracing.ATTEMPTS, attempt);
    span.addEvent(
        "retry",
        Attributes.of(
            OpenTelemetryTracing.ATTEMPTS,
            (long) attempt,
            OpenTelemetryTracing.OUTCOME,
            failed.name(),
            OpenTelemetryTracing.PAUSE,
            pause.toMillis()));
  }

  @Override
  public void end(CallOutcome outcome, String text) {
    CausalityToken named = token;
    if (named != null) {
      span.setAttribute(OpenTelemetryTracing.TOKEN, named.toString());
      span.setAttribute(OpenTelemetryTracing.CORRELATION, named.correlationId());
    }
    span.setAttribute(OpenTelemetryTracing.OUTCOME, outcome.name());
    if (outcome != CallOutcome.OK) {
      span.setStatus(StatusCode.ERROR, text);
    }
    span.end();
  }
}
