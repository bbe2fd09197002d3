package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.SpanCollector.Seen;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.body.ArraySource;
import io.millrace.telemetry.otel.OpenTelemetryTracing;
import io.millrace.transfer.DependencyKind;
import io.millrace.transfer.Headers;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.proto.trace.v1.Status;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Traces of nodes on real sockets, as received by a collector. */
@Timeout(60)
class TracesTest {
  private static final int PEERS = 5;
  private static final Route<byte[], byte[]> FIRST = route("first");
  private static final Route<byte[], byte[]> LAST = route("last");
  private static final Route<byte[], byte[]> BY_TOKEN = route("by-token");
  private static final Route<byte[], byte[]> FAILING = route("failing");
  private static final Route<byte[], byte[]> PARCEL = route("parcel");
  private static final Route<byte[], byte[]> COPY = route("copy");
  private static final Route<byte[], byte[]> RESPONSES = route("responses");
  private static final Route<byte[], byte[]> REQUESTS = route("requests");
  private static final Route<byte[], byte[]> BOTH = route("both");
  private static final byte[] PAYLOAD = "the wheel turns".getBytes(UTF_8);
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";

  private static final List<AutoCloseable> OPEN = new ArrayList<>();
  private static final List<Transport> RECEIVERS = new ArrayList<>();
  private static SpanCollector collector;
  private static OpenTelemetrySdk sdk;
  private static Transport sender;

  private static Route<byte[], byte[]> route(String name) {
    return Route.of(name, ByteArrays.CODEC, ByteArrays.CODEC);
  }

  @BeforeAll
  static void start() throws Exception {
    collector = opened(new SpanCollector());
    sdk = telemetry("sender");
    sender = node(sdk);
    for (int i = 0; i < PEERS; i++) {
      RECEIVERS.add(node(telemetry("receiver " + i)));
    }
    for (int i = 0; i < PEERS; i++) {
      Transport receiver = RECEIVERS.get(i);
      Peer next = receiver.peer(RECEIVERS.get((i + 1) % PEERS).address());
      receiver.serve(FIRST, (value, context) -> next.unary(LAST, value));
      receiver.serveOnWorker(
          LAST, call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
      // Another thread has no current span: the token of the served call names the parent of the
      // new call.
      receiver.serve(
          BY_TOKEN,
          (value, context) -> {
            TransferOptions options =
                TransferOptions.DEFAULTS.after(
                    context.token().orElseThrow(), DependencyKind.REQUEST_CRITICAL);
            return CompletableFuture.supplyAsync(() -> next.unary(LAST, value, options).join());
          });
      receiver.serve(
          FAILING, value -> CompletableFuture.failedFuture(new IllegalStateException("planned")));
      receiver.serveBulkWrites(
          PARCEL,
          offer -> CompletableFuture.completedFuture(BulkTarget.into(new byte[PAYLOAD.length])));
      receiver.serveBulkReads(
          COPY, offer -> CompletableFuture.completedFuture(BulkSource.of(PAYLOAD)));
      receiver.serveStreamingResponse(RESPONSES, value -> Source.single(value));
      receiver.serveStreamingRequest(
          REQUESTS, values -> values.runWith(Sink.head(), receiver.materializer()));
      receiver.serveBidirectional(BOTH, values -> values);
    }
  }

  private static <T extends AutoCloseable> T opened(T resource) {
    OPEN.addFirst(resource);
    return resource;
  }

  private static OpenTelemetrySdk telemetry(String service) {
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder().setEndpoint(collector.endpoint()).build();
    return opened(
        OpenTelemetrySdk.builder()
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .setResource(Resource.builder().put("service.name", service).build())
                    .addSpanProcessor(
                        BatchSpanProcessor.builder(exporter)
                            .setScheduleDelay(Duration.ofMillis(10))
                            .build())
                    .build())
            .build());
  }

  private static Transport node(OpenTelemetrySdk telemetry) {
    return opened(
        Transport.builder(TwoNodes.small("")).tracing(OpenTelemetryTracing.of(telemetry)).start());
  }

  @AfterAll
  static void close() throws Exception {
    for (AutoCloseable each : OPEN) {
      each.close();
    }
    OPEN.clear();
    RECEIVERS.clear();
  }

  private static Peer peer(int receiver) {
    return sender.peer(RECEIVERS.get(receiver).address());
  }

  private static <T> T await(CompletableFuture<T> future) throws Exception {
    return future.get(30, TimeUnit.SECONDS);
  }

