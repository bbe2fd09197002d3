package io.millrace.telemetry.kamon;

import java.util.List;
import java.util.Map;
import kamon.Kamon;
import kamon.metric.Counter;
import kamon.metric.DynamicRange;
import kamon.metric.Gauge;
import kamon.metric.Histogram;
import kamon.metric.MeasurementUnit;
import kamon.tag.TagSet;

/**
 * A subscriber to the events of a transport that keeps the transport's metrics in Kamon: the
 * metrics of {@link MetricDefinition#all}, with their tags. Subscribe this object with {@code
 * SubscriptionOptions.DEFAULTS.withActivityEvery(interval)}, without data events; the interval is
 * best Kamon's own, {@code kamon.metric.tick-interval}. Reporters are Kamon's matter, and so is
 * {@code Kamon.initWithoutAttaching()}, which the application calls.
 *
 * <p>Instruments are looked up once. No part of this class runs on a worker. Two transports of a
 * process need distinguishing tags.
 */
public final class KamonMetrics extends EventMetrics implements AutoCloseable {
  private static final long LONGEST_NS = 1L << 42;

  /** Metrics without tags but their own. */
  public KamonMetrics() {
    this(Map.of());
  }

  /** Metrics that carry these tags, too. */
  public KamonMetrics(Map<String, String> tags) {
    this(TagSet.from(Map.copyOf(tags)));
  }

  private KamonMetrics(TagSet common) {
    super((metric, tags) -> instrument(metric, common.withTags(tagSet(metric, tags))));
  }

  private static TagSet tagSet(MetricDefinition metric, List<String> tags) {
    TagSet all = TagSet.Empty();
    for (int i = 0; i < tags.size(); i++) {
      all = all.withTag(metric.tags().get(i), tags.get(i));
    }
    return all;
  }

  private static Instrument instrument(MetricDefinition metric, TagSet tags) {
    return switch (metric.kind()) {
      case COUNTER ->
          new OfCounter(Kamon.counter(metric.name(), metric.text(), unit(metric)).withTags(tags));
      case GAUGE ->
          new OfGauge(Kamon.gauge(metric.name(), metric.text(), unit(metric)).withTags(tags));
      case HISTOGRAM ->
          new OfHistogram(
              Kamon.histogram(
                      metric.name(),
                      metric.text(),
                      unit(metric),
                      DynamicRange.apply(1, LONGEST_NS, 2))
                  .withTags(tags));
    };
  }

  private static MeasurementUnit unit(MetricDefinition metric) {
    return switch (metric.unit()) {
      case MetricDefinition.BYTES -> MeasurementUnit.information().bytes();
      case MetricDefinition.NANOSECONDS -> MeasurementUnit.time().nanoseconds();
      default -> MeasurementUnit.none();
    };
  }

  private record OfCounter(Counter counter) implements Instrument {
    @Override
    public void update(long value, long times) {
      Counter _ = counter.increment(value);
    }

    @Override
    public void remove() {
      boolean _ = counter.remove();
    }
  }

  private record OfGauge(Gauge gauge) implements Instrument {
    @Override
    public void update(long value, long times) {
      Gauge _ = gauge.update((double) value);
    }

    @Override
    public void remove() {
      boolean _ = gauge.remove();
    }
  }

  private record OfHistogram(Histogram histogram) implements Instrument {
    @Override
    public void update(long value, long times) {
      Histogram _ = histogram.record(value, times);
    }

    @Override
    public void remove() {
      boolean _ = histogram.remove();
    }
  }

  /** Takes the instruments out of Kamon. To be called when nothing more is told. Idempotent. */
  @Override
  public void close() {
    removeInstruments();
  }
}
