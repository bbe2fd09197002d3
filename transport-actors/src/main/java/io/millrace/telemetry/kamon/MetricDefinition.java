package io.millrace.telemetry.kamon;

import io.millrace.event.Count;
import io.millrace.event.Gauge;
import io.millrace.event.LatencyStage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A metric: {@link EventMetrics} keeps a value of the metric for each set of tags.
 *
 * @param name the name in Kamon, with dots
 * @param kind the kind of the values
 * @param unit {@code bytes}, {@code ns}, or the counted things
 * @param text the description, for a person
 * @param tags the names of the metric's tags
 */
public record MetricDefinition(
    String name, Kind kind, String unit, String text, List<String> tags) {
  /** The kinds of the values of a metric. */
  public enum Kind {
    /** A sum that only grows. */
    COUNTER,

    /** A value that stands. */
    GAUGE,

    /** The number of values of each size. */
    HISTOGRAM
  }

  /** The unit of sizes. */
  public static final String BYTES = "bytes";

  /** The unit of times. */
  public static final String NANOSECONDS = "ns";

  private static final List<String> OF_WORKER = List.of("worker");
  private static final List<String> OF_NIC = List.of("worker", "nic", "driver");

  static final MetricDefinition OBSERVED =
      counter(
          "millrace.workers.observed",
          NANOSECONDS,
          "Time that the counts of a worker cover: the one to divide them by.");

  static final MetricDefinition DATA_DROPPED =
      counter(
          "millrace.events.dropped",
          "events",
          "Data events that this subscriber was too slow for.");

  static final MetricDefinition KEYS_ROTATED =
      counter("millrace.keys.rotated", "times", "Directions of paths that went to their next key.");

  static final MetricDefinition WORKER_UP =
      gauge("millrace.workers.up", "workers", "1 while the worker runs, 0 once it has stopped.");

  static final MetricDefinition NIC_SENT =
      ofNic("millrace.nic.sent", BYTES, "Bytes of datagrams handed to the network.");

  static final MetricDefinition NIC_RECEIVED =
      ofNic("millrace.nic.received", BYTES, "Bytes of datagrams that came.");

  static final MetricDefinition NIC_DATAGRAMS_SENT =
      ofNic("millrace.nic.datagrams.sent", "datagrams", "Datagrams handed to the network.");

  static final MetricDefinition NIC_DATAGRAMS_RECEIVED =
      ofNic("millrace.nic.datagrams.received", "datagrams", "Datagrams that came.");

  static final MetricDefinition NIC_DROPS =
      ofNic(
          "millrace.nic.drops",
          "datagrams",
          "Datagrams lost in this host: refused on sending, or dropped by a full receive queue.");

  static final MetricDefinition NIC_UP =
      new MetricDefinition(
          "millrace.nic.up",
          Kind.GAUGE,
          "NICs",
          "1 while the worker sees the NIC up, 0 while it is down.",
          List.of("worker", "nic"));

  static final MetricDefinition HANDSHAKES_STARTED =
      ofNode("millrace.handshakes.started", "Handshakes with peers that began.");

  static final MetricDefinition HANDSHAKES_COMPLETED =
      ofNode("millrace.handshakes.completed", "Handshakes that succeeded.");

  static final MetricDefinition HANDSHAKES_FAILED =
      ofNode("millrace.handshakes.failed", "Handshakes that failed.");

  static final MetricDefinition EVENTS =
      new MetricDefinition(
          "millrace.events",
          Kind.COUNTER,
          "events",
          "Events of the levels warn and error, by name.",
          List.of("kind", "level"));

  static final MetricDefinition PEER_HEALTH =
      new MetricDefinition(
          "millrace.peers.health",
          Kind.GAUGE,
          "health",
          "Of each peer whose health changed: 0 healthy, 1 degraded, 2 probing, 3 failed.",
          List.of("peer"));

  private static final List<MetricDefinition> LATENCIES =
      Stream.of(LatencyStage.values()).map(MetricDefinition::histogram).toList();

  private static final List<MetricDefinition> OWN =
      List.of(
          OBSERVED,
          DATA_DROPPED,
          KEYS_ROTATED,
          WORKER_UP,
          NIC_SENT,
          NIC_RECEIVED,
          NIC_DATAGRAMS_SENT,
          NIC_DATAGRAMS_RECEIVED,
          NIC_DROPS,
          NIC_UP,
          HANDSHAKES_STARTED,
          HANDSHAKES_COMPLETED,
          HANDSHAKES_FAILED,
          EVENTS,
          PEER_HEALTH);

  private static final List<MetricDefinition> ALL = collect();

  private static MetricDefinition counter(String name, String unit, String text) {
    return new MetricDefinition(name, Kind.COUNTER, unit, text, OF_WORKER);
  }

  private static MetricDefinition gauge(String name, String unit, String text) {
    return new MetricDefinition(name, Kind.GAUGE, unit, text, OF_WORKER);
  }

  private static MetricDefinition ofNic(String name, String unit, String text) {
    return new MetricDefinition(name, Kind.COUNTER, unit, text, OF_NIC);
  }

  private static MetricDefinition ofNode(String name, String text) {
    return new MetricDefinition(name, Kind.COUNTER, "handshakes", text, List.of());
  }

  private static MetricDefinition histogram(LatencyStage stage) {
    return new MetricDefinition(
        stage.metric(),
        Kind.HISTOGRAM,
        NANOSECONDS,
        stage.text(),
        List.of("worker", "pattern", "priority"));
  }

  /** The metric of a stage of transfers. */
  static MetricDefinition of(LatencyStage stage) {
    return LATENCIES.get(stage.ordinal());
  }

  /** The metric of a count of the catalogue. */
  static MetricDefinition of(Count count) {
    return counter(count.metric(), count.unit(), count.text());
  }

  /** The metric of a gauge of the catalogue. */
  static MetricDefinition of(Gauge gauge) {
    return gauge(gauge.metric(), gauge.unit(), gauge.text());
  }

  /** Every metric: the metrics of the catalogue first. */
  public static List<MetricDefinition> all() {
    return ALL;
  }

  private static List<MetricDefinition> collect() {
    List<MetricDefinition> all = new ArrayList<>();
    for (Count each : Count.values()) {
      all.add(of(each));
    }
    for (Gauge each : Gauge.values()) {
      all.add(of(each));
    }
    all.addAll(LATENCIES);
    all.addAll(OWN);
    return List.copyOf(all);
  }

  /** Whether the metric is a count or a gauge of the catalogue of events, which documents both. */
  public boolean isOfCatalogue() {
    return !OWN.contains(this) && !LATENCIES.contains(this);
  }

  /**
   * The metric's name in Kamon's reporter for Prometheus: underscores, the unit, and {@code _total}
   * for counters. Of a histogram this is the name without {@code _bucket}, {@code _sum} and {@code
   * _count}.
   */
  public String prometheusName() {
    String base =
        switch (unit) {
          case BYTES -> "_bytes";
          case NANOSECONDS -> "_seconds";
          default -> "";
        };
    return name.replace('.', '_') + base + (kind == Kind.COUNTER ? "_total" : "");
  }
}
