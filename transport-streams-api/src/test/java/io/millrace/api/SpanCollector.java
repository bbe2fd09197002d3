package io.millrace.api;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A collector of traces on loopback: takes OTLP over HTTP, as any collector does. */
final class SpanCollector implements AutoCloseable {
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);
  private static final int OK = 200;

  private final HttpServer server;
  private final List<Seen> seen = new ArrayList<>();

  /** One span as received, with the name of the sending service. */
  record Seen(String service, Span span) {
    String trace() {
      return HexFormat.of().formatHex(span.getTraceId().toByteArray());
    }

    String id() {
      return HexFormat.of().formatHex(span.getSpanId().toByteArray());
    }

    String parent() {
      return HexFormat.of().formatHex(span.getParentSpanId().toByteArray());
    }

    String kind() {
      return span.getKind().name().substring("SPAN_KIND_".length());
    }

    /** Returns the texts and numbers of the span's attributes. */
    Map<String, String> attributes() {
      return span.getAttributesList().stream()
          .collect(Collectors.toMap(KeyValue::getKey, pair -> text(pair.getValue())));
    }

    String attribute(String name) {
      return String.valueOf(attributes().get(name));
    }

    private static String text(AnyValue value) {
      return value.hasIntValue() ? Long.toString(value.getIntValue()) : value.getStringValue();
    }

    @Override
    public String toString() {
      return service + " " + kind() + " " + span.getName() + " " + attributes();
    }
  }

  SpanCollector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/v1/traces", this::take);
    server.start();
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      List<Seen> came = new ArrayList<>();
      ExportTraceServiceRequest request =
          ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
      for (ResourceSpans resource : request.getResourceSpansList()) {
        String service = service(resource);
        for (ScopeSpans scope : resource.getScopeSpansList()) {
          scope.getSpansList().forEach(span -> came.add(new Seen(service, span)));
        }
      }
      synchronized (this) {
        seen.addAll(came);
        notifyAll();
      }
      byte[] answer = ExportTraceServiceResponse.getDefaultInstance().toByteArray();
      exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
      exchange.sendResponseHeaders(OK, answer.length == 0 ? -1 : answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  private static String service(ResourceSpans resource) {
    return resource.getResource().getAttributesList().stream()
        .filter(pair -> pair.getKey().equals("service.name"))
        .map(pair -> pair.getValue().getStringValue())
        .findFirst()
        .orElse("");
  }

  /**
   * Returns the spans of a trace, once this number of spans has arrived; after the time limit, all
   * arrived spans.
   */
  synchronized List<Seen> trace(String id, int count) throws InterruptedException {
    long endNs = System.nanoTime() + LIMIT_NS;
    while (true) {
      List<Seen> found = seen.stream().filter(each -> each.trace().equals(id)).toList();
      long leftNs = endNs - System.nanoTime();
      if (found.size() >= count || leftNs <= 0) {
        return found;
      }
      TimeUnit.NANOSECONDS.timedWait(this, leftNs);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