  private static Seen only(List<Seen> spans, Predicate<Seen> which) {
    List<Seen> found = spans.stream().filter(which).toList();
    assertEquals(1, found.size(), () -> "of " + spans);
    return found.getFirst();
  }

  private static Seen only(List<Seen> spans, String service, String kind) {
    return only(spans, each -> each.service().equals(service) && each.kind().equals(kind));
  }

  @Test
  void shouldShowAChainOverThreeNodesAsOneTrace() throws Exception {
    Span order = sdk.getTracer("application").spanBuilder("order").startSpan();
    try (var _ = order.makeCurrent()) {
      await(peer(0).unary(FIRST, PAYLOAD, TransferOptions.DEFAULTS.withPriority(1)));
    } finally {
      order.end();
    }
    List<Seen> spans = collector.trace(order.getSpanContext().getTraceId(), 5);
    assertEquals(5, spans.size(), () -> "spans " + spans);
    Seen begun = only(spans, "sender", "CLIENT");
    Seen first = only(spans, "receiver 0", "SERVER");
    Seen onward = only(spans, "receiver 0", "CLIENT");
    Seen last = only(spans, "receiver 1", "SERVER");
    assertEquals(order.getSpanContext().getSpanId(), begun.parent());
    assertEquals(begun.id(), first.parent());
    assertEquals(first.id(), onward.parent());
    assertEquals(onward.id(), last.parent());
    for (Seen span : List.of(begun, first, onward, last)) {
      String wanted = span == begun || span == first ? "first" : "last";
      assertEquals(wanted, span.span().getName());
      assertEquals(wanted, span.attribute("rpc.method"));
      assertEquals("unary", span.attribute("millrace.pattern"));
      assertEquals(wanted.equals("first") ? "1" : "3", span.attribute("millrace.priority"));
      assertEquals("OK", span.attribute("millrace.outcome"));
      assertEquals(Integer.toString(PAYLOAD.length), span.attribute("millrace.request.bytes"));
    }
    assertEquals(RECEIVERS.get(0).address(), begun.attribute("millrace.peer"));
    assertEquals(sender.address(), first.attribute("millrace.peer"));
    assertEquals(Integer.toString(PAYLOAD.length), begun.attribute("millrace.response.bytes"));
    assertEquals(Integer.toString(PAYLOAD.length), first.attribute("millrace.response.bytes"));
  }

  @Test
  void shouldShowABroadcastToFivePeersAsOneTrace() throws Exception {
    Span order = sdk.getTracer("application").spanBuilder("order").startSpan();
    Broadcast broadcast;
    try (var _ = order.makeCurrent()) {
      List<Destination> all =
          RECEIVERS.stream().map(each -> Destination.of(sender.peer(each.address()))).toList();
      broadcast = sender.broadcast(PARCEL, new ArraySource(PAYLOAD, 0, PAYLOAD.length), all);
    } finally {
      order.end();
    }
    assertTrue(await(broadcast.outcomes()).stream().allMatch(DeliveryOutcome::isDelivered));
    int count = 2 + 2 * PEERS;
    List<Seen> spans = collector.trace(order.getSpanContext().getTraceId(), count);
    assertEquals(count, spans.size(), () -> "spans " + spans);
    Seen whole = only(spans, "sender", "PRODUCER");
    assertEquals(order.getSpanContext().getSpanId(), whole.parent());
    Set<String> served = new TreeSet<>();
    Set<String> told = new TreeSet<>();
    for (Seen span : spans) {
      if (span.parent().equals(whole.id())) {
        assertEquals("bulk write", span.attribute("millrace.pattern"));
        assertEquals("OK", span.attribute("millrace.outcome"));
        boolean isServed =
            span.kind().equals("SERVER")
                ? served.add(span.service())
                : told.add(span.attribute("millrace.peer"));
        assertTrue(isServed, () -> "twice: " + span);
      }
    }
    assertEquals(PEERS, served.size(), served::toString);
    assertEquals(RECEIVERS.stream().map(Transport::address).collect(Collectors.toSet()), told);
  }

