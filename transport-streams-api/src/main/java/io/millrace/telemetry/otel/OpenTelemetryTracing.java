package io.millrace.telemetry.otel;

import io.millrace.trace.TracedTransfer;
import io.millrace.trace.Tracing;
import io.millrace.trace.TransferSpan;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.Headers;
import io.millrace.transfer.MalformedHeadersException;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Traces by OpenTelemetry. The parent of a transfer's span is the current span of the thread
 * ({@code Context.current()}), else the span in the transfer's headers, by W3C's {@code
 * traceparent}. Without both, the parent is the span of a served transfer for whose token the
 * transfer waits. At the peer the transfer's headers name the parent. The dependencies of a
 * transfer are links of its span.
 */
public final class OpenTelemetryTracing implements Tracing {
  static final AttributeKey<String> PEER = AttributeKey.stringKey("millrace.peer");
  static final AttributeKey<String> PATTERN = AttributeKey.stringKey("millrace.pattern");
  static final AttributeKey<Long> PRIORITY = AttributeKey.longKey("millrace.priority");
  static final AttributeKey<Long> REQUEST_BYTES = AttributeKey.longKey("millrace.request.bytes");
  static final AttributeKey<Long> RESPONSE_BYTES = AttributeKey.longKey("millrace.response.bytes");
  static final AttributeKey<Long> ATTEMPTS = AttributeKey.longKey("millrace.attempts");
  static final AttributeKey<Long> PAUSE = AttributeKey.longKey("millrace.retry.pause.ms");
  static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("millrace.outcome");
  static final AttributeKey<String> TOKEN = AttributeKey.stringKey("millrace.token");
  static final AttributeKey<String> CORRELATION = AttributeKey.stringKey("millrace.correlation.id");
  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("rpc.system");
  private static final AttributeKey<String> ROUTE = AttributeKey.stringKey("rpc.method");

  private static final String LIBRARY = "io.millrace";
  private static final TextMapGetter<Headers> GETTER =
      (headers, name) -> headers == null ? null : headers.text(name).orElse(null);

  private final Tracer tracer;
  private final TextMapPropagator propagator;

  /** The trace data kept with a token. */
  record Named(SpanContext context, boolean isServed) {}

  private OpenTelemetryTracing(Tracer tracer, TextMapPropagator propagator) {
    this.tracer = tracer;
    this.propagator = propagator;
  }

  /**
   * Returns a tracing that sends its spans to this OpenTelemetry, and carries spans in headers by
   * its propagators. The application owns the OpenTelemetry, and closes it after the transport. The
   * export should use a batching processor, because some spans end on workers.
   */
  public static OpenTelemetryTracing of(OpenTelemetry telemetry) {
    return new OpenTelemetryTracing(
        telemetry.getTracer(LIBRARY), telemetry.getPropagators().getTextMapPropagator());
  }

  @Override
  public TransferSpan begin(TracedTransfer transfer) {
    Context parent = Context.current();
    if (!isInSpan(parent)) {
      parent = extract(parent, transfer.headers());
    }
    if (!isInSpan(parent)) {
      parent = servedBy(parent, transfer.dependencies());
    }
    SpanKind kind = transfer.peer().isEmpty() ? SpanKind.PRODUCER : SpanKind.CLIENT;
    return started(transfer, parent, kind);
  }

  @Override
  public TransferSpan serve(TracedTransfer transfer) {
    return started(transfer, extract(Context.root(), transfer.headers()), SpanKind.SERVER);
  }

  @Override
  public Headers carry(Headers headers) {
    Context current = Context.current();
    return isInSpan(current) ? injected(current, headers) : headers;
  }

  private TransferSpan started(TracedTransfer transfer, Context parent, SpanKind kind) {
    SpanBuilder builder =
        tracer
            .spanBuilder(transfer.route())
            .setParent(parent)
            .setSpanKind(kind)
            .setAttribute(SYSTEM, "millrace")
            .setAttribute(ROUTE, transfer.route())
            .setAttribute(PATTERN, transfer.pattern())
            .setAttribute(PRIORITY, (long) transfer.priority());
    if (!transfer.peer().isEmpty()) {
      builder.setAttribute(PEER, transfer.peer());
    }
    if (transfer.requestBytes() != TracedTransfer.UNKNOWN_BYTES) {
      builder.setAttribute(REQUEST_BYTES, transfer.requestBytes());
    }
    for (CausalityToken token : transfer.dependencies()) {
      if (token.trace() instanceof Named named) {
        builder.addLink(named.context());
      }
    }
    Context within = parent.with(builder.startSpan());
    boolean isServed = kind == SpanKind.SERVER;
    Headers headers = isServed ? transfer.headers() : injected(within, transfer.headers());
    return new OpenTelemetrySpan(within, headers, isServed);
  }

  private static boolean isInSpan(Context context) {
    return Span.fromContext(context).getSpanContext().isValid();
  }

  private Context extract(Context context, Headers headers) {
    if (headers.isEmpty()) {
      return context;
    }
    try {
      return propagator.extract(context, headers, GETTER);
    } catch (MalformedHeadersException e) {
      // The handler gets the error when it reads the headers.
      return context;
    }
  }

  private Headers injected(Context context, Headers headers) {
    Carrier carrier = new Carrier(headers);
    propagator.inject(context, carrier, Carrier::put);
    return carrier.headers;
  }

  /**
   * Returns the context of the served transfer on whose token the new transfer depends, if any: the
   * new transfer is a part of the served transfer.
   */
  private static Context servedBy(Context context, List<CausalityToken> dependencies) {
    for (CausalityToken token : dependencies) {
      if (token.trace() instanceof Named named && named.isServed()) {
        return context.with(Span.wrap(named.context()));
      }
    }
    return context;
  }

  /** A set of headers that grows by injected fields. */
  private static final class Carrier {
    private Headers headers;

    private Carrier(Headers headers) {
      this.headers = headers;
    }

    private static void put(@Nullable Carrier carrier, String name, String value) {
      if (carrier != null) {
        carrier.headers = carrier.headers.without(name).with(name, value);
      }
    }
  }
}
