package io.millrace.samples.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.ConfigFactory;
import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.api.TransportSnapshot;
import io.millrace.config.TransportSettings;
import io.millrace.event.SubscriptionOptions;
import io.millrace.telemetry.kamon.EventMetrics;
import io.millrace.telemetry.kamon.MetricDefinition;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Metrics of real nodes under calls. */
@Timeout(60)
class MetricsTest {
  private static final TransportSettings SETTINGS =
      TransportSettings.parse(
          "millrace.handshake.provider = psk, millrace.handshake.psk = "
              + "0123456789abcdef".repeat(4));

  private static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");
  private static final Route<ByteString, ByteString> NOWHERE = Route.bytes("nowhere");
  private static final SubscriptionOptions OFTEN =
      SubscriptionOptions.DEFAULTS.withActivityEvery(Duration.ofMillis(20));

  /** A payload too large for a packet, which goes as a body. */
  private static final int LARGE_BYTES = 200_000;

  private static final int CALLS = 400;
  private static final long LOOK_AGAIN_NS = 10_000_000;
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final ByteString BYTES = ByteString.fromArray(new byte[300]);

  @AfterAll
  static void closeClient() {
    HTTP.close();
  }

  @BeforeAll
  static void tickOften() {
    System.setProperty("kamon.metric.tick-interval", "50ms");
    ConfigFactory.invalidateCaches();
  }

  private static Transport mill(Transport.Builder builder) {
    Transport mill = builder.start();
    mill.serve(ECHO, CompletableFuture::completedFuture);
    return mill;
  }

  private static void call(Peer peer, int calls) {
    List<CompletableFuture<ByteString>> answers = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      answers.add(peer.unary(ECHO, BYTES));
    }
    answers.forEach(each -> assertEquals(BYTES, each.orTimeout(20, TimeUnit.SECONDS).join()));
  }

  /** Makes calls with answers and a call that fails. */
  private static void callAll(Peer peer) {
    call(peer, CALLS);
    assertTrue(
        peer.unary(NOWHERE, BYTES)
            .orTimeout(20, TimeUnit.SECONDS)
            .handle((answer, failure) -> failure instanceof CallException)
            .join());
  }

  private static long value(SortedMap<String, Long> values, String metric) {
    return values.entrySet().stream()
        .filter(each -> each.getKey().startsWith(metric + "{"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Two nodes are called; the events of both are told again, from nothing. */
  @Test
  void shouldMakeTheSameValuesOfTheSameEvents() throws Throwable {
    EventMetrics metrics = new EventMetrics();
    RecordedEvents recorded = new RecordedEvents(metrics);
    TransportSnapshot ofMill;
    TransportSnapshot ofBaker;
    try (Transport mill = mill(Transport.builder(SETTINGS));
        Transport baker = Transport.start(SETTINGS)) {
      mill.subscribe(recorded.events(), OFTEN);
      baker.subscribe(recorded.events(), OFTEN);
      callAll(baker.peer(mill.address()));
      ofMill = mill.snapshot();
      ofBaker = baker.snapshot();
    }
    EventMetrics again = new EventMetrics();
    recorded.replay(again);

    SortedMap<String, Long> values = metrics.values();
    assertEquals(values, again.values());
    assertEquals(
        ofMill.workers().stream().mapToLong(each -> each.transfers().requestsServed()).sum(),
        value(values, "millrace.transfers.requests.served"));
    assertEquals(
        ofBaker.workers().stream().mapToLong(each -> each.transfers().responsesReceived()).sum(),
        value(values, "millrace.transfers.responses.received"));
    assertEquals(1, value(values, "millrace.transfers.failed"));
    assertEquals(CALLS + 1, value(values, "millrace.transfer.latency"));
    assertTrue(value(values, "millrace.handshakes.completed") > 0);
    assertTrue(value(values, "millrace.nic.sent") > (long) CALLS * BYTES.size());
    assertEquals(0, value(values, "millrace.paths.open"), "all are closed");
  }

  private static PrometheusText scrape(String address) throws Exception {
    return PrometheusText.parse(
        HTTP.send(
                HttpRequest.newBuilder(URI.create("http://" + address + "/metrics")).build(),
                BodyHandlers.ofString())
            .body());
  }

  private static PrometheusText scrapeUntil(String address, Predicate<PrometheusText> isIn)
      throws Exception {
    PrometheusText text = scrape(address);
    while (!isIn.test(text)) { // ended by the test's time limit
      LockSupport.parkNanos(LOOK_AGAIN_NS);
      text = scrape(address);
    }
    return text;
  }

  @Test
  void shouldServeEveryMetricUnderLoadAndCountRight() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    try (PrometheusEndpoint endpoint =
            PrometheusEndpoint.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Transport mill = mill(Transport.builder(SETTINGS));
        Transport baker = endpoint.start(Transport.builder(SETTINGS))) {
      Peer peer = baker.peer(mill.address());
      ByteString large = ByteString.fromArrayUnsafe(new byte[LARGE_BYTES]);
      assertEquals(large, peer.unary(ECHO, large).orTimeout(20, TimeUnit.SECONDS).join());
      CompletableFuture<Void> load =
          CompletableFuture.runAsync(
              () -> {
                while (!isOver.get()) {
                  call(peer, 100);
                }
                callAll(peer);
              });
      PrometheusText under =
          scrapeUntil(
              endpoint.address(),
              text ->
                  text.sum("millrace_transfers_responses_received_total") > 1
                      && text.sum("millrace_bodies_write_seconds_count") > 0);
      assertEveryMetricIsThere(under);
      isOver.set(true);
      load.join();

      long answered =
          baker.snapshot().workers().stream()
              .mapToLong(each -> each.transfers().responsesReceived())
              .sum();
      PrometheusText after =
          scrapeUntil(
              endpoint.address(),
              text -> text.sum("millrace_transfers_responses_received_total") >= answered);
      assertEquals((double) answered, after.sum("millrace_transfers_responses_received_total"));
      assertEquals(1, after.sum("millrace_transfers_failed_total"));
      assertEquals(
          (double) answered,
          after.sum("millrace_transfer_latency_seconds_count"),
          "a failure is an answer, too");
    }
  }

  /**
   * Metrics have Prometheus' spelling here; peers have a value only after a change of their health.
   */
  private static void assertEveryMetricIsThere(PrometheusText text) {
    SortedMap<String, String> expected = new TreeMap<>();
    for (MetricDefinition each : MetricDefinition.all()) {
      if (!each.name().equals("millrace.peers.health")) {
        expected.put(each.prometheusName(), each.kind().name().toLowerCase(Locale.ROOT));
      }
    }
    SortedMap<String, String> found = new TreeMap<>(text.types());
    found.keySet().removeIf(name -> !name.startsWith("millrace_"));
    assertEquals(expected, found);
  }
}