  @Test
  void shouldTakeOverATraceparentAndLinkWhatACallWaitsFor() throws Exception {
    TransferOptions within =
        TransferOptions.DEFAULTS
            .withHeader("traceparent", "00-" + TRACE + "-" + PARENT + "-01")
            .withHeader("tenant", "t1");
    Call<byte[]> write = peer(2).unary(LAST, PAYLOAD, within.withToken());
    Call<byte[]> index = peer(2).unary(BY_TOKEN, PAYLOAD, within.after(write.token()));
    await(index);
    List<Seen> spans = collector.trace(TRACE, 6);
    assertEquals(6, spans.size(), () -> "spans " + spans);
    List<Seen> begun = spans.stream().filter(each -> each.service().equals("sender")).toList();
    assertEquals(List.of(PARENT, PARENT), begun.stream().map(Seen::parent).toList());
    Seen waited = only(begun, each -> each.span().getName().equals("last"));
    Seen waiting = only(begun, each -> each.span().getName().equals("by-token"));
    assertEquals(
        List.of(waited.id()),
        waiting.span().getLinksList().stream()
            .map(link -> HexFormat.of().formatHex(link.getSpanId().toByteArray()))
            .toList());
    Seen served = only(spans, each -> each.parent().equals(waiting.id()));
    Seen onward = only(spans, "receiver 2", "CLIENT");
    assertEquals(served.id(), onward.parent());
    assertEquals(onward.id(), only(spans, "receiver 3", "SERVER").parent());
    // One chain of tokens, with the same name on all nodes.
    String correlation = waited.attribute("millrace.correlation.id");
    assertEquals(32, correlation.length());
    for (Seen span : List.of(waiting, served, onward)) {
      assertEquals(correlation, span.attribute("millrace.correlation.id"), span::toString);
    }
  }

  @Test
  void shouldPassOnHeadersOfACallerThatDoesNotTrace() throws Exception {
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    try (Transport outside = Transport.builder(TwoNodes.small("")).start()) {
      Headers headers = Headers.of("traceparent", "00-" + trace + "-" + PARENT + "-01");
      await(
          outside
              .peer(RECEIVERS.get(4).address())
              .unary(FIRST, PAYLOAD, TransferOptions.DEFAULTS.withHeaders(headers)));
    }
    List<Seen> spans = collector.trace(trace, 3);
    assertEquals(3, spans.size(), () -> "spans " + spans);
    assertEquals(PARENT, only(spans, "receiver 4", "SERVER").parent());
    assertEquals(
        only(spans, "receiver 4", "CLIENT").id(), only(spans, "receiver 0", "SERVER").parent());
  }

  @Test
  void shouldHaveASpanAtBothSidesOfEachPatternAndSayHowItEnded() throws Exception {
    Span order = sdk.getTracer("application").spanBuilder("order").startSpan();
    try (var _ = order.makeCurrent()) {
      Peer peer = peer(3);
      Call<byte[]> failing = peer.unary(FAILING, PAYLOAD);
      assertThrows(ExecutionException.class, () -> await(failing));
      BulkReceipt written =
          await(peer.bulkWrite(PARCEL, new ArraySource(PAYLOAD, 0, PAYLOAD.length)));
      assertEquals(PAYLOAD.length, written.bytes());
      await(peer.bulkRead(COPY, BulkTarget.into(new byte[PAYLOAD.length])));
      await(
          peer.streamingResponse(RESPONSES, PAYLOAD)
              .runWith(Sink.seq(), sender.materializer())
              .toCompletableFuture());
      await(Source.single(PAYLOAD).runWith(peer.streamingRequest(REQUESTS), sender.materializer()));
      await(
          Source.single(PAYLOAD)
              .via(peer.bidirectional(BOTH))
              .runWith(Sink.seq(), sender.materializer())
              .toCompletableFuture());
    } finally {
      order.end();
    }
    Set<String> wanted = new TreeSet<>();
    for (String kind : List.of("CLIENT", "SERVER")) {
      wanted.add(kind + " unary HANDLER_FAILED STATUS_CODE_ERROR");
      for (String pattern :
          List.of(
              "bulk write",
              "bulk read",
              "streaming response",
              "streaming request",
              "bidirectional")) {
        wanted.add(kind + " " + pattern + " OK STATUS_CODE_UNSET");
      }
    }
    List<Seen> spans = collector.trace(order.getSpanContext().getTraceId(), 13);
    assertEquals(13, spans.size(), () -> "spans " + spans);
    Set<String> ends =
        spans.stream()
            .filter(each -> each.attributes().containsKey("millrace.pattern"))
            .map(TracesTest::end)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(wanted, ends);
  }

  private static String end(Seen span) {
    Status.StatusCode status = span.span().getStatus().getCode();
    return String.join(
        " ",
        span.kind(),
        span.attribute("millrace.pattern"),
        span.attribute("millrace.outcome"),
        status.name());
  }
}
