package io.millrace.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.event.PeerHealthChange;
import io.millrace.event.SubscriptionOptions;
import io.millrace.telemetry.kamon.MetricDefinition;
import io.millrace.transfer.PeerHealth;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The meters of real nodes under calls, and of events that a test tells. */
@Timeout(30)
class MillraceMetricsTest {
  private static final TransportSettings SETTINGS =
      TransportSettings.parse(
          "millrace.handshake.provider = psk, millrace.handshake.psk = "
              + "0123456789abcdef".repeat(4));

  private static final SubscriptionOptions OFTEN =
      SubscriptionOptions.DEFAULTS.withActivityEvery(Duration.ofMillis(20));

  private static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");
  private static final ByteString SMALL = ByteString.fromArray(new byte[300]);

  /** A payload too large for a packet, which goes as a body. */
  private static final ByteString LARGE = ByteString.fromArray(new byte[200_000]);

  private static final int CALLS = 100;
  private static final int PEERS = 1_100;
  private static final int MOST_PEER_METERS = 1_001;
  private static final long LOOK_AGAIN_NS = 10_000_000;
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (millrace_\\w+) \\w+$");

  private static void call(Peer peer) {
    IntStream.range(0, CALLS)
        .mapToObj(i -> peer.unary(ECHO, i == 0 ? LARGE : SMALL).orTimeout(20, TimeUnit.SECONDS))
        .toList()
        .forEach(CompletableFuture::join);
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(LOOK_AGAIN_NS);
    }
  }

  private static double sum(MeterRegistry registry, String name) {
    return registry.find(name).functionCounters().stream()
        .mapToDouble(counter -> counter.count())
        .sum();
  }

  private static long latencies(MeterRegistry registry) {
    return registry.find("millrace.transfer.latency").timers().stream()
        .mapToLong(timer -> timer.count())
        .sum();
  }

  private static void tell(MillraceMetrics metrics, int peer, PeerHealth from, PeerHealth to) {
    metrics.onPeerHealth(new PeerHealthChange(0, "peer-" + peer, from, to, 0, 0, 0, "told"));
  }

  /** The names that a scrape must have are those of Kamon's reporter for Prometheus. */
  @Test
  void shouldHaveTheNamesAndTagsOfKamonWhenScraped() {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    MillraceMetrics metrics = new MillraceMetrics(Tags.of("node", "baker"));
    metrics.bindTo(prometheus);
    try (Transport mill = Transport.start(SETTINGS);
        Transport baker = Transport.builder(SETTINGS).events(metrics, OFTEN).start()) {
      mill.serve(ECHO, CompletableFuture::completedFuture);
      call(baker.peer(mill.address()));
      await(() -> latencies(prometheus) >= CALLS);
      metrics.bindTo(prometheus);
      call(baker.peer(mill.address()));
      await(() -> latencies(prometheus) >= 2 * CALLS);
      tell(metrics, 0, PeerHealth.HEALTHY, PeerHealth.PROBING);
      assertEquals(2 * CALLS, sum(prometheus, "millrace.transfers.requests.sent"));
      assertEquals(2 * CALLS, latencies(prometheus));
    }
    SortedSet<String> expected = new TreeSet<>();
    SortedSet<String> scraped = new TreeSet<>();
    for (MetricDefinition each : MetricDefinition.all()) {
      expected.add(each.prometheusName());
      if (each.kind() == MetricDefinition.Kind.HISTOGRAM) {
        expected.add(each.prometheusName() + "_max");
      }
      Set<String> tags =
          prometheus.find(each.name()).meters().stream()
              .flatMap(meter -> meter.getId().getTags().stream())
              .map(Tag::getKey)
              .collect(Collectors.toSet());
      assertTrue(tags.remove("node"), each.name());
      assertEquals(Set.copyOf(each.tags()), tags, each.name());
    }
    TYPE.matcher(prometheus.scrape()).results().forEach(line -> scraped.add(line.group(1)));
    assertEquals(expected, scraped);
  }

  @Test
  void shouldKeepABoundedNumberOfPeersAndLeaveNoMeterWhenClosed() {
    MeterRegistry first = new SimpleMeterRegistry();
    MeterRegistry second = new SimpleMeterRegistry();
    MillraceMetrics metrics = new MillraceMetrics();
    metrics.bindTo(first);
    for (int i = 0; i < PEERS; i++) {
      tell(metrics, i, PeerHealth.DEGRADED, PeerHealth.HEALTHY);
    }
    for (int i = PEERS; i < 2 * PEERS; i++) {
      tell(metrics, i, PeerHealth.HEALTHY, PeerHealth.FAILED);
    }
    metrics.bindTo(second);
    metrics.bindTo(second);
    for (MeterRegistry each : List.of(first, second)) {
      List<Meter> peers = List.copyOf(each.find("millrace.peers.health").meters());
      assertEquals(MOST_PEER_METERS, peers.size());
      assertEquals(
          List.of(),
          peers.stream()
              .flatMap(meter -> meter.getId().getTags().stream())
              .filter(tag -> tag.getValue().equals("peer-0"))
              .toList());
    }
    metrics.close();
    metrics.close();
    tell(metrics, 0, PeerHealth.HEALTHY, PeerHealth.FAILED);
    metrics.bindTo(second);
    assertEquals(List.of(), first.getMeters());
    assertEquals(List.of(), second.getMeters());
  }
}
